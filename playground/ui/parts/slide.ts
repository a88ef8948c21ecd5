// The current slide of the presenter view, which components observe.

export type Slide = { name: string, title: string, parts: string[], panels: string[], shrinks: boolean };
type Watcher = (slide: Slide | null) => void;

const watchers: Set<Watcher> = new Set();
let shown: Slide | null = null;

/** Calls `watcher` with the slide (null: no presenter view), now and at each change; returns a function that ends it. */
export function onSlide(watcher: Watcher) {
  watchers.add(watcher);
  watcher(shown);
  return () => watchers.delete(watcher);
}

export function tellSlide(slide: Slide | null) {
  shown = slide;
  for (const watcher of watchers) watcher(slide);
}
