// Marks in the diagram and the outline: one script sets them, others observe them.

/**
 * What is lit: in the picture parts of the model, in the outline an operation; `without` are operations that have no
 * gradient, where one goes backward.
 */
export type Lit = { lit?: string, part?: string, parts?: string[], whole?: boolean, along?: string, joined?: boolean,
    stack?: string, layer?: number, without?: number[] | null };
type Watcher = (lit: Lit | null) => void;

const watchers: Set<Watcher> = new Set();
let lit: Lit | null = null;
let by: object | null = null;

/** Calls `light` with the marks (null: none), now and at each change; returns a function that ends it. */
export function watch(light: Watcher) {
  watchers.add(light);
  light(lit);
  return () => watchers.delete(light);
}

/** Sets the marks `what` for `who`; null removes them, unless another owner has set marks since. */
export function shine(who: object, what: Lit | null) {
  if (!what && by !== who) return;
  by = what && who;
  lit = what;
  for (const light of watchers) light(lit);
}
