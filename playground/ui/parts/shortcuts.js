// The rule when a key of the page may act, and the switch for keys of a single character.

const FIELD = "input, textarea, select, [contenteditable]:not([contenteditable=false]), [role=textbox]";
const PLAIN_INPUT = "[type=checkbox], [type=radio], [type=range], [type=button]";
// These move by the arrow and page keys themselves.
const MOVES = "[role=slider], [role=spinbutton], [role=radio], [role=radiogroup], [role=tab], [type=radio], [type=range]";
const STEPS = /^(Arrow|Page|Home|End)/;

const SWITCH = "playground single-letter shortcuts"; // in this browser's storage: "off", or nothing

/** @type {Set<() => void>} */
const watchers = new Set(); // called when the switch is turned in another tab
// Whether keys of a single character act. Speech input or a slip presses them unasked (WCAG 2.2, 2.1.4).
let letters = read();

/**
 * Whether a key is the page's, and may act.
 * @param {KeyboardEvent} event
 */
export function free(event) {
  const named = event.key.length > 1 || event.key === " ";
  return (letters || named) && unused(event);
}

/**
 * Whether nobody types, chooses in a list or a window, or holds a key of the browser's.
 * @param {KeyboardEvent} event
 */
function unused(event) {
  if (event.defaultPrevented || event.isComposing || event.ctrlKey || event.altKey || event.metaKey) return false;
  const path = event.composedPath().filter((node) => node instanceof Element);
  if (path.some((node) => node.matches("dialog[open], [role=dialog], [role=listbox], [role=menu]"))) return false;
  if (path.some((node) => node.matches(FIELD) && !node.matches(PLAIN_INPUT))) return false;
  return !(STEPS.test(event.key) && path.some((node) => node.matches(MOVES)));
}

// The name of a key in a table of keys: letters in lower case, and Shift before the name of a named one.
/** @param {KeyboardEvent} event */
export function nameOf({ key, shiftKey }) {
  if (key.length === 1) return key.toLowerCase();
  return shiftKey ? `Shift+${key}` : key;
}

export function lettersAct() {
  return letters;
}

function read() {
  try {
    return localStorage.getItem(SWITCH) !== "off";
  } catch {
    return true; // a browser that refuses storage
  }
}

/** @param {boolean} on */
export function letLettersAct(on) {
  letters = on;
  try {
    on ? localStorage.removeItem(SWITCH) : localStorage.setItem(SWITCH, "off");
  } catch {
    // for this page alone
  }
}

/** @param {() => void} watcher */
export function onLetters(watcher) {
  watchers.add(watcher);
}

// In another tab.
addEventListener("storage", ({ key }) => {
  if (key !== SWITCH && key !== null) return;
  letters = read();
  for (const watcher of watchers) watcher();
});

// Streamlit's own shortcuts obey, too.
document.addEventListener(
  "keydown",
  (event) => !letters && /^[rc]$/i.test(event.key) && unused(event) && event.stopPropagation(),
  { capture: true },
);
