// Style sheets of components, read before the first of them is drawn.

const sheets = new Map(); // by name: a promise

function read(name) {
  if (!sheets.has(name)) {
    sheets.set(name, fetch(new URL(`../${name}`, import.meta.url)).then(async (answer) => {
      const sheet = new CSSStyleSheet();
      sheet.replaceSync(await answer.text());
      return sheet;
    }));
  }
  return sheets.get(name);
}

// Puts sheets, by their paths below playground/ui, on the root that a component draws in; the later wins.
export async function dressIn(...names) {
  const wanted = await Promise.all(names.map(read));
  return (root) => {
    const place = root.getRootNode();
    const missing = wanted.filter((sheet) => !place.adoptedStyleSheets.includes(sheet));
    if (missing.length) place.adoptedStyleSheets = [...place.adoptedStyleSheets, ...missing];
  };
}

// That of the map's components.
export const dress = await dressIn("parts/base.css", "parts/map/map.css");

export function calm() {
  return matchMedia("(prefers-reduced-motion: reduce)").matches;
}
