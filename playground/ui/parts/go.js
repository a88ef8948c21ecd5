// Follows a link of the page as a click on it would. From the server a page cannot be left by a part of it: another part
// that is drawn meanwhile would come back into the next page.

import { MAIN } from "./streamlit_dom.js";

/** @param {{ data: { to?: string } }} call */
export function follow({ data }) {
  if (!data.to) return;
  /** @type {HTMLElement | null} */ (document.querySelector(`${MAIN} a[href$="${data.to}"]`))?.click();
}
