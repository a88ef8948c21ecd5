// Behaviour of every page: focus after a page change, Page Down, lost connection.

import { release } from "../parts/live/focus.ts";
import { free } from "../parts/shortcuts.ts";
import { APP, CONNECTION, keyed, MAIN, NAVIGATION_LINK, SCRIPT_STATE } from "../parts/streamlit_dom.ts";
import { notices, write } from "../parts/words.ts";

const PATIENCE = 100; // milliseconds between two checks whether a page is complete
const SURE = 10; // checks
const MAX_LOOKS = 100;
const REFUSAL_SHOWN = 8000; // milliseconds
const LOST_AFTER = 1500; // milliseconds without a connection; reconnecting is often faster

const STREAMLIT_LOST = "Connection error"; // title of its dialog
const SERVER_DOWN = "The server doesn't answer. If you started it yourself, start it again: streamlit run app.py. "
  + "This page goes on as soon as it is back.";

let shown = location.pathname.split("/").pop(); // path of the page
let looking = 0;

// ---- focus: on a new page it is at the heading, for screen readers and keys

/** @param path of the page that is being drawn */
export function arrive(path: string) {
  if (shown === path) return;
  shown = path;
  release();
  clearInterval(looking);
  let still = 0; // successive checks with a complete page
  let looks = 0;
  looking = setInterval(() => {
    const complete = document.querySelector(APP)?.getAttribute(SCRIPT_STATE) === "notRunning";
    still = complete ? still + 1 : 0;
    if (still === SURE || ++looks === MAX_LOOKS) clearInterval(looking);
    const { activeElement } = document;
    if (activeElement !== document.body && !activeElement?.matches(NAVIGATION_LINK)) return; // the person already uses the page
    const heading: HTMLElement | null = complete ? document.querySelector(`${MAIN} h1`) : null;
    heading?.setAttribute("tabindex", "-1");
    heading?.focus({ preventScroll: true });
  }, PATIENCE);
}

// ---- Page Down: the scrolling element is Streamlit's main part, which browsers scroll by key only if it has the focus

const PAGES = { PageDown: 0.9, PageUp: -0.9 };

addEventListener("keydown", (event) => {
  const by = PAGES[event.key as keyof typeof PAGES];
  if (!by || event.shiftKey || document.activeElement !== document.body || !free(event)) return;
  if (document.documentElement.hasAttribute("data-present")) return; // presenter.ts does it
  const main = document.querySelector(MAIN);
  main?.scrollBy({ top: by * main.clientHeight });
});

// ---- fields for numbers bring up a phone's keyboard for numbers, unless a minus may be needed, which it may lack

const SIGNED = `[class*=st-key-signed-], ${keyed("change-factor")}, ${keyed("change-value")}`;

function keyboard({ target }: Event) {
  if (!(target instanceof HTMLInputElement)) return;
  const { type, step } = target;
  if (type === "number" && !target.closest(SIGNED)) target.inputMode = /^\d+$/.test(step) ? "numeric" : "decimal";
  else if (target.closest("[class*=st-key-decimal-]")) target.inputMode = "decimal";
  else if (target.closest("[class*=st-key-digits-]")) target.inputMode = "numeric";
}
for (const type of ["pointerdown", "focusin"]) addEventListener(type, keyboard, { capture: true }); // before the keyboard comes

// ---- texts beyond the maximum of their field: Streamlit ignores them without a message

let maxChars: Record<string, number> = {}; // by the key of the field; "": all others
const refusal = notices();
let refusing = 0;

/** @param most maximum characters by key, "" for all others */
export function limit(most: Record<string, number>) {
  maxChars = Object.fromEntries(Object.entries(most).map(([key, count]) => [key.replace(/[^\w-]/g, "-"), count]));
}

addEventListener(
  "input",
  ({ target }) => {
    if (!(target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement)) return;
    const [, key = ""] = /st-key-([\w-]+)/.exec(target.closest("[class*=st-key-]")?.className ?? "") ?? [];
    const { length } = target.value;
    const most = maxChars[key] ?? maxChars[""];
    clearTimeout(refusing);
    if (!(length > most)) return write(refusal, "");
    const count = (number: number) => number.toLocaleString("en");
    write(refusal, `The text is too long: ${count(length)} characters. Use ${count(most)} or fewer.`);
    refusing = setTimeout(() => write(refusal, ""), REFUSAL_SHOWN);
  },
  { capture: true },
);

// ---- the connection

const notice = notices();
let losing = 0;
let met = false; // whether there was a connection

function look() {
  const state = document.querySelector(APP)?.getAttribute(CONNECTION);
  const lost = met && state !== "CONNECTED";
  met ||= state === "CONNECTED";
  if (!lost) {
    clearTimeout(losing);
    losing = 0;
    write(notice, "");
  } else if (!losing) {
    losing = setTimeout(() => write(notice, "Connection lost. Reconnecting …"), LOST_AFTER);
  }
  if (lost) for (const dialog of document.querySelectorAll('section[role="dialog"]')) reword(dialog);
}

// Streamlit's own dialog speaks of Streamlit and of a script. Only texts are changed, its nodes stay as they are.
function reword(dialog: Element) {
  const title = dialog.querySelector("h2");
  if (title?.textContent !== STREAMLIT_LOST) return;
  title.textContent = "Connection lost";
  const holdsText = (node: Element) => [...node.childNodes].some(({ nodeType }) => nodeType === Node.TEXT_NODE);
  const texts = [...dialog.querySelectorAll("*")].filter((node) => node !== title && holdsText(node));
  texts.forEach((node, at) => write(node, at ? "" : SERVER_DOWN));
}

new MutationObserver(look).observe(document.body, { subtree: true, attributeFilter: [CONNECTION], childList: true });
