// The current slide of the presenter view, which components observe.

/** @typedef {{ name: string, title: string, parts: string[], panels: string[], shrinks: boolean }} Slide */
/** @typedef {(slide: Slide | null) => void} Watcher */

/** @type {Set<Watcher>} */
const watchers = new Set();
/** @type {Slide | null} */
let shown = null;

/**
 * Calls `watcher` with the slide (null: no presenter view), now and at each change; returns a function that ends it.
 * @param {Watcher} watcher
 */
export function onSlide(watcher) {
  watchers.add(watcher);
  watcher(shown);
  return () => watchers.delete(watcher);
}

/** @param {Slide | null} slide */
export function tellSlide(slide) {
  shown = slide;
  for (const watcher of watchers) watcher(slide);
}
