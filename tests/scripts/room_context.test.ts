import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";

import "./browser.ts";

mock.timers.enable({ apis: ["setTimeout", "setInterval"] });

class Source {
  static last: Source;
  onmessage: ((event: { data: string }) => void) | null = null;
  constructor() {
    Source.last = this;
  }
  addEventListener() {}
  close() {}
}
(globalThis as any).EventSource = Source;

type Sent = { path: string, fields: any };
let sent: Sent[] = [];
let answers: Record<string, (fields: any) => [status: number, body: unknown]> = {};
globalThis.fetch = (async (address: URL, options: RequestInit) => {
  const path = new URL(address).pathname;
  const fields = JSON.parse(String(options.body));
  sent.push({ path, fields });
  const [status, body] = (answers[path.split("/").at(-1) as string] ?? (() => [200, { v: 1 }]))(fields);
  return { ok: status === 200, status, headers: new Headers({ "content-type": "application/json" }), json: async () => body, text: async () => String(body) };
}) as any;

document.body.innerHTML = `<div class="stApp" data-test-script-state="notRunning"><div class="stMain"></div></div>`;
const { slide, slides, opener } = await import("../../playground/ui/parts/shown.ts");
const { room, begin, join, leave, open, send, follow, spaced } = await import("../../playground/ui/room/room_client.ts");
const { contextHere } = await import("../../playground/ui/room/room_context.ts");
slides.set(document, []);

const CODE = "K7P4QX";
const HOST = `${CODE}~k.s`;
const CHANNEL = `room/${CODE}/k`;
let visits: string[] = [];
addEventListener("popstate", () => visits.push(location.pathname + location.search));

async function settle() {
  for (let round = 0; round < 20; round++) await Promise.resolve();
}

async function pass(time: number) {
  for (let left = time; left > 0; left -= 25) {
    await settle();
    mock.timers.tick(25);
  }
  await settle();
}

function state(v: number, at: string, more: object = {}) {
  const whole = { v, mode: "lead", context: { at }, question: null, counts: { seats: 1, answers: 0, fast: 0, hard: 0 }, board: false, time: 0, ...more };
  Source.last.onmessage?.({ data: JSON.stringify({ channel: CHANNEL, version: v, whole: true, at: 0, fields: whole }) });
}

// A person's key: not made by a script.
function act(type: string, target: EventTarget = document.body, more: object = {}) {
  const event = new Event(type, { bubbles: true, composed: true, cancelable: true });
  Object.defineProperty(event, "isTrusted", { value: true });
  target.dispatchEvent(Object.assign(event, more));
}

async function joined(at = "") {
  await join(CODE);
  await pass(50);
  if (at) state(1, at);
  await pass(50);
}

beforeEach(async () => {
  leave();
  await pass(1100);
  localStorage.clear();
  sessionStorage.clear();
  history.replaceState(null, "", "/train?run=7");
  [sent, visits, answers] = [[], [], { join: () => [200, { name: "Curious Cat", seat: "s", channel: CHANNEL, pace: "", question: 0, answered: false, answer: null }],
    room: () => [200, { code: CODE, host: HOST }] }];
});

test("the context is page, query and slide, relative to the app and without the room", () => {
  assert.equal(contextHere(), "train?run=7");
  history.replaceState(null, "", "/");
  assert.equal(contextHere(), "?");
  slide.set(document, { name: "loss", title: "Loss", parts: [], panels: [], shrinks: false });
  history.replaceState(null, "", "/train?room=K7P4QX&run=7");
  assert.equal(contextHere(), "train?run=7&present=loss");
  slide.set(document, null);
});

test("a code is shown in two groups", () => assert.equal(spaced(CODE), "K7P 4QX"));

test("a seat opens the newest context once, and keeps the room in its address", async () => {
  await joined("step_through?operation=a");
  assert.deepEqual(visits, ["/step_through?operation=a&room=K7P4QX"]);
  state(2, "step_through?operation=a", { counts: { seats: 2, answers: 0, fast: 0, hard: 0 } });
  await pass(1000);
  assert.equal(visits.length, 1);
  state(3, "generate?");
  state(4, "learn?lesson=2");
  await pass(1000);
  assert.deepEqual(visits.slice(1), ["/learn?lesson=2&room=K7P4QX"]);
  state(3, "generate?");
  await pass(1000);
  assert.equal(visits.length, 2, "an older state changes nothing");
});

test("an operation is shown without a script run where the page can", async () => {
  const opened: string[] = [];
  opener.set(document, async (words) => Boolean(opened.push(words.get("operation") ?? "")));
  await joined("step_through?operation=a");
  state(2, "step_through?operation=b&cell=1.2");
  await pass(50);
  assert.deepEqual([opened, visits.length, location.search], [["b"], 1, "?operation=b&cell=1.2&room=K7P4QX"]);
  opener.set(document, async () => false);
  state(3, "step_through?operation=c");
  await pass(1000);
  assert.equal(visits.length, 2);
  opener.set(document, null);
});

test("a context that leads elsewhere is not opened", async () => {
  for (const at of ["https://elsewhere.test/", "//elsewhere.test/", "javascript:alert(1)"]) await joined(at);
  await pass(1000);
  assert.deepEqual(visits, []);
});

test("who acts explores, and comes back; reading is no act", async () => {
  await joined("step_through?operation=a");
  act("click"); // on text
  act("keydown", document.body, { key: "Tab" });
  await pass(50);
  assert.equal(room.value?.follows, true);
  const pressed = document.createElement("button");
  document.querySelector(".stMain")?.append(pressed);
  act("click", pressed);
  assert.equal(room.value?.follows, false);
  state(2, "generate?");
  await pass(1000);
  assert.equal(visits.length, 1);
  follow(true);
  await pass(1000);
  assert.deepEqual(visits.slice(1), ["/generate?room=K7P4QX"]);
  state(3, "learn?", { mode: "free" });
  await pass(1000);
  assert.equal(visits.length, 2);
  state(4, "learn?");
  await pass(1000);
  assert.equal(visits.length, 3);
});

test("a seat that looked around alone comes back when the host leads again", async () => {
  await joined("step_through?operation=a");
  state(2, "step_through?operation=a", { mode: "free" });
  await pass(50);
  state(3, "step_through?operation=a");
  await pass(1000);
  assert.equal(visits.length, 1, "who is still there stays");
  state(4, "step_through?operation=a", { mode: "free" });
  history.replaceState(null, "", "/train?run=7");
  state(5, "step_through?operation=a");
  await pass(1000);
  assert.deepEqual(visits.slice(1), ["/step_through?operation=a&room=K7P4QX"]);
  assert.equal(room.value?.follows, true);
});

test("the host sends the newest address, one message at a time, and again if it was lost", async () => {
  act("pointerdown");
  await open();
  await pass(50);
  state(1, "");
  await pass(200);
  const messages = () => sent.filter(({ path }) => path.endsWith("/lead")).map(({ fields }) => fields.context?.at);
  assert.deepEqual(messages(), ["train?run=7"]);
  assert.equal(sent.at(-1)?.fields.host, HOST);
  history.replaceState(null, "", "/train?run=8");
  history.replaceState(null, "", "/train?run=9");
  await pass(200);
  assert.deepEqual(messages().slice(1), ["train?run=9"]);
  state(2, "train?run=9");
  await pass(200);
  assert.deepEqual(visits, []);
  const working = globalThis.fetch;
  globalThis.fetch = async () => {
    globalThis.fetch = working;
    throw new TypeError("no network");
  };
  history.replaceState(null, "", "/train?run=10");
  await pass(3000);
  assert.deepEqual(messages().slice(2), ["train?run=10"]);
  const before = messages().length;
  await pass(61_000);
  assert.deepEqual(messages().slice(before), [undefined], "a sign that the host is there");
});

test("a second device of the host shows the context first, and sends nothing before its owner acts", async () => {
  localStorage.setItem("playground room", JSON.stringify({ code: CODE, host: HOST }));
  sessionStorage.setItem("playground room led", CODE);
  (window as any).happyDOM.setURL(`http://localhost:8501/?room=${CODE}`);
  await begin();
  await pass(50);
  history.replaceState(null, "", "/?training.steps=300");
  state(1, "generate?");
  await pass(500);
  assert.deepEqual(visits, [`/generate?room=${CODE}`]);
  history.replaceState(null, "", "/generate?model=copy");
  await pass(500);
  assert.deepEqual(sent, []);
  act("pointerdown");
  history.replaceState(null, "", "/generate?model=copy&input=1");
  await pass(500);
  assert.equal(sent.at(-1)?.fields.context.at, "generate?model=copy&input=1");
});

test("a link that is too long is reported once, and the room goes on", async () => {
  act("pointerdown");
  await open();
  answers.lead = () => [422, "The link to this view is too long to share: 320 bytes are allowed."];
  state(1, "");
  await pass(200);
  const notices = [...document.querySelectorAll(".playground-notice")].map(({ textContent }) => textContent).join("");
  assert.ok(notices.includes("The class can't follow to this view. The link to this view is too long"));
  state(2, "");
  await pass(1000);
  assert.equal(sent.filter(({ path }) => path.endsWith("/lead")).length, 1);
});

test("a code that doesn't work leaves the address", async () => {
  answers.join = () => [404, "There is no room with this code."];
  assert.equal(await join("AAAAAA"), "There is no room with this code.");
  assert.equal(room.value, null);
  assert.equal(location.search, "?run=7");
});

test("a presenter link gives the host's key to this browser, and the address loses it", async () => {
  (window as any).happyDOM.setURL(`http://localhost:8501/?room=${CODE}#host=${HOST}`);
  assert.equal(await begin(), "");
  assert.equal(location.hash, "");
  assert.deepEqual([room.value?.isHost, room.value?.leads], [true, true]);
  await send("end");
  assert.equal(sent.at(-1)?.fields.host, HOST);
});
