// Follows a link of the page like a click. A fragment can't switch pages on the server: another fragment that is drawn
// at the same time would appear on the next page.

import { MAIN } from "./streamlit_dom.js";

/** @param {{ data: { to?: string } }} call */
export function follow({ data }) {
  if (!data.to) return;
  /** @type {HTMLElement | null} */ (document.querySelector(`${MAIN} a[href$="${data.to}"]`))?.click();
}
