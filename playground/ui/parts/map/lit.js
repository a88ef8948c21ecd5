// What is lit in the picture and the outline of this page: whoever knows it says so here.

const watchers = new Set();
let lit = null;
let by = null;

// Calls `light` with what is lit (null: nothing is), now and at each change, until the answer is called.
export function watch(light) {
  watchers.add(light);
  light(lit);
  return () => watchers.delete(light);
}

// Lights `what` on behalf of `who`; null puts it out, unless somebody else has lit something since.
export function shine(who, what) {
  if (!what && by !== who) return;
  by = what && who;
  lit = what;
  for (const light of watchers) light(lit);
}
