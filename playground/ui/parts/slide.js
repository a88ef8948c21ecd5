// Which slide of the presenter view is shown: parts of a page follow it.

const watchers = new Set();
let shown = null;

// Calls `watcher` with the slide (null: nothing is presented), now and at each change, until the answer is called.
export function onSlide(watcher) {
  watchers.add(watcher);
  watcher(shown);
  return () => watchers.delete(watcher);
}

export function tellSlide(slide) {
  shown = slide;
  for (const watcher of watchers) watcher(slide);
}
