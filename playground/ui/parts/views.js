// What a component keeps for a place it is drawn in: a view, from the first call to some time after the last.

const CLOSING = 500; // milliseconds

export class Views {
  kept = new WeakMap(); // place -> view
  calls = new WeakMap(); // view -> how often it was asked for

  // `make` builds the view of a place; `close()` of a view ends it.
  constructor(make) {
    this.make = make;
  }

  at(place) {
    if (!this.kept.has(place)) this.kept.set(place, this.make(place));
    const view = this.kept.get(place);
    this.calls.set(view, (this.calls.get(view) ?? 0) + 1);
    return view;
  }

  // The clean-up of a call. Streamlit may clean up just before it draws the same again, or late, when a newer call has
  // come: neither is the end.
  leave(place) {
    const view = this.kept.get(place);
    const call = this.calls.get(view);
    return () => setTimeout(() => {
      if (this.calls.get(view) !== call) return;
      view.close();
      this.kept.delete(place);
    }, CLOSING);
  }
}
