// The presenter view: one part of the page at a time, enlarged, controlled by keys or a clicker.
// The query parameter "present" has the slide, so links, reloads and other pages keep it.

import { arrive, limit } from "./every_page.ts";
import * as lessonPlan from "./lesson_plan.ts";
import { PlanPanel } from "./plan_panel.ts";
import { themes } from "./theme.ts";
import { Acts } from "../parts/acts.ts";
import { alike, keep, renew, setLink, shared, visit as openAddress } from "../parts/address.ts";
import { mapSheets } from "../parts/styles.ts";
import { free, nameOf } from "../parts/shortcuts.ts";
import { slide as shown, slides as known, turned, walk } from "../parts/shown.ts";
import { BLOCK, COLUMN, MAIN, MAIN_BLOCK, NAVIGATION_LINK, REVEAL, ROW, keyed } from "../parts/streamlit_dom.ts";
import { component } from "../parts/component.ts";
import { openRoom, showDoor } from "../room/join_card.ts";
import { button, element, notices, remember, remembered, write } from "../parts/words.ts";
import type { View } from "./lesson_plan.ts";
import type { Slide } from "../parts/shown.ts";
import type { Call, Root } from "../parts/component.ts";

const WORD = "present";
const FIRST = "1"; // in the address: the first slide
const LAST = "last"; // and the last one that is on the page
const SWIPE = 60; // pixels across, at least twice as far as up or down
const STILL = 3000; // milliseconds after which a resting pointer is hidden
const HINT = 6000;
const HINTS = "Esc: leave · L: slides and plan · A: add to plan · B: black · Q: QR code · ?: all keys";
const PLACE = "playground lesson plan view"; // in sessionStorage: id of the plan's view that this tab presents
const LESSON_TITLE = ".lesson-title h2";
const SHOWN_PASS = ".shown-pass"; // model and input, which passes/frame.py draws
const LONGEST_CODE = 1000; // characters
const MAX_TRIES = 4; // attempts to get a QR code from a busy server
const AGAIN = 2000;
const LONGER = 0.1; // of the window: less below its end is no part of a slide
const SMALLEST = 0.9; // minimum scale of a slide that is too tall
const HOLDS = 0.8; // of the scale: a slide that is even taller has smaller text rather than an end that is not seen
const LEAST = 12.8; // pixels of the smallest text at scale 1: 24 at 1920x1080
const KEYS: Record<string, string> = {
  f: "present",
  Escape: "leave",
  PageDown: "next",
  PageUp: "previous",
  ArrowRight: "next",
  ArrowLeft: "previous",
  "Shift+PageDown": "nextPage",
  "Shift+PageUp": "previousPage",
  " ": "run",
  s: "step",
  b: "black",
  ".": "black",
  q: "code",
  l: "list",
  a: "add",
};
// The page's own keys of these names have acted before, or the page has none at this operation.
const TURNS = new Set(["PageDown", "PageUp", "ArrowRight", "ArrowLeft"]);

const page = document.documentElement;
const acts = new Acts();
type Data = { page: string, title: string, max_chars: Record<string, number>, pages: string[], slides: Slide[], keys: string[] };
let tools: ReturnType<typeof build> | null = null; // the buttons on this page
let linked: Call<{ link: Record<string, string> }>["data"] | null = null; // what has set the shared link last
let wanted = new URLSearchParams(location.search).get(WORD); // a slide's name or FIRST; null: no presenter view
let lock: WakeLockSentinel | null = null; // keeps the screen awake
let coming = ""; // the slide to show once it is on the page
let factor = 1; // scale factor of a slide
let looking = 0; // timer that checks for added and removed parts of the page
let followed = wanted === null ? "" : (remembered("sessionStorage", PLACE) ?? ""); // id of the plan's view that is presented
let opened = lessonPlan.inFragment(location.hash); // the plan of a link, until the pages are known
const notice = notices();
let noticing = 0;
const panel = new PlanPanel({ pages, present: (view) => enter(view), share: (link) => cover("code", link),
  here: () => ({ title: titleHere(), address: addressHere() }) });
const face = makeFace();

export default component(mapSheets, build, (built, { data }: Call<Data>) => {
  tools = built;
  tools.data = data;
  tools.present.hidden = !data.slides.length;
  arrive(data.page);
  known.set(page, data.slides);
  limit(data.max_chars);
  openPlan();
  show();
});

/** Sets the query parameters of the shared link, such as { run: "…" }, and receives keys. */
export function listen({ data, setStateValue }: Call<{ link: Record<string, string>, session: string, heard: number }>) {
  linked = data;
  setLink(data.link);
  acts.adopt(data, (message) => setStateValue("acts", message));
  return () => {
    if (linked !== data) return;
    linked = null;
    setLink({});
    acts.release();
  };
}

// The server's data of the current page.
function here() {
  return tools?.node.isConnected ? tools.data : null;
}

// ---- slides

// Slides whose last part, the main one, is on the page with one of its panels.
function slides() {
  return (here()?.slides ?? []).filter(({ parts, panels }) => {
    const main = document.querySelector(keyed(parts.at(-1) ?? ""));
    const inside = main && panels.length ? [...main.querySelectorAll("*")].find((node) => node.shadowRoot)?.shadowRoot : null;
    return main && (!panels.length || panels.some((panel) => inside?.querySelector(`[data-panel="${panel}"]`)));
  });
}

function current() {
  if (wanted === null) return null;
  const all = slides();
  return all.find(({ name }) => name === wanted) ?? (wanted === LAST ? all.at(-1) : all[0]) ?? null;
}

function turn(by: number) {
  if (stopsAt() >= 0) return turnPlan(by);
  if (scrolls(by)) return;
  const all = slides();
  const now = current()?.name;
  const at = all.findIndex(({ name }) => name === now) + by;
  if (all[at]) present(all[at].name);
  else go(by, by > 0 ? FIRST : LAST);
}

// A slide that is longer than the window, such as a long list, is turned by windows first.
function scrolls(by: number) {
  const main = document.querySelector(MAIN);
  if (!main || !current() || main.scrollHeight < (1 + LONGER) * main.clientHeight) return false;
  const before = main.scrollTop;
  main.scrollBy({ top: by * 0.9 * main.clientHeight, behavior: "instant" });
  return Math.abs(main.scrollTop - before) > 8;
}

function present(name: string | null) {
  coming = "";
  wanted = name;
  renew();
  show();
}

// Applies `wanted` to the page; called again when parts may have been added or removed.
function show() {
  const all = slides();
  if (all.some((each) => each.name === coming)) return present(coming);
  const slide = current();
  const name = slide?.name ?? null;
  if ((wanted !== null) !== page.hasAttribute("data-present")) (wanted === null ? close : open)();
  if (name !== (page.dataset.slide ?? null)) {
    name === null ? delete page.dataset.slide : (page.dataset.slide = name);
    page.dataset.parts = (slide?.parts ?? []).join(" "); // a style sheet leaves room for what stands above a chart
    face.rules.textContent = slide ? rulesFor(slide) : "";
    document.querySelector(MAIN)?.scrollTo(0, 0);
    face.announcement.textContent = [slide?.title, ofPlan()].filter(Boolean).join(", ");
    scale();
    shown.set(page, slide); // whoever watches it measures at this scale
  }
  fit();
  const dots = all.length > 1 && !ofPlan() ? all.map((each) => (each.name === name ? "●" : "○")).join(" ") : "";
  if (face.dots.textContent !== dots) face.dots.textContent = dots;
  const crumbs = walk.value?.host.isConnected ? walk.value.crumbs.map(([label]) => label).join(" › ") : "";
  write(face.where, [ofPlan(), document.querySelector(SHOWN_PASS)?.textContent, crumbs].filter(Boolean).join(" · "));
}

// Hidden parts keep their width, so that charts need no redraw, but have no height.
function rulesFor({ parts }: Slide) {
  const shown = `:is(${parts.map(keyed).join(", ")})`;
  const scope = `[data-present]:has(${shown}) ${MAIN_BLOCK}`;
  return `
    ${scope} ${BLOCK}:not(${shown}, :has(${shown}), ${shown} *) {
      height: 0 !important; inset-inline: 0; min-height: 0; overflow: hidden; position: absolute; visibility: hidden;
    }
    ${scope} ${COLUMN}:has(${shown}) { flex: 1 1 100%; max-width: none; min-width: 100%; }
    ${scope} ${ROW}:has(${shown}) { min-height: 0; }`;
}

// ---- entering and leaving

function open() {
  page.setAttribute("data-present", "");
  (document.activeElement as HTMLElement | null)?.blur(); // a hidden control must not take the space bar
  scale();
  moved();
  face.tell(HINTS);
  keepAwake();
  looking = setInterval(show, 400);
}

function close() {
  follow("");
  page.removeAttribute("data-present");
  page.style.removeProperty("--present-scale");
  page.style.removeProperty("--least");
  clearInterval(looking);
  lock?.release();
  face.tell("");
  cover(null);
  moved();
  if (document.fullscreenElement) document.exitFullscreen().catch(() => {});
}

function enter(view?: View) {
  if (view) visit(view);
  else if (wanted !== null || !here()?.slides.length) return;
  else present(FIRST);
  if (document.fullscreenElement) return;
  // Only a person's press may enter full screen; otherwise the view fills the window. The browser responds later: if the
  // presenter view was left meanwhile, it must not stay in full screen.
  page
    .requestFullscreen?.()
    .then(() => (wanted === null ? document.exitFullscreen() : undefined))
    .catch(() => {});
}

function leave() {
  if (wanted !== null) present(null);
}

let filled = false; // full screen is active for this page
document.addEventListener("fullscreenchange", () => {
  if (!document.fullscreenElement && filled) leave(); // not while the previous page is leaving full screen
  filled = document.fullscreenElement !== null;
});

function whole() {
  return Math.max(1, Math.min(innerWidth / 1024, innerHeight / 576));
}

// Shows as much of the page as a laptop does, on any projector.
function scale() {
  if (wanted === null) return;
  enlarge(whole());
  fit();
}

function enlarge(by: number) {
  factor = by;
  page.style.setProperty("--present-scale", by.toFixed(3));
  page.style.setProperty("--least", `${LEAST * (by < HOLDS * whole() ? by : whole())}px`);
}

// Scales down a slide that is taller than the window, within limits; beyond them it scrolls.
function fit() {
  const main = document.querySelector(MAIN);
  if (!main || !current()?.shrinks) return;
  while (main.scrollHeight > main.clientHeight + 1 && factor > SMALLEST) enlarge(Math.max(SMALLEST, factor * 0.96));
}

// What is on the slide is measured again, since it also grows with the height of the window.
addEventListener("resize", () => {
  scale();
  if (shown.value) shown.set(page, shown.value);
});

async function keepAwake() {
  if (wanted === null || document.hidden || lock) return;
  try {
    const mine = await navigator.wakeLock.request("screen");
    mine.addEventListener("release", () => lock === mine && (lock = null));
    lock = mine;
    if (wanted === null) mine.release();
  } catch {
    if (wanted !== null) face.tell(`${HINTS} · This browser can turn the screen off`);
  }
}

document.addEventListener("visibilitychange", keepAwake);

// ---- the address

keep(WORD, () => wanted);
turned.watch((to) => to && wanted !== null && to.name !== wanted && present(to.name));

// ---- keys

// Any key closes a cover and does nothing else; keys of a clicker must not reload the page.
document.addEventListener(
  "keydown",
  (event) => {
    const reload = event.key === "F5" && !event.ctrlKey && !event.metaKey && !event.altKey;
    const presses = event.composedPath().some((node) => node instanceof Element && node.matches(".code button")) && ["Enter", " "].includes(event.key);
    const covered = face.covered() && !presses && !["Shift", "Control", "Alt", "Meta", "Tab"].includes(event.key);
    const by = { PageDown: 1, PageUp: -1 }[nameOf(event)];
    if (covered && !event.ctrlKey && !event.metaKey && !event.altKey) cover(null);
    else if (by && wanted !== null && stopsAt() >= 0 && free(event)) turnPlan(by); // before the page, which may have such a key
    else if (!reload || wanted === null) return;
    event.preventDefault();
    event.stopImmediatePropagation();
  },
  { capture: true },
);

const ACTIONS: Record<string, () => unknown> = {
  present: () => (wanted === null ? enter() : leave()),
  leave: () => wanted !== null && leave(),
  next: () => wanted !== null && turn(1),
  previous: () => wanted !== null && turn(-1),
  nextPage: () => wanted !== null && go(1),
  previousPage: () => wanted !== null && go(-1),
  run: () => wanted !== null && (reveal() || acts.add("run", "", 1)),
  step: () => wanted !== null && acts.add("step", "", 1),
  black: () => wanted !== null && cover("black"),
  code: () => cover("code"),
  list: () => wanted !== null && openList(),
  add: () => void addToPlan(),
};
const ONCE = new Set(["present", "leave", "run", "black", "code", "list", "add"]); // no repeat while the key is held

// Last handler: components that use the key have already handled it.
addEventListener("keydown", (event) => {
  const heard = here()?.keys;
  if (!heard || !free(event)) return;
  const key = nameOf(event);
  const action = KEYS[key];
  if (!ACTIONS[action] || !(heard.includes(key) || (TURNS.has(key) && ends(action)))) return;
  if (key === " " && event.composedPath().some((node) => node instanceof Element && node.matches("button, a, summary, [role=button]"))) return;
  if ((event.repeat && ONCE.has(action)) || ACTIONS[action]() !== false) event.preventDefault();
});

// Shows the answer to the slide's question, which is the next slide; returns whether there is a question.
function reveal() {
  const slide = current();
  const shows = ((slide && document.querySelector(`${keyed(slide.parts.at(-1) ?? "")} ${REVEAL}`)) as HTMLElement | null);
  if (!slide || !shows) return false;
  const all = here()?.slides ?? [];
  coming = all[all.indexOf(slide) + 1]?.name ?? "";
  shows.click();
  return true;
}

// Whether the page, which has this key for itself, is at the end where a further press leads to another page.
function ends(action: string) {
  const now = walk.value?.host.isConnected ? walk.value : null;
  return Boolean(action === "next" ? now?.last : now?.first);
}

// Opens the next or previous page of the menu, at its first or last slide.
function go(by: number, at = FIRST) {
  const shown = here();
  const path = shown?.pages[shown.pages.indexOf(shown.page) + by];
  if (path === undefined) return face.tell(by > 0 ? "This is the last slide of the last page." : "This is the first slide.");
  wanted = at;
  const links: NodeListOf<HTMLAnchorElement> = document.querySelectorAll(NAVIGATION_LINK);
  const way = [...links].find((each) => new URL(each.href).pathname.split("/").pop() === path);
  way?.click();
}

// ---- the lesson plan

function pages() {
  return here()?.pages ?? [];
}

function addressHere() {
  const url = shared();
  const name = current()?.name;
  if (name !== undefined) url.searchParams.set(WORD, name);
  return url.href;
}

// What a plan calls the current view.
function titleHere() {
  const crumbs = walk.value?.host.isConnected ? walk.value.crumbs.slice(-2).map(([label]) => label).join(" › ") : "";
  const lesson = document.querySelector(LESSON_TITLE)?.textContent;
  const slide = slides().length > 1 ? current()?.title : "";
  return [here()?.title, crumbs, lesson, slide].filter(Boolean).join(": ");
}

// Returns the message that it shows.
function addToPlan() {
  const title = titleHere();
  const problem = lessonPlan.add(pages(), title, addressHere());
  const text = problem || `Added to the lesson plan as view ${lessonPlan.views(pages()).length}: ${title}`;
  if (face.code.open) return text;
  if (wanted !== null) face.tell(text);
  else write(notice, text);
  clearTimeout(noticing);
  noticing = setTimeout(() => write(notice, ""), HINT);
  return text;
}

function follow(id: string) {
  followed = id;
  remember("sessionStorage", PLACE, id);
}

// Index of the view that is presented; -1 if no plan is.
function stopsAt() {
  return followed ? lessonPlan.views(pages()).findIndex(({ id }) => id === followed) : -1;
}

function ofPlan() {
  const at = stopsAt();
  return at < 0 ? "" : `${at + 1} of ${lessonPlan.views(pages()).length}`;
}

function turnPlan(by: number) {
  const view = lessonPlan.views(pages())[stopsAt() + by];
  if (view) visit(view);
  else face.tell(by > 0 ? "This is the last view of the lesson plan." : "This is the first view of the lesson plan.");
}

// Presents a view of the plan. The server reads its address as it does when a page is loaded, see session/address.py.
function visit(view: View) {
  const url = new URL(view.at, document.baseURI);
  const name = url.searchParams.get(WORD) ?? FIRST;
  follow(view.id);
  coming = "";
  wanted = name;
  if (alike(url, new URL(location.href))) return present(name);
  openAddress(url);
  show();
}

// Takes the plan of a link once the pages are known.
async function openPlan() {
  if (!opened || !pages().length) return;
  const word = opened;
  opened = "";
  history.replaceState(history.state, "", location.pathname + location.search);
  const found = await lessonPlan.ofLink(word, pages());
  if (!found?.plan.length) return panel.open("This link has no lesson plan that can be read. Ask for the link again.");
  const own = lessonPlan.views(pages());
  const sentences = [found.left && `${found.left} of its views lead to no page of this app and are left out.`];
  if (!lessonPlan.same(own, found.plan)) {
    lessonPlan.change(pages(), () => found.plan);
    sentences.unshift("This plan came with the link.");
    if (own.length) sentences.push("Undo brings your own plan back.");
  }
  panel.open(sentences.filter(Boolean).join(" "));
}

addEventListener("hashchange", () => {
  opened = lessonPlan.inFragment(location.hash);
  openPlan();
});

// In the pages' own windows of Share, see runs/sharing.py.
document.addEventListener("click", ({ target }) => {
  if (!(target instanceof Element)) return;
  if (target.closest(".add-to-plan")) addToPlan();
  if (target.closest(".open-plan")) panel.open();
});

// ---- touch

// Buttons do what the key does, whichever script acts on it.
function press(key: string) {
  document.body.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true, composed: true }));
}

let touched: { x: number, y: number } | null = null; // where a swipe starts

// What takes the finger itself: sliders, fields, and what scrolls sideways.
function isTaken(node: EventTarget) {
  return node instanceof Element && !node.matches("html, body")
    && (node.matches("input, textarea, [role=slider], .playground-presenter") || (node.scrollWidth > node.clientWidth + 1
      && ["auto", "scroll"].includes(getComputedStyle(node).overflowX)));
}

document.addEventListener("touchstart", (event) => {
  const [touch, another] = event.touches;
  const free = wanted !== null && !another && !face.covered() && !event.composedPath().some(isTaken);
  touched = free ? { x: touch.clientX, y: touch.clientY } : null;
}, { passive: true });

document.addEventListener("touchend", (event) => {
  if (!touched) return;
  const { clientX, clientY } = event.changedTouches[0];
  const across = clientX - touched.x;
  if (Math.abs(across) > SWIPE && Math.abs(across) > 2 * Math.abs(clientY - touched.y)) press(across < 0 ? "PageDown" : "PageUp");
  touched = null;
}, { passive: true });

// ---- list of slides

function openList() {
  const now = current()?.name;
  const item = (text: string, act: () => void, isCurrent = false) => {
    const shuts = () => (face.menu.hidePopover(), act());
    return button("", text, shuts, { ariaCurrent: isCurrent ? "true" : null });
  };
  const section = (title: string, ...items: HTMLElement[]) => element("section", "", element("h2", "", title), ...items);
  const plan = lessonPlan.views(pages());
  const count = ofPlan();
  face.menu.replaceChildren(
    section("Slides of this page", ...slides().map(({ name, title }) => item(title, () => present(name), name === now))),
    section(`Lesson plan${count && `: ${count}`}`,
      ...plan.map((view, index) => item(`${index + 1} ${view.title}`, () => visit(view), view.id === followed)),
      item("Add this slide to the plan", addToPlan), item("Edit the plan", () => panel.open()),
      ...(count ? [item("Leave the plan", () => follow(""))] : [])));
  face.menu.togglePopover();
  (face.menu.querySelector<HTMLElement>("[aria-current]") ?? face.menu.querySelector("button"))?.focus();
}

// ---- covers

function cover(kind: string | null, link = "") {
  if (kind === "code") {
    face.encode(link || shared().href);
    face.code.ariaLabel = link ? "Share: a link that carries the lesson plan" : "Share: a link to what this page shows";
    face.toPlan.hidden = Boolean(link);
    const own = /^(localhost|127\.|\[::1\])/.test(location.hostname);
    face.hint.textContent = own ? "This link works on this computer only. For others, open the app by its name in the network." : "";
  }
  const before = face.covered();
  face.black.hidden = kind !== "black";
  if (kind !== "code") face.code.close();
  else if (!face.code.open) face.code.showModal();
  if (kind === "code") face.copy.focus();
  else if (before) {
    face.copy.blur(); // at once, since the next key may come before the browser's next frame
    tools?.share.focus({ preventScroll: true });
  }
}

function makeFace() {
  const rules = document.createElement("style");
  document.head.append(rules);
  const image = element("img", "", { alt: "QR code of the link below" });
  const address = element("p", "address");
  const hint = element("p", "hint", { role: "status" });
  const black = element("div", "black", { hidden: true });
  const copy = button("copy", "Copy link", async (event) => {
    event.stopPropagation(); // clicks elsewhere close the cover
    try {
      await navigator.clipboard.writeText(address.textContent ?? "");
      hint.textContent = "Link copied.";
    } catch {
      hint.textContent = "The browser did not allow it. Select the link and copy it.";
    }
  });
  const toPlan = button("", "Add to plan", (event) => {
    event.stopPropagation();
    hint.textContent = addToPlan();
  });
  const plan = button("", "Lesson plan", () => panel.open()); // the click also closes the cover
  const rooms = [button("", "Open a room", () => openRoom()), button("", "Join a room", showDoor)];
  const shut = button("close", "✕ Close", () => cover(null));
  const how = element("p", "hint", "Esc, any other key or a click closes this.");
  const code = element("dialog", "code", shut, image, address, element("div", "wrap", copy, toPlan, plan, ...rooms), hint, how);
  code.addEventListener("close", () => cover(null)); // the browser's own way, such as a gesture
  const dots = element("div", "dots", { ariaHidden: "true" });
  const where = element("div", "where");
  const keys = element("div", "keys-message");
  const announcement = element("div", "announcement", { role: "status" });
  let asked = 0; // number of requests for the code of this address
  const encode = (text: string) => {
    asked = 1;
    image.src = new URL(`./qr?text=${encodeURIComponent(text)}`, document.baseURI).href;
    address.textContent = text;
  };
  image.addEventListener("error", () => {
    if (address.textContent.length > LONGEST_CODE) hint.textContent = "This link is too long for a QR code.";
    else if (asked++ < MAX_TRIES) setTimeout(() => code.open && image.setAttribute("src", image.src), AGAIN); // the server is busy
    else hint.textContent = "The QR code could not be drawn. Close this and try again.";
  });
  for (const each of [black, code]) each.addEventListener("click", () => cover(null));
  const control = (label: string, text: string, act: () => unknown) => button("", text, act, { ariaLabel: label, title: label });
  const list = control("List of slides", "☰", openList);
  const controls = element("div", "controls", list, control("Previous slide", "‹", () => press("PageUp")),
    control("Next slide", "›", () => press("PageDown")), control("Stop presenting", "✕", leave));
  const menu = element("div", "slides", { popover: "auto", ariaLabel: "Slides of this page", role: "dialog" });
  document.body.append(element("div", "playground-presenter", where, dots, keys, announcement, controls, menu, black, code, panel.dialog));
  let telling = 0;
  const tell = (text: string) => {
    clearTimeout(telling);
    keys.textContent = text;
    if (text) telling = setTimeout(() => (keys.textContent = ""), HINT);
  };
  const covered = () => !black.hidden || code.open;
  return { rules, encode, hint, copy, toPlan, black, code, dots, announcement, where, list, menu, tell, covered };
}

// ---- hiding a resting pointer

const hiding = new CSSStyleSheet();
hiding.replaceSync("* { cursor: none !important }");
let resting = 0;
let hidden: (Document | ShadowRoot)[] = [];

function moved() {
  clearTimeout(resting);
  page.toggleAttribute("data-moved", wanted !== null);
  for (const root of hidden) root.adoptedStyleSheets = root.adoptedStyleSheets.filter((sheet) => sheet !== hiding);
  hidden = [];
  if (wanted !== null) resting = setTimeout(rest, STILL);
}

function rest() {
  page.removeAttribute("data-moved");
  const inside = [...document.querySelectorAll(`${MAIN} *`)].map((node) => node.shadowRoot).filter((root) => root !== null);
  hidden = [document, ...inside];
  for (const root of hidden) root.adoptedStyleSheets = [...root.adoptedStyleSheets, hiding];
}

document.addEventListener("pointermove", moved, { passive: true });

if (wanted !== null) open(); // slides and keys arrive with the page

// ---- the button

function build(root: Root) {
  const present = button("small-button", "", () => enter(), { title: "Present one part at a time, in large type (F)", ariaKeyShortcuts: "F" });
  present.innerHTML =
    '<svg viewBox="0 0 20 14" aria-hidden="true"><path d="M1 1h18M2.5 1v8h15V1M10 9v2M7 13.4l3-2.4 3 2.4"/></svg><span class="words">Present</span>';
  const share = button("small-button share", "", () => cover("code"), { title: "A link to what this page shows (Q)", ariaKeyShortcuts: "Q" });
  share.innerHTML =
    '<svg viewBox="0 0 14 14" aria-hidden="true"><path d="M4.4 5.9l5.2-2.6M4.4 8.1l5.2 2.6"/><circle cx="3" cy="7" r="1.9"/>' +
    '<circle cx="11" cy="2.7" r="1.9"/><circle cx="11" cy="11.3" r="1.9"/></svg><span class="words">Share</span>';
  const node = element("div", "tools", themes(), present, share);
  root.append(node);
  return { node, present, share, data: null as Data | null, close: () => node.remove() };
}
