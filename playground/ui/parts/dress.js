// Style sheets of components, loaded before the first component is drawn.

/** @type {Map<string, Promise<CSSStyleSheet>>} */
const sheets = new Map(); // by name

/** @param {string} name */
async function read(name) {
  const known = sheets.get(name);
  if (known) return known;
  const coming = fetch(new URL(`../${name}`, import.meta.url)).then(async (answer) => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(await answer.text());
    return sheet;
  });
  sheets.set(name, coming);
  return coming;
}

/**
 * Adds sheets to a component's root; later ones override earlier ones.
 * @param {...string} names their paths below playground/ui
 */
export async function dressIn(...names) {
  const wanted = await Promise.all(names.map(read));
  return (/** @type {Node} */ root) => {
    const scope = /** @type {Document | ShadowRoot} */ (root.getRootNode());
    const missing = wanted.filter((sheet) => !scope.adoptedStyleSheets.includes(sheet));
    if (missing.length) scope.adoptedStyleSheets = [...scope.adoptedStyleSheets, ...missing];
  };
}

// Style sheet of the components in parts/map.
export const dress = await dressIn("parts/base.css", "parts/map/map.css");

export function calm() {
  return matchMedia("(prefers-reduced-motion: reduce)").matches;
}
