// Rules for the page's keys, and the switch for single-character keys.

import { remember, remembered } from "./words.ts";

const FIELD = "input, textarea, select, [contenteditable]:not([contenteditable=false]), [role=textbox]";
const PLAIN_INPUT = "[type=checkbox], [type=radio], [type=range], [type=button]";
// Elements that handle arrow and page keys themselves.
const MOVES = "[role=slider], [role=spinbutton], [role=radio], [role=radiogroup], [role=tab], [type=radio], [type=range]";
const STEPS = /^(Arrow|Page|Home|End)/;

const SWITCH = "playground single-letter shortcuts"; // in localStorage: "on", "off" or unset

const watchers: Set<() => void> = new Set(); // called when the switch changes in another tab
// Whether single-character keys act. Speech input or a slip can press them by accident (WCAG 2.2, 2.1.4).
let letters = remembered("localStorage", SWITCH) !== "off";

/** Whether a key belongs to the page and may act. */
export function free(event: KeyboardEvent) {
  const named = event.key.length > 1 || event.key === " ";
  return (letters || named) && unused(event);
}

/** Whether no text field, list or dialog is active, and no modifier key of the browser is held. */
function unused(event: KeyboardEvent) {
  if (event.defaultPrevented || event.isComposing || event.ctrlKey || event.altKey || event.metaKey) return false;
  const path = event.composedPath().filter((node) => node instanceof Element);
  if (path.some((node) => node.matches("dialog[open], [role=dialog], [role=listbox], [role=menu]"))) return false;
  if (path.some((node) => node.matches(FIELD) && !node.matches(PLAIN_INPUT))) return false;
  return !(STEPS.test(event.key) && path.some((node) => node.matches(MOVES)));
}

/** The part that has the focus handles this key: neither scrolling nor shortcuts of the page do. */
export function claim(event: KeyboardEvent) {
  event.preventDefault();
  event.stopPropagation();
}

// Name of a key in a table of keys: letters in lower case, "Shift+" before named keys.
export function nameOf({ key, shiftKey }: KeyboardEvent) {
  if (key.length === 1) return key.toLowerCase();
  return shiftKey ? `Shift+${key}` : key;
}

export function lettersAct() {
  return letters;
}

export function letLettersAct(on: boolean) {
  letters = on;
  remember("localStorage", SWITCH, on ? "on" : "off");
}

export function onLetters(watcher: () => void) {
  watchers.add(watcher);
}

// In another tab.
addEventListener("storage", ({ key }) => {
  if (key !== SWITCH && key !== null) return;
  letters = remembered("localStorage", SWITCH) !== "off";
  for (const watcher of watchers) watcher();
});

// The switch also applies to Streamlit's own shortcuts.
document.addEventListener(
  "keydown",
  (event) => !letters && /^[rc]$/i.test(event.key) && unused(event) && event.stopPropagation(),
  { capture: true },
);
