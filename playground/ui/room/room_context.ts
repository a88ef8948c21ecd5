// What the class looks at: the tab that leads sends its address, tabs that follow open it.

import { alike, onAddress, shared, visit } from "../parts/address.ts";
import { slide, slides } from "../parts/shown.ts";
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
const MOST = 1000;
const LOOKS = 40; // for the part of a slide, on a page that is being drawn
const LOOK = 250;
const NOTICE = 10_000;
const QUIET = ["?", "q", "f", "b", "a", "l", "c", "Tab", "Escape"]; // keys that change nothing of what is looked at
const CONTROL = "a, button, input, select, textarea, summary, label, canvas, [role=button], [role=tab], [role=option], [role=slider]";
const APART = `.playground-room, .playground-presenter, dialog, .term, .plan-buttons, ${keyed("presenter")}, ${keyed("share")}`;

let known = ""; // the context that this tab shows or has sent
let next = ""; // the context that it is about to show
let acted = 0; // time of the person's last act
let opened = 0; // time of the last address that came from elsewhere
let version = -1; // of the room, before this tab's last message
let flying = false; // a message is on its way
let mine: Here | null = null;
const timers = { send: 0, show: 0, mark: 0, notice: 0 };
const notice = notices();

room.watch((here) => {
  if (here?.code !== mine?.code) {
    [known, next, version] = ["", "", -1];
    clearTimeout(timers.show);
  }
  const back = mine && here && !mine.follows && here.follows;
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
  if (mine?.leads && !timers.send && !flying) timers.send = window.setTimeout(tell, WAIT);
}

async function tell() {
  timers.send = 0;
  const at = contextHere();
  if (!mine?.leads || at === known || acted < opened || document.hidden) return;
  const { code, state } = mine;
  [flying, known, version] = [true, at, state?.v ?? -1];
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

function take(here: Here, back: boolean) {
  const { state, isHost, leads, follows } = here;
  if (!state) return;
  const { at } = state.context;
  const led = state.mode === "lead" && follows && !isHost;
  if (!led && !leads) {
    clearTimeout(timers.show);
    next = "";
    return;
  }
  if (!at) {
    acted = performance.now();
    return changed(); // a new room
  }
  if (leads && (flying || timers.send || state.v <= version)) return;
  if (at === next || (at === known && !back)) return;
  const url = address(at);
  if (!url) return;
  clearTimeout(timers.show);
  next = at;
  const before = (known && address(known)) || new URL(location.href);
  if (back || !alike(url, before)) timers.show = window.setTimeout(show, leads || back ? 0 : Math.random() * Math.min(MOST, SPREAD * state.counts.seats), url, at, true);
  else show(url, at, false);
}

function show(url: URL, at: string, opens: boolean) {
  // While the first page is drawn, it decides on the address.
  if (opens && !drawn()) return void (timers.show = window.setTimeout(show, LOOK, url, at, opens));
  [known, next, opened] = [at, "", performance.now()];
  if (opens) visit(url);
  clearTimeout(timers.mark);
  mark(url.searchParams.get(SLIDE));
}

let isDrawn = false;
function drawn() {
  return (isDrawn ||= document.querySelector(APP)?.getAttribute(SCRIPT_STATE) === "notRunning" && Boolean(slides.value));
}

// Scrolls to the part of a slide, once it is drawn, and marks it for a moment.
function mark(name: string | null, looks = LOOKS) {
  const parts = slides.value?.find((each) => each.name === name)?.parts ?? [];
  const part = document.querySelector<HTMLElement>(`${MAIN} ${keyed(parts.at(-1) ?? "none")}`);
  if (part?.offsetHeight) {
    part.scrollIntoView({ block: "nearest", behavior: calm() ? "auto" : "smooth" });
    const line = { outline: "3px solid #6f62ea", outlineOffset: "3px" };
    part.animate([line, line, { ...line, outlineColor: "transparent" }], 2500);
  } else if (name && looks) timers.mark = window.setTimeout(mark, LOOK, name, looks - 1);
}

// ---- the person's own acts

function acts(event: Event) {
  if (!event.isTrusted) return;
  acted = performance.now();
  if (!mine?.follows || mine.isHost || mine.state?.mode !== "lead") return;
  const path = event.composedPath().filter((node) => node instanceof Element);
  if (path.some((node) => node.matches(APART))) return;
  if (event instanceof KeyboardEvent) {
    // What handles the key says so by the end of the event.
    if (!QUIET.includes(event.key)) setTimeout(() => event.defaultPrevented && follow(false));
  } else if (event.type === "input" || path.some((node) => node.matches(CONTROL)) || getComputedStyle(path[0]).cursor === "pointer") {
    follow(false);
  }
}

for (const type of ["click", "keydown", "input"]) addEventListener(type, acts, { capture: true });

function say(text: string) {
  write(notice, text);
  clearTimeout(timers.notice);
  if (text) timers.notice = window.setTimeout(say, NOTICE, "");
}
