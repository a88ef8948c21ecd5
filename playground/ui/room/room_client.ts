// The room of this tab: its state by the event stream, who this tab is in it, and what it sends. See room_route.py.
//
// The address of a seat keeps `?room=CODE`. The host's key is in the browser, or comes with a presenter link after
// `#host=`, which no server sees.

import { keep, renew } from "../parts/address.ts";
import { listen } from "../parts/live/stream.ts";
import { Shown } from "../parts/shown.ts";
import { remember, remembered } from "../parts/words.ts";

export type Question = { n: number, kind: "choice" | "number" | "cell" | "point", text: string, choices?: string[], shape?: number[],
    lesson?: string, block?: number, operation?: string, axes?: string, step?: number, state: "open" | "closed" | "revealed", ends?: number, result?: Result, truth?: string, why?: string };
/** Counts without names: of each choice; [number, count] or [low, high, counts] of bins; [indices or point, count]; seats that passed. */
export type Result = { passed: number, choices?: number[], values?: [number, number][], numbers?: [number, number, number[]], positions?: [number[], number][] };
export type State = { v: number, mode: "lead" | "free" | "pause" | "ended", context: { at: string }, question: Question | null,
    counts: { seats: number, answers: number, fast: number, hard: number }, board: boolean, time: number };
export type Seat = { name: string, seat: string, channel: string, pace: "" | "fast" | "hard", question: number, answered: boolean, answer: unknown };
/**
 * `leads`: the room follows this tab of its host. `follows`: this tab follows, until the person explores. `late` is how
 * many seconds the server's clock is ahead of this one.
 */
export type Here = { code: string, state: State | null, seat: Seat | null, isHost: boolean, leads: boolean, follows: boolean,
    gone: boolean, late: number };

const WORD = "room"; // query parameter
const KEY = "playground room"; // in localStorage: { code, host } of the room that this browser hosts
const MARK = "#host=";
// In sessionStorage, the code of the room that this tab
const LEADS = "playground room led"; // leads
const SEAT = "playground room joined"; // has joined
const EXPLORES = "playground room explored"; // doesn't follow
const AGAIN = 3000; // milliseconds until a failed join is tried again

/** The room of this tab; null without one. */
export const room = new Shown<Here>();

let here: Here | null = null;
let stop = () => {};
let joining = 0; // timer
let coming = new URLSearchParams(location.search).get(WORD) ?? ""; // code of the address, until it is known

keep(WORD, () => here?.code ?? (coming || null));

/** A code as people read it. */
export function spaced(code: string) {
  return `${code.slice(0, 3)} ${code.slice(3)}`;
}

export function hostKey(code: string) {
  try {
    const kept = JSON.parse(remembered("localStorage", KEY) ?? "{}");
    return kept.code === code && typeof kept.host === "string" ? kept.host : "";
  } catch {
    return "";
  }
}

/** Sends to the room; returns the answer's fields, or a sentence that says why not. */
export async function send(verb: string, fields: Record<string, unknown> = {}, code = here?.code): Promise<{ ok: true, fields: any } | { ok: false, status: number, why: string }> {
  const path = code ? `./room/${code}/${verb}` : "./room";
  const host = code ? hostKey(code) : "";
  try {
    const body = JSON.stringify(host ? { host, ...fields } : fields);
    const answer = await fetch(new URL(path, document.baseURI), { method: "POST", body, headers: { "Content-Type": "application/json" } });
    if (!answer.ok) return { ok: false, status: answer.status, why: await answer.text() };
    const content = answer.headers.get("content-type")?.includes("json") ? await answer.json() : await answer.text();
    return { ok: true, fields: content };
  } catch {
    return { ok: false, status: 0, why: "The server doesn't answer. Try again." };
  }
}

/** Opens a room whose host this browser is; returns why it can't, or "". */
export async function open() {
  const answer = await send("", {}, "");
  if (!answer.ok) return answer.why;
  remember("localStorage", KEY, JSON.stringify(answer.fields));
  remember("sessionStorage", LEADS, answer.fields.code);
  enter(answer.fields.code);
  return "";
}

/** Joins a room, or comes back to it; returns why it can't, or "". Without an answer it is tried again. */
export async function join(code: string, fields: Record<string, unknown> = {}): Promise<string> {
  clearTimeout(joining);
  const answer = await send("join", fields, code);
  if (!answer.ok) {
    if (!answer.status) joining = window.setTimeout(join, AGAIN, code, fields);
    else if (!here) leave(); // the address loses a code that doesn't work
    return answer.why;
  }
  enter(code.toUpperCase().replace(/[^A-Z0-9]/g, ""), answer.fields);
  return "";
}

/** Leaves the room in this tab; its seat stays, and its host can come back. */
export function leave() {
  stop();
  clearTimeout(joining);
  here = null;
  coming = "";
  for (const name of [LEADS, SEAT]) remember("sessionStorage", name, "");
  room.set(room, null);
  renew();
}

/** Forgets a room that has ended. */
export function forget(code: string) {
  if (hostKey(code)) remember("localStorage", KEY, "");
  leave();
}

/** Makes this tab of the host one that the class follows. */
export function lead() {
  if (!here) return;
  remember("sessionStorage", LEADS, here.code);
  know({ leads: true });
}

/** Follows the host, or explores. */
export function follow(follows: boolean) {
  if (!here || here.follows === follows) return;
  remember("sessionStorage", EXPLORES, follows ? "" : here.code);
  know({ follows });
}

/** Presents the room on this device too: the address of a second device for the host. */
export function presenterLink(code: string) {
  return `${new URL(`./?${WORD}=${code}`, document.baseURI).href}${MARK}${hostKey(code)}`;
}

export function joinLink(code: string) {
  return new URL(`./?${WORD}=${code}`, document.baseURI).href;
}

/** Changes what this tab knows of itself, such as its answer. */
export function know(part: Partial<Here>) {
  if (here) room.set(room, (here = { ...here, ...part }));
}

function enter(code: string, seat: Seat | null = null) {
  const isHost = Boolean(hostKey(code));
  if (here?.code === code) return know({ seat: seat ?? here.seat, isHost });
  stop();
  if (seat) remember("sessionStorage", SEAT, code);
  const leads = isHost && remembered("sessionStorage", LEADS) === code;
  here = { code, state: null, seat, isHost, leads, follows: remembered("sessionStorage", EXPLORES) !== code, gone: false, late: 0 };
  room.set(room, here);
  renew();
  const [, key = ""] = /~(.*)\./.exec(hostKey(code)) ?? []; // the host's key is CODE~KEY.SIGNATURE
  stop = listen(seat?.channel ?? `room/${code}/${key}`, ({ gone, fields }: { gone?: boolean, fields?: State }) => {
    if (gone) return know({ gone: true });
    if (!fields || fields.v < (here?.state?.v ?? 0)) return; // the newest wins
    know({ state: fields, gone: false, late: fields.time - Date.now() / 1000 });
  });
}

/** At the start of the page: the room of the address, or the one that this browser hosts. Returns why it can't, or "". */
export async function begin() {
  const code = new URLSearchParams(location.search).get(WORD) || (remembered("sessionStorage", SEAT) ?? "");
  if (location.hash.startsWith(MARK) && code) {
    remember("localStorage", KEY, JSON.stringify({ code, host: decodeURIComponent(location.hash.slice(MARK.length)) }));
    remember("sessionStorage", LEADS, code);
    history.replaceState(history.state, "", location.pathname + location.search);
  }
  if (code && !hostKey(code)) return join(code);
  let hosted = code;
  try {
    hosted ||= JSON.parse(remembered("localStorage", KEY) ?? "{}").code ?? "";
  } catch {
    // Not ours.
  }
  if (hosted && hostKey(hosted)) enter(hosted);
  return "";
}
