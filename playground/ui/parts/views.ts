// View of a component for each root: it exists from the first call until some time after the last.

const CLOSING = 500; // milliseconds

/** Root of a component: a node or a shadow root. */
export type Root = HTMLElement & { host?: HTMLElement, activeElement?: Element | null };

/** Arguments of a component's call by Streamlit; `data` comes from Python. */
export type Call<Data> = { data: Data, parentElement: Root, setStateValue: (name: string, value: unknown) => void,
    setTriggerValue: (name: string, value: unknown) => void };

export class Views<View extends { close(): void }> {
  make: (root: Root) => View;
  kept: WeakMap<Root, View> = new WeakMap();
  calls: WeakMap<View, number> = new WeakMap(); // number of calls of a view

  /** @param make builds the view of a root; `close()` of a view ends it */
  constructor(make: (root: Root) => View) {
    this.make = make;
  }

  at(root: Root) {
    const view = this.kept.get(root) ?? this.make(root);
    this.kept.set(root, view);
    this.calls.set(view, (this.calls.get(view) ?? 0) + 1);
    return view;
  }

  // Clean-up of a call. Streamlit may clean up just before it draws the same component again, or after a newer call:
  // neither ends the view.
  leave(root: Root) {
    const view = this.kept.get(root);
    const call = view && this.calls.get(view);
    return () => setTimeout(() => {
      if (!view || this.calls.get(view) !== call) return;
      view.close();
      this.kept.delete(root);
    }, CLOSING);
  }
}
