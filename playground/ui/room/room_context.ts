// What the class looks at: the tab that leads sends its address, tabs that follow open it.

import { alike, onAddress, shared, visit } from "../parts/address.ts";
import { opener, slide, slides, turned, walk } from "../parts/shown.ts";
import { go } from "../parts/map/follow.ts";
import { calm } from "../parts/styles.ts";
import { APP, keyed, MAIN, SCRIPT_STATE } from "../parts/streamlit_dom.ts";
import { notices, write } from "../parts/words.ts";
import { follow, room, send } from "./room_client.ts";
import type { Here } from "./room_client.ts";

const SLIDE = "present"; // query parameter
const WAIT = 100; // milliseconds between a change and its message, which has all changes of that time
const AGAIN = 2000; // milliseconds until a lost message is sent again
const ALIVE = 60_000; // milliseconds between two signs that the host is there
const SPREAD = 5; // milliseconds for each seat, in which the seats open another page
const MAX_SPREAD = 1000;
const LOOKS = 40; // for the part of a slide, on a page that is being drawn
const PATIENCE = 250; // milliseconds between two looks
const LOOK = ["operation", "cell", "head", "heads", "columns", "table"]; // query parameters that need no script run
const MAX_CATCH = 3000;
const NOTICE = 10_000;
const QUIET = ["?", "q", "f", "b", "a", "l", "c", "Tab", "Escape"]; // keys that change nothing of what is looked at
const CONTROL = "a, button, input, select, textarea, summary, label, canvas, [role=button], [role=tab], [role=option], [role=slider]";
const APART = `.playground-room, .playground-presenter, [data-picks], dialog, .term, .plan-buttons, ${keyed("presenter")}, ${keyed("share")}`;

const loaded = new URL(location.href); // what the first page draws
let known = ""; // the context that this tab shows or has sent
let seen: URL | null = null; // address of the last context that it has shown
let ahead = false; // the page shows an operation that the server doesn't know of
let catching: Promise<void> | null = null; // until the server knows of it
let line = Promise.resolve(); // contexts are shown one after the other
let acted = 0; // time of the person's last act
let opened = 0; // time of the last address that came from elsewhere
let version = -1; // of the room, before this tab's last message
let flying = false; // a message is on its way
let mine: Here | null = null;
const timers = { send: 0, mark: 0, notice: 0 };
const notice = notices();

room.watch((here) => {
  if (here?.code !== mine?.code) [known, seen, version] = ["", null, -1];
  const back = mine && here && !mine.follows && here.follows;
  // Who looked around alone comes back.
  if (mine?.state && mine.state.mode !== "lead" && here?.state?.mode === "lead" && !here.leads) [known, seen] = ["", null];
  mine = here;
  if (here) take(here, Boolean(back));
});

/** An address of the app; null for any other. */
function address(at: string) {
  const base = new URL("./", document.baseURI);
  const url = URL.canParse(at, base.href) ? new URL(at, base.href) : null;
  return url?.origin === base.origin && url.pathname.startsWith(base.pathname) ? url : null;
}

// ---- out

/** What this tab shows, relative to the app. */
export function contextHere() {
  const url = shared();
  if (slide.value) url.searchParams.set(SLIDE, slide.value.name);
  return url.pathname.slice(new URL("./", document.baseURI).pathname.length) + (url.search || "?");
}

function changed() {
  if (mine?.leads && acted > opened && !timers.send && !flying) timers.send = window.setTimeout(tell, WAIT);
}

async function tell() {
  timers.send = 0;
  const at = contextHere();
  if (!mine?.leads || !mine.state || document.hidden) return;
  if (at === known || acted <= opened) return take(mine, false); // a state may have come meanwhile
  const { code, state } = mine;
  [flying, known, seen, version] = [true, at, null, state.v];
  const answer = await send("lead", { context: { at } }, code);
  flying = false;
  if (answer.ok) version = answer.fields.v;
  else if (!answer.status) {
    known = "";
    timers.send = window.setTimeout(tell, AGAIN);
    return;
  } else if (answer.status === 422) say(`The class can't follow to this view. ${answer.why}`);
  changed();
}

onAddress(changed);
slide.watch(changed);
setInterval(() => mine?.leads && !document.hidden && send("lead"), ALIVE);

// ---- in

function isLed({ state, isHost, leads, follows }: Here) {
  return leads || (!isHost && follows && state?.mode === "lead");
}

function take(here: Here, back: boolean) {
  const { state, leads } = here;
  if (!state || !isLed(here)) return;
  const { at } = state.context;
  if (!at) {
    if (known) return;
    acted = performance.now();
    return changed(); // a new room
  }
  if ((at === known && !back) || (leads && (flying || timers.send || state.v <= version))) return;
  const url = address(at);
  if (!url) return;
  known = at;
  opened = performance.now();
  line = line.then(() => show(url, at, back));
}

async function show(url: URL, at: string, forced: boolean) {
  const comes = !isDrawn && !forced && alike(url, loaded); // the page comes as it was left, and may be used at once
  while (!drawn()) await pause(PATIENCE); // the first page decides on the address while it is drawn
  if (!isWanted(at)) return;
  const before = comes ? url : (seen ?? new URL(location.href));
  if (forced || !alike(url, before)) {
    if (!forced && alike(...([url, before].map(withoutLook) as [URL, URL])) && (await opener.value?.(url.searchParams))) {
      ahead = true;
      history.replaceState(history.state, "", url.href);
    } else {
      const seats = mine?.state?.counts.seats ?? 0;
      await pause(mine?.leads || forced ? 0 : Math.random() * Math.min(MAX_SPREAD, SPREAD * seats));
      if (!isWanted(at)) return;
      ahead = false;
      visit(url);
    }
  }
  seen = url;
  if (!comes) opened = performance.now();
  clearTimeout(timers.mark);
  const name = url.searchParams.get(SLIDE);
  mine?.leads ? turned.set(room, name ? { name } : null) : mark(name);
}

// Whether a context is still to be shown. One that isn't may come again.
function isWanted(at: string) {
  if (at !== known) return false;
  if (mine && isLed(mine)) return true;
  known = "";
  return false;
}

function withoutLook(url: URL) {
  const other = new URL(url);
  for (const word of LOOK) other.searchParams.delete(word);
  return other;
}

let isDrawn = false;
function drawn() {
  return (isDrawn ||= document.querySelector(APP)?.getAttribute(SCRIPT_STATE) === "notRunning" && Boolean(slides.value));
}

function pause(time: number) {
  return new Promise<void>((resolve) => setTimeout(resolve, time));
}

// Scrolls to the part of a slide, once it is drawn, and marks it for a moment.
function mark(name: string | null, looks = LOOKS) {
  const parts = slides.value?.find((each) => each.name === name)?.parts ?? [];
  const part = document.querySelector<HTMLElement>(`${MAIN} ${keyed(parts.at(-1) ?? "none")}`);
  if (part?.offsetHeight) {
    part.scrollIntoView({ block: "nearest", behavior: calm() ? "auto" : "smooth" });
    const line = { outline: "3px solid #6f62ea", outlineOffset: "3px" };
    part.animate([line, line, { ...line, outlineColor: "transparent" }], 2500);
  } else if (name && looks) timers.mark = window.setTimeout(mark, PATIENCE, name, looks - 1);
}

// ---- the person's own acts

function acts(event: Event) {
  if (!event.isTrusted) return;
  acted = performance.now();
  const path = event.composedPath().filter((node) => node instanceof Element);
  if (!mine || (!ahead && (mine.isHost || !isLed(mine))) || path.some((node) => node.matches(APART))) return;
  const isKey = event instanceof KeyboardEvent;
  const presses = path.some((node) => node.matches(CONTROL)) || getComputedStyle(path[0]).cursor === "pointer";
  if (isKey ? QUIET.includes(event.key) : event.type !== "input" && !presses) return;
  // The server learns of the operation that is shown before it learns of the act.
  if (ahead) catchUp();
  if (catching && event.type === "click") hold(event, path);
  if (mine.isHost || !isLed(mine) || event.type === "pointerdown") return;
  // What handles a key says so by the end of the event.
  if (isKey) setTimeout(() => event.defaultPrevented && follow(false));
  else follow(false);
}

// Tells the server the operation that is shown.
function catchUp() {
  ahead = false;
  const name = walk.value?.lit;
  if (name === undefined || !go({ name }, false)) return;
  let draws = 0;
  const confirmed = new Promise<void>((resolve) => {
    const end = walk.watch(() => void (draws++ && (end(), resolve()))); // the first is what is shown now
  });
  const done = () => void (catching = null);
  catching = Promise.race([confirmed, pause(MAX_CATCH)]).then(done, done);
}

// A click on a button comes after the server knows where it starts from.
function hold(event: Event, path: Element[]) {
  const pressed = path.find((node) => node instanceof HTMLButtonElement);
  if (!pressed) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  catching?.then(() => pressed.click());
}

for (const type of ["pointerdown", "click", "keydown", "input"]) addEventListener(type, acts, { capture: true });

function say(text: string) {
  write(notice, text);
  clearTimeout(timers.notice);
  if (text) timers.notice = window.setTimeout(say, NOTICE, "");
}
