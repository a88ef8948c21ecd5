// Style sheets of components, read before the first of them is drawn.

// Puts a sheet on the root that a component draws in.
export async function dressIn(name) {
  const sheet = new CSSStyleSheet();
  await fetch(new URL(name, import.meta.url)).then(async (answer) => sheet.replaceSync(await answer.text()));
  return (root) => {
    const place = root.getRootNode();
    if (!place.adoptedStyleSheets.includes(sheet)) place.adoptedStyleSheets = [...place.adoptedStyleSheets, sheet];
  };
}

// That of the map's components.
export const dress = await dressIn("map.css");

export function calm() {
  return matchMedia("(prefers-reduced-motion: reduce)").matches;
}
