// What a component keeps for a place it is drawn in: a view, from the first call to some time after the last.

const CLOSING = 500; // milliseconds

/**
 * Where a component draws: a node, or a shadow root.
 * @typedef {HTMLElement & { host?: HTMLElement, activeElement?: Element | null }} Place
 */

/**
 * What Streamlit calls a component with; `data` comes from Python.
 * @template Data
 * @typedef {{ data: Data, parentElement: Place, setStateValue: (name: string, value: unknown) => void,
 *   setTriggerValue: (name: string, value: unknown) => void }} Call
 */

/** @template {{ close(): void }} View */
export class Views {
  /** @type {WeakMap<Place, View>} */
  kept = new WeakMap();
  /** @type {WeakMap<View, number>} */
  calls = new WeakMap(); // how often a view was asked for

  /** @param {(place: Place) => View} make builds the view of a place; `close()` of a view ends it */
  constructor(make) {
    this.make = make;
  }

  /** @param {Place} place */
  at(place) {
    const view = this.kept.get(place) ?? this.make(place);
    this.kept.set(place, view);
    this.calls.set(view, (this.calls.get(view) ?? 0) + 1);
    return view;
  }

  // The clean-up of a call. Streamlit may clean up just before it draws the same again, or late, when a newer call has
  // come: neither is the end.
  /** @param {Place} place */
  leave(place) {
    const view = this.kept.get(place);
    const call = view && this.calls.get(view);
    return () => setTimeout(() => {
      if (!view || this.calls.get(view) !== call) return;
      view.close();
      this.kept.delete(place);
    }, CLOSING);
  }
}
