// One tooltip for the whole document: for marked terms, letters of shapes and parts of the diagram.
// It opens on hover, focus and tap, stays while the pointer is on it, and Escape closes it.

import { APP } from "./streamlit_dom.ts";
import { element } from "./words.ts";

const MARGIN = 8;
const box = element("div", "playground-tip");
let owner: Element | null = null;
let leaving = 0;

box.setAttribute("role", "tooltip");
box.hidden = true;
document.body.append(box);
// Also inside of a component.
const term = (event: Event) => {
  const [node] = event.composedPath();
  return node instanceof Element ? node.closest(".term") : null;
};
const inside = (event: Event) => box.contains(event.target as Node);
const over = (event: Event) => {
  const word = term(event);
  if (word) explain(word);
  return word;
};
const on: Document["addEventListener"] = document.addEventListener.bind(document);
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

function explain(node: Element) {
  show(node, node.textContent, "", node.getAttribute("aria-description"));
}

type Text = string | null | undefined;

/** Beside `node`: a title, a line in the type of shapes, a sentence and, in softer type, what a click does. */
export function show(node: Element, title: Text, shape: Text, sentence: Text, action = "") {
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
