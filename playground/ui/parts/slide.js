// Which slide of the presenter view is shown: parts of a page follow it.

/** @typedef {{ name: string, title: string, parts: string[], panels: string[], shrinks: boolean }} Slide */
/** @typedef {(slide: Slide | null) => void} Watcher */

/** @type {Set<Watcher>} */
const watchers = new Set();
/** @type {Slide | null} */
let shown = null;

/**
 * Calls `watcher` with the slide (null: nothing is presented), now and at each change, until the answer is called.
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
