// Style sheets of components, in place before a component is drawn.

import baseCss from "./base.css";
import mapCss from "./map/map.css";

const sheets: Map<string, CSSStyleSheet> = new Map(); // by text

function sheetOf(text: string) {
  let sheet = sheets.get(text);
  if (!sheet) {
    sheet = new CSSStyleSheet();
    sheet.replaceSync(text);
    sheets.set(text, sheet);
  }
  return sheet;
}

/** Adds sheets to a component's root; later ones override earlier ones. */
export function dress(root: Node, texts: string[]) {
  const scope = root.getRootNode() as Document | ShadowRoot;
  const missing = texts.map(sheetOf).filter((sheet) => !scope.adoptedStyleSheets.includes(sheet));
  if (missing.length) scope.adoptedStyleSheets = [...scope.adoptedStyleSheets, ...missing];
}

/** Style sheets of the components around the picture of the model. */
export const mapSheets = [baseCss, mapCss];

export function calm() {
  return matchMedia("(prefers-reduced-motion: reduce)").matches;
}
