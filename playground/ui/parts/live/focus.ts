// Keeps the keyboard where a person works. Streamlit replaces a widget when its label or kind changes, and a press can
// disable its button or replace a whole view: the browser then forgets the focus. It goes to the same widget, or to what
// stands where it stood, or to the heading of what is new.

import { APP, MAIN, SCRIPT_STATE } from "../streamlit_dom.ts";

const CONTROL = "button, a[href], input, textarea, select, summary, [tabindex='0']:not(.term)"; // a marked word would open its tooltip
const LOOK = 300; // milliseconds between two looks whether a disabled button is enabled again, or a neighbour
const LOOKS = 100;
const KEY = /st-key-[\w-]+/;

/** A container, and the index of a control in it. */
type Place = { key: string, at: number };

let held: HTMLElement | null = null; // what has the focus, or had it when it was replaced
let later = 0; // timer
let around: Place[] = []; // the containers around it, innermost first, and its index in each

const watcher = new MutationObserver(() => {
  look();
  clearTimeout(later);
  later = setTimeout(look, LOOK); // a component follows the script run
});

function look() {
  if (!held || (held.isConnected && !held.matches(":disabled"))) return;
  if (document.querySelector(APP)?.getAttribute(SCRIPT_STATE) !== "notRunning") return;
  const [lost, containers] = [held, around];
  release();
  restore(lost, containers);
}

// After a press, a button may be disabled for a moment, or until its neighbours are enabled.
function restore(lost: HTMLElement, containers: Place[], looks = LOOKS) {
  if (document.activeElement !== document.body) return; // the person moved on
  const target = !lost.isConnected ? instead(containers) : lost.matches(":disabled") ? beside(lost) : lost;
  if (target && (!lost.isConnected || looks < LOOKS)) target.focus({ preventScroll: target.matches(CONTROL) });
  else if (looks) setTimeout(restore, LOOK, lost, containers, looks - 1);
}

function instead(containers: Place[]) {
  return answer(containers[0]?.key) ?? containers.map(({ key, at }) => within(key, at)).find(Boolean) ?? heading();
}

/** Another page begins, or the person points elsewhere. */
export function release() {
  held = null;
  watcher.disconnect();
}

function controls(container: ParentNode) {
  return [...container.querySelectorAll<HTMLElement>(CONTROL)].filter((node) => !node.matches(":disabled") && node.checkVisibility());
}

// The control at this index of a container, or its last.
function within(key: string, at: number) {
  const container = document.querySelector(`.${key}`);
  const all = container ? controls(container) : [];
  return all[Math.min(at, all.length - 1)];
}

// The control before a disabled one, or the one after it, among its neighbours.
function beside(node: HTMLElement) {
  let row = node.parentElement;
  while (row && row.querySelectorAll(CONTROL).length < 2) row = row.parentElement;
  const all = row ? controls(row) : [];
  return all.findLast((other) => node.compareDocumentPosition(other) & Node.DOCUMENT_POSITION_PRECEDING) ?? all[0];
}

// What a lesson says to its question, after Show the answer.
function answer(key = "") {
  if (!key.includes("-reveal-")) return;
  const found = document.querySelector<HTMLElement>(`.${key.replace("-reveal-", "-found-")} .message`);
  found?.setAttribute("tabindex", "-1");
  return found;
}

function heading() {
  const all = [...document.querySelectorAll<HTMLElement>(`${MAIN} :is(h2, h1)`)].filter((node) => node.checkVisibility());
  const found = all.find((node) => node.matches("h2")) ?? all[0];
  found?.setAttribute("tabindex", "-1");
  return found;
}

document.addEventListener("focusin", (event) => {
  release();
  const [node] = event.composedPath();
  if (!(node instanceof HTMLElement) || !node.matches(CONTROL) || !event.composedPath().some((each) => each instanceof Element && each.matches(MAIN))) return;
  held = node;
  around = [];
  for (let each: Element | null = event.target as Element; each; each = each.parentElement) {
    const [key] = KEY.exec(each.className) ?? [];
    if (key) around.push({ key, at: controls(each).indexOf(node) });
  }
  watcher.observe(document.body, { childList: true, subtree: true, attributeFilter: [SCRIPT_STATE] });
});
document.addEventListener("focusout", () => {
  setTimeout(() => {
    if (held?.isConnected && !held.matches(":disabled") && document.activeElement === document.body) release();
  });
});
document.addEventListener("pointerdown", () => held && !held.isConnected && release(), { capture: true });
