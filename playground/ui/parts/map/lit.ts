// Marks in the diagram and the outline: one script sets them, others observe them.

/**
 * What is lit: in the picture parts of the model, in the outline an operation; `without` are operations that have no
 * gradient, where one goes backward.
 * @typedef {{ lit?: string, part?: string, parts?: string[], whole?: boolean, along?: string, joined?: boolean,
 *   stack?: string, layer?: number, without?: number[] | null }} Lit
 */
/** @typedef {(lit: Lit | null) => void} Watcher */

/** @type {Set<Watcher>} */
const watchers = new Set();
/** @type {Lit | null} */
let lit = null;
/** @type {object | null} */
let by = null;

/**
 * Calls `light` with the marks (null: none), now and at each change; returns a function that ends it.
 * @param {Watcher} light
 */
export function watch(light) {
  watchers.add(light);
  light(lit);
  return () => watchers.delete(light);
}

/**
 * Sets the marks `what` for `who`; null removes them, unless another owner has set marks since.
 * @param {object} who
 * @param {Lit | null} what
 */
export function shine(who, what) {
  if (!what && by !== who) return;
  by = what && who;
  lit = what;
  for (const light of watchers) light(lit);
}
