// One style sheet for the map's components, read before the first of them is drawn.

const sheet = new CSSStyleSheet();
await fetch(new URL("map.css", import.meta.url)).then(async (answer) => sheet.replaceSync(await answer.text()));

// Puts it on the root that a component draws in.
export function dress(root) {
  const place = root.getRootNode();
  if (!place.adoptedStyleSheets.includes(sheet)) place.adoptedStyleSheets = [...place.adoptedStyleSheets, sheet];
}

export function calm() {
  return matchMedia("(prefers-reduced-motion: reduce)").matches;
}
