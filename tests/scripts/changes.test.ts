import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";

import "./browser.ts";

class Source {
  static CLOSED = 2;
  static last: Source;
  readyState = 1;
  onmessage: ((event: { data: string }) => void) | null = null;
  constructor() {
    Source.last = this;
  }
  addEventListener() {}
  close() {}
}

(globalThis as any).EventSource = Source;
mock.timers.enable({ apis: ["setTimeout", "Date"] });
performance.now = () => Date.now();
const { default: component } = await import("../../playground/ui/parts/live/changes.ts");

type Data = Parameters<typeof component>[0]["data"];
let asked = 0;
let root: any;
const draw = (data: Data) => component({ data, parentElement: root, setStateValue: () => {}, setTriggerValue: () => (asked += 1) });
const tell = (message: object) => Source.last.onmessage?.({ data: JSON.stringify(message) });

beforeEach(() => {
  asked = 0;
  root = document.createElement("div");
  document.body.append(root);
});

test("a drawing is asked for once when a channel differs from it, and not by messages that are older", () => {
  const shown = { "run/a": { ended: false } };
  draw({ at: 10, wait: 0, shown });
  mock.timers.tick(50);
  tell({ channel: "run/a", version: 1, whole: true, at: 11, fields: { ended: false } });
  mock.timers.tick(2000);
  assert.equal(asked, 0);
  tell({ channel: "run/a", version: 2, at: 12, fields: { ended: true } });
  mock.timers.tick(300);
  assert.equal(asked, 1);
  draw({ at: 13, wait: 0, shown: { "run/a": { ended: true } } });
  mock.timers.tick(10_000);
  assert.equal(asked, 1);
});

test("a channel without a source asks once for a new drawing", () => {
  draw({ at: 1, wait: 0, shown: { "run/x": { ended: false } } });
  mock.timers.tick(50);
  for (let at = 2; at < 5; at++) {
    tell({ channel: "run/x", gone: true });
    mock.timers.tick(1000);
    draw({ at, wait: 0, shown: { "run/x": { ended: false } } });
  }
  assert.equal(asked, 1);
});

test("a text of a channel stays when its field ends", () => {
  root.innerHTML = '<p class="probe"></p>';
  draw({ at: 1, wait: 100, shown: { "visitor/check": { check: 1 } }, texts: { progress: ".probe" } });
  mock.timers.tick(50);
  tell({ channel: "visitor/check", version: 2, whole: true, at: 2, fields: { progress: "1 s" } });
  tell({ channel: "visitor/check", version: 3, at: 3, fields: { progress: null } });
  assert.equal(root.textContent, "1 s");
});
