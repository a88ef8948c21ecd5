// One tooltip for the whole document: for marked terms, letters of shapes and parts of the diagram.
// It opens on hover, focus and tap, stays while the pointer is on it, and Escape closes it.

import { APP } from "./streamlit_dom.ts";
import { element } from "./words.ts";

const MARGIN = 8;
const box = element("div", "playground-tip");
/** @type {Element | null} */
let owner = null;
let leaving = 0;

export default function install() {
  if (box.isConnected) return;
  box.setAttribute("role", "tooltip");
  box.hidden = true;
  document.body.append(box);
  // Also inside of a component.
  const term = (/** @type {Event} */ event) => {
    const [node] = event.composedPath();
    return node instanceof Element ? node.closest(".term") : null;
  };
  const inside = (/** @type {Event} */ event) => box.contains(/** @type {Node} */ (event.target));
  const over = (/** @type {Event} */ event) => {
    const word = term(event);
    if (word) explain(word);
    return word;
  };
  /** @type {Document["addEventListener"]} */
  const on = document.addEventListener.bind(document);
  on("pointerover", (event) => (inside(event) ? clearTimeout(leaving) : over(event)));
  on("pointerout", (event) => (term(event) || inside(event)) && event.pointerType !== "touch" && hideSoon());
  on("focusin", over);
  on("focusout", (event) => term(event) && hide());
  on("click", (event) => over(event) || inside(event) || hide());
  on("keydown", (event) => {
    // Any other key may change the page under the pointer, and with it the tooltip's element.
    if (!term(event) || (event.key !== "Enter" && event.key !== " ")) return hide();
    event.preventDefault();
    over(event);
  });
  on("scroll", hide, { capture: true, passive: true });
  addEventListener("resize", hide);
}

/** @param {Element} node */
function explain(node) {
  show(node, node.textContent, "", node.getAttribute("aria-description"));
}

/**
 * Beside `node`: a title, a line in the type of shapes, a sentence and, in softer type, what a click does.
 * @param {Element} node
 * @param {string | null | undefined} title
 * @param {string | null | undefined} shape
 * @param {string | null | undefined} sentence
 * @param {string} [action]
 */
export function show(node, title, shape, sentence, action = "") {
  install();
  clearTimeout(leaving);
  if (owner === node && !box.hidden) return;
  owner = node;
  const lines = [["title", title], ["shape", shape], ["", sentence], ["action", action]];
  box.replaceChildren(...lines.flatMap(([name, text]) => (text ? [element("div", name ?? "", text)] : [])));
  // The page's two colours inverted: readable in any theme, and clearly not a part of the page.
  const page = getComputedStyle(document.querySelector(APP) ?? document.body);
  box.style.background = page.color;
  box.style.color = page.backgroundColor;
  box.hidden = false;
  const at = node.getBoundingClientRect();
  const { offsetWidth: width, offsetHeight: height } = box;
  const above = at.top - height - MARGIN;
  const below = at.bottom + MARGIN;
  const left = at.left + at.width / 2 - width / 2;
  box.style.left = `${Math.max(MARGIN, Math.min(left, document.documentElement.clientWidth - width - MARGIN))}px`;
  box.style.top = `${above > MARGIN || below + height > innerHeight ? Math.max(MARGIN, above) : below}px`;
}

export function hideSoon() {
  clearTimeout(leaving);
  leaving = setTimeout(hide, 120);
}

export function hide() {
  clearTimeout(leaving);
  owner = null;
  box.hidden = true;
}
