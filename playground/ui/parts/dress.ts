// Style sheets of components, in place before a component is drawn.

/** @type {Map<string, CSSStyleSheet>} */
const sheets = new Map(); // by name

/** @param {string} name */
function read(name) {
  let sheet = sheets.get(name);
  if (!sheet) {
    sheet = new CSSStyleSheet();
    sheet.replaceSync(STYLES[name]);
    sheets.set(name, sheet);
  }
  return sheet;
}

/**
 * Adds sheets to a component's root; later ones override earlier ones.
 * @param {...string} names their paths below playground/ui
 */
export function dressIn(...names) {
  const wanted = names.map(read);
  return (/** @type {Node} */ root) => {
    const scope = /** @type {Document | ShadowRoot} */ (root.getRootNode());
    const missing = wanted.filter((sheet) => !scope.adoptedStyleSheets.includes(sheet));
    if (missing.length) scope.adoptedStyleSheets = [...scope.adoptedStyleSheets, ...missing];
  };
}

// Style sheet of the components in parts/map.
export const dress = dressIn("parts/base.css", "parts/map/map.css");

export function calm() {
  return matchMedia("(prefers-reduced-motion: reduce)").matches;
}
