// One tooltip for the whole document: what a marked word, a letter of a shape or a part of the picture means.
// It opens by hover, focus and tap, stays while the pointer is on it, and Escape closes it.

import { APP } from "./streamlit_dom.js";

const MARGIN = 8;
let box = null;
let owner = null;
let leaving = 0;

export default function install() {
  if (box) return;
  box = document.createElement("div");
  box.className = "playground-tip";
  box.setAttribute("role", "tooltip");
  box.hidden = true;
  document.body.append(box);
  const term = (event) => event.composedPath()[0].closest?.(".term"); // also inside of a component
  const on = (type, act, options) => document.addEventListener(type, act, options);
  on("pointerover", (event) => {
    if (box.contains(event.target)) return clearTimeout(leaving);
    if (term(event)) explain(term(event));
  });
  on("pointerout", (event) => (term(event) || box.contains(event.target)) && event.pointerType !== "touch" && hideSoon());
  on("focusin", (event) => term(event) && explain(term(event)));
  on("focusout", (event) => term(event) && hide());
  on("click", (event) => (term(event) ? explain(term(event)) : box.contains(event.target) || hide()));
  on("keydown", (event) => {
    // Any other key may change the page below the pointer, and with it what the tooltip stands beside.
    if (!term(event) || (event.key !== "Enter" && event.key !== " ")) return hide();
    event.preventDefault();
    explain(term(event));
  });
  on("scroll", hide, { capture: true, passive: true });
  addEventListener("resize", hide);
}

function explain(node) {
  show(node, node.textContent, "", node.getAttribute("aria-description"));
}

// Beside `node`: a title, a line in the type of shapes, a sentence and, in softer type, what a click does.
export function show(node, title, shape, sentence, action = "") {
  install();
  clearTimeout(leaving);
  if (owner === node && !box.hidden) return;
  owner = node;
  const line = (name, text) => Object.assign(document.createElement("div"), { className: name, textContent: text });
  box.replaceChildren(
    ...[["title", title], ["shape", shape], ["", sentence], ["action", action]]
      .filter(([, text]) => text)
      .map(([name, text]) => line(name, text)),
  );
  // The page's two colours the other way round: readable on any theme, and never taken for a part of the page.
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
  if (box) box.hidden = true;
}
