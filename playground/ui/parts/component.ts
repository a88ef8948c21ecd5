// A component: what it draws in a root is kept from the first call until some time after the last.

import { dress } from "./styles.ts";

const CLOSING = 500; // milliseconds

/** Root of a component: a node or a shadow root. */
export type Root = HTMLElement & { host?: HTMLElement, activeElement?: Element | null };

/** Arguments of a component's call by Streamlit; `data` comes from Python. */
export type Call<Data> = { data: Data, parentElement: Root, setStateValue: (name: string, value: unknown) => void,
    setTriggerValue: (name: string, value: unknown) => void };

/**
 * The function of a component that Streamlit calls.
 * @param sheets style sheets of a root; later ones override earlier ones
 * @param make draws it in a root; `close()` of what it returns ends it
 * @param show gets what `make` returned, and each call
 */
export function component<Data, Drawn extends { close(): void }>(
  sheets: string[], make: (root: Root) => Drawn, show: (drawn: Drawn, call: Call<Data>) => void,
) {
  const kept: WeakMap<Root, { drawn: Drawn, calls: number }> = new WeakMap();
  return (call: Call<Data>) => {
    const root = call.parentElement;
    const own = kept.get(root) ?? { drawn: (dress(root, sheets), make(root)), calls: 0 };
    kept.set(root, own);
    const calls = ++own.calls;
    show(own.drawn, call);
    // Clean-up of a call. Streamlit may clean up just before it draws the same component again, or after a newer call:
    // neither ends it.
    return () => setTimeout(() => {
      if (own.calls !== calls) return;
      own.drawn.close();
      kept.delete(root);
    }, CLOSING);
  };
}
