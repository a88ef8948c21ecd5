// View of a component for each root: it exists from the first call until some time after the last.

const CLOSING = 500; // milliseconds

/**
 * Root of a component: a node or a shadow root.
 * @typedef {HTMLElement & { host?: HTMLElement, activeElement?: Element | null }} Root
 */

/**
 * Arguments of a component's call by Streamlit; `data` comes from Python.
 * @template Data
 * @typedef {{ data: Data, parentElement: Root, setStateValue: (name: string, value: unknown) => void,
 *   setTriggerValue: (name: string, value: unknown) => void }} Call
 */

/** @template {{ close(): void }} View */
export class Views {
  /** @type {WeakMap<Root, View>} */
  kept = new WeakMap();
  /** @type {WeakMap<View, number>} */
  calls = new WeakMap(); // number of calls of a view

  /** @param {(root: Root) => View} make builds the view of a root; `close()` of a view ends it */
  constructor(make) {
    this.make = make;
  }

  /** @param {Root} root */
  at(root) {
    const view = this.kept.get(root) ?? this.make(root);
    this.kept.set(root, view);
    this.calls.set(view, (this.calls.get(view) ?? 0) + 1);
    return view;
  }

  // Clean-up of a call. Streamlit may clean up just before it draws the same component again, or after a newer call:
  // neither ends the view.
  /** @param {Root} root */
  leave(root) {
    const view = this.kept.get(root);
    const call = view && this.calls.get(view);
    return () => setTimeout(() => {
      if (!view || this.calls.get(view) !== call) return;
      view.close();
      this.kept.delete(root);
    }, CLOSING);
  }
}
