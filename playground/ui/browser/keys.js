// The window that lists the keys, and the rule when a key of the page may act at all.

import { dress } from "./dress.js";
import { element } from "./words.js";

const FIELD = "input, textarea, select, [contenteditable]:not([contenteditable=false]), [role=textbox]";
const PLAIN_INPUT = "[type=checkbox], [type=radio], [type=range], [type=button]";
// These move by the arrow and page keys themselves.
const MOVES = "[role=slider], [role=spinbutton], [role=radio], [role=radiogroup], [role=tab], [type=radio], [type=range]";
const STEPS = /^(Arrow|Page|Home|End)/;

const views = new WeakMap();
let help = null; // of the help button on this page

// Whether a key is the page's: nobody types, chooses in a list or a window, or holds a key of the browser's.
export function free(event) {
  if (event.defaultPrevented || event.isComposing || event.ctrlKey || event.altKey || event.metaKey) return false;
  const path = event.composedPath().filter((node) => node instanceof Element);
  if (path.some((node) => node.matches("dialog, [role=dialog], [role=listbox], [role=menu]"))) return false;
  if (path.some((node) => node.matches(FIELD) && !node.matches(PLAIN_INPUT))) return false;
  return !(STEPS.test(event.key) && path.some((node) => node.matches(MOVES)));
}

document.addEventListener("keydown", (event) => {
  if (event.key !== "?" || !help || !free(event)) return;
  event.preventDefault();
  help.open();
});

export default function ({ data, parentElement }) {
  const mine = views.get(parentElement) ?? build(parentElement);
  views.set(parentElement, mine);
  mine.fill(data);
  help = mine;
  const turn = (mine.turn = {});
  // Streamlit runs the clean-up of an overtaken call late; it must not undo the newer one's work.
  return () => {
    if (mine.turn === turn && help === mine) help = null;
  };
}

function build(root) {
  dress(root);
  const button = document.createElement("button");
  button.className = "small-button";
  button.innerHTML =
    '<svg viewBox="0 0 20 14" aria-hidden="true"><rect x=".7" y=".7" width="18.6" height="12.6" rx="2"/>' +
    '<path d="M4 4.4h.1M7 4.4h.1M10 4.4h.1M13 4.4h.1M16 4.4h.1M4 7.2h.1M7 7.2h.1M10 7.2h.1M13 7.2h.1M16 7.2h.1M6 10.2h8"/></svg>';
  button.append("Keys");
  button.setAttribute("aria-haspopup", "dialog");
  button.setAttribute("aria-keyshortcuts", "?");
  button.title = "All keys of this page (?)";
  const dialog = document.createElement("dialog");
  dialog.className = "keys";
  dialog.setAttribute("aria-label", "Keys");
  root.append(button, dialog);
  const open = () => dialog.open || dialog.showModal();
  button.addEventListener("click", open);
  dialog.addEventListener("click", (event) => {
    const box = dialog.getBoundingClientRect();
    const inside =
      event.clientX >= box.left && event.clientX <= box.right && event.clientY >= box.top && event.clientY <= box.bottom;
    if (!inside || event.target.closest(".close")) dialog.close();
  });
  dialog.addEventListener("keydown", (event) => {
    event.stopPropagation(); // the page below rests; Escape is the window's own
    if (event.key === "?") dialog.close();
  });
  return { open, fill: (columns) => fill(dialog, columns) };
}

function fill(dialog, columns) {
  const text = JSON.stringify(columns);
  if (dialog.dataset.shown === text) return;
  dialog.dataset.shown = text;
  const lists = columns.map(({ title, rows }) =>
    element(
      "section",
      "",
      element("h3", "", title),
      element(
        "dl",
        "",
        ...rows.flatMap(([keys, does]) => [
          element("dt", "", ...keys.map((key) => element("kbd", "", key))),
          element("dd", "", does),
        ]),
      ),
    ),
  );
  const close = element("button", "close", "×");
  close.setAttribute("aria-label", "Close");
  dialog.replaceChildren(element("header", "", element("h2", "", "Keys"), close), element("div", "columns", ...lists));
}
