// What is marked in the picture and the outline of this page: one script sets it, the others watch it.

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
 * Calls `light` with what is lit (null: nothing is), now and at each change, until the answer is called.
 * @param {Watcher} light
 */
export function watch(light) {
  watchers.add(light);
  light(lit);
  return () => watchers.delete(light);
}

/**
 * Lights `what` on behalf of `who`; null puts it out, unless somebody else has lit something since.
 * @param {object} who
 * @param {Lit | null} what
 */
export function shine(who, what) {
  if (!what && by !== who) return;
  by = what && who;
  lit = what;
  for (const light of watchers) light(lit);
}
