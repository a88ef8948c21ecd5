import assert from "node:assert/strict";
import { afterEach, beforeEach, mock, test } from "node:test";

import "./browser.ts";

const PATIENCE = 5000; // as in stream.ts
const POLL = 1000;
const POLLING = 60_000;

class Source {
  static CLOSED = 2;
  static all: Source[] = [];
  readyState = 1;
  onmessage: ((event: { data: string }) => void) | null = null;
  onerror: (() => void) | null = null;
  beat = () => {};
  address: string;
  constructor(address: URL) {
    this.address = String(address);
    Source.all.push(this);
  }
  addEventListener(_name: string, act: () => void) {
    this.beat = act;
  }
  close() {
    this.readyState = Source.CLOSED;
  }
}

type Module = typeof import("../../playground/ui/parts/live/stream.ts");
let polls: string[] = [];
let refusal = { status: 429, text: "Too many pages." };
let answer = ""; // of a poll
let live: Module;
let count = 0;
const open = () => Source.all.filter(({ readyState }) => readyState !== Source.CLOSED);
const noticed = () => [...document.querySelectorAll(".playground-notice")].map((node) => node.textContent).join("");

// Lets time and promises pass.
async function pass(time: number) {
  for (let left = time; left > 0; left -= 100) {
    mock.timers.tick(Math.min(100, left));
    await settle();
  }
}

async function settle() {
  for (let round = 0; round < 8; round++) await Promise.resolve();
}

function show(hidden: boolean) {
  Object.defineProperty(document, "hidden", { configurable: true, get: () => hidden });
  document.dispatchEvent(new Event("visibilitychange"));
}

function event(fields: object, more: object = {}) {
  return { data: JSON.stringify({ channel: "run/a", version: 1, at: 1, fields, ...more }) };
}

beforeEach(async () => {
  document.body.innerHTML = "";
  Source.all = [];
  polls = [];
  answer = "";
  refusal = { status: 429, text: "Too many pages." };
  mock.timers.enable({ apis: ["setTimeout", "Date"] });
  performance.now = () => Date.now();
  (globalThis as any).EventSource = Source;
  (globalThis as any).fetch = async (address: URL) => {
    if (!String(address).includes("once=1")) return { status: refusal.status, text: async () => refusal.text };
    polls.push(String(address));
    return { status: 200, text: async () => answer };
  };
  live = await import(`../../playground/ui/parts/live/stream.ts?${count++}`);
});

afterEach(() => {
  show(true);
  mock.timers.tick(10_000); // the module of this test disconnects
  show(false);
  mock.timers.reset();
});

test("components that are drawn together share one stream, which asks for each channel at its version", async () => {
  live.listen("run/b", () => {});
  live.listen("run/a", () => {});
  await pass(50);
  assert.equal(open().length, 1);
  assert.deepEqual(new URL(open()[0].address).searchParams.getAll("c"), ["run/b@0", "run/a@0"]);
});

test("who comes later gets the newest state at once, put together from changes", async () => {
  live.listen("run/a", () => {});
  await pass(50);
  open()[0].onmessage?.(event({ step: 1, status: "running" }, { whole: true }));
  open()[0].onmessage?.(event({ step: 2 }, { version: 2 }));
  const seen: any[] = [];
  live.listen("run/a", (message) => seen.push(message.fields));
  assert.deepEqual(seen, [{ step: 2, status: "running" }]);
  await pass(50);
  assert.equal(Source.all.length, 1, "a known channel needs no other connection");
});

test("a listener that fails does not keep a message from the others", async () => {
  mock.method(console, "error", () => {});
  const seen: unknown[] = [];
  live.listen("run/a", () => {
    throw new Error("of this component");
  });
  live.listen("run/a", (message) => seen.push(message.fields.step));
  await pass(50);
  open()[0].onmessage?.(event({ step: 3 }, { whole: true }));
  assert.deepEqual(seen, [3]);
});

test("without an event in time the tab closes the stream and polls, then tries the stream again", async () => {
  const seen: unknown[] = [];
  live.listen("run/a", (message) => seen.push(message.fields.step));
  await pass(50);
  answer = `data: ${event({ step: 9 }, { whole: true }).data}\n\n`;
  await pass(PATIENCE + 2 * POLL);
  assert.equal(open().length, 0);
  assert.ok(polls.length >= 2);
  assert.equal(seen.at(-1), 9);
  await pass(POLLING);
  assert.equal(open().length, 1);
  const before = polls.length;
  open()[0].beat();
  await pass(10 * POLL);
  assert.equal(polls.length, before, "a stream or a loop, never both");
});

test("each change of visibility leaves one polling loop", async () => {
  live.listen("run/a", () => {});
  await pass(PATIENCE + POLL);
  for (let turn = 0; turn < 3; turn++) {
    show(true);
    show(false);
  }
  await pass(2 * POLL);
  const before = polls.length;
  await pass(10 * POLL);
  assert.ok(polls.length - before <= 10, `${polls.length - before} polls in 10 s`);
});

test("a hidden tab disconnects after a while and comes back when it is shown", async () => {
  live.listen("run/a", () => {});
  await pass(50);
  open()[0].beat();
  show(true);
  await pass(4000);
  assert.equal(open().length, 1);
  await pass(2000);
  assert.equal(open().length, 0);
  show(false);
  await pass(100);
  assert.equal(open().length, 1);
});

test("a refused stream says why for a while and polls less often", async () => {
  live.listen("run/a", () => {});
  await pass(50);
  const [source] = open();
  source.close();
  source.onerror?.();
  await pass(200);
  assert.equal(noticed(), refusal.text);
  const before = polls.length;
  await pass(9000);
  assert.equal(noticed(), "");
  assert.equal(polls.length - before, 3);
});

test("a stream that is lost comes back after growing pauses", async () => {
  live.listen("run/a", () => {});
  await pass(50);
  const times = [];
  for (let loss = 0; loss < 3; loss++) {
    const began = Date.now();
    const known = Source.all.length;
    open()[0].onerror?.();
    while (Source.all.length === known) await pass(100);
    times.push(Date.now() - began);
  }
  assert.ok(times[0] < times[2], String(times));
});

test("fields keep what a change does not name, and know when their source is gone", async () => {
  let changes = 0;
  const fields = new live.Fields("run/a", () => (changes += 1));
  await pass(50);
  open()[0].onmessage?.(event({ step: 1, status: "running" }, { whole: true }));
  open()[0].onmessage?.(event({ step: 2 }, { version: 2, at: 5 }));
  assert.deepEqual([fields.values, fields.at, fields.gone], [{ step: 2, status: "running" }, 5, false]);
  open()[0].onmessage?.({ data: JSON.stringify({ channel: "run/a", version: 0, gone: true }) });
  assert.deepEqual([fields.values.step, fields.gone, changes], [2, true, 3]);
});

test("the page's values count until the stream has newer ones", async () => {
  const values = new live.Live(() => {});
  values.show({ channel: "run/a", at: 10, now: { step: 5 } });
  await pass(50);
  open()[0].onmessage?.(event({ step: 4 }, { whole: true, at: 9 }));
  assert.equal(values.values.step, 5);
  open()[0].onmessage?.(event({ step: 6 }, { version: 2, at: 11 }));
  assert.equal(values.values.step, 6);
});
