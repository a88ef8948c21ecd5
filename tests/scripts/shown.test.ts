import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";

import "./browser.ts";

const { Shown, lit, walk } = await import("../../playground/ui/parts/shown.ts");
const { follow, go, unfollow } = await import("../../playground/ui/parts/map/follow.ts");

const WAY = { lit: "decoder.sum", crumbs: [["decoder", "decoder.sum"]] as [string, string][], session: "a" };
let sent: any[] = [];
let heard = 0; // the number of acts that the server has carried out
let host: any;

// Draws the operation as the component of a page does; the server has heard all acts that were sent.
function draw(owner: object) {
  heard = sent.at(-1)?.acts.at(-1)[0] ?? heard;
  const setStateValue = (_name: string, value: unknown) => void sent.push(value);
  follow(owner, { ...WAY, heard }, { parentElement: host, setStateValue, setTriggerValue: () => {} });
}

function press(key: string, more: object = {}) {
  document.body.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true, composed: true, ...more }));
}

beforeEach(() => {
  mock.timers.reset();
  mock.timers.enable({ apis: ["setTimeout"] });
  sent = [];
  host = document.createElement("div");
  document.body.append(host);
});

test("a watcher gets the value now and at each change, until it ends", () => {
  const step = new Shown<{ at: number }>();
  const [one, seen] = [{}, [] as (number | undefined)[]];
  step.set(one, { at: 1 });
  const end = step.watch((value) => seen.push(value?.at));
  step.set(one, { at: 2 });
  step.set(one, null);
  end();
  step.set(one, { at: 3 });
  assert.deepEqual(seen, [1, 2, undefined]);
});

test("what a component has set is removed by it alone, and not once another has set it", () => {
  const step = new Shown<object>();
  const [one, other, value] = [{}, {}, {}];
  step.set(one, {});
  assert.equal(step.set(other, null), false);
  step.set(other, value);
  assert.equal(step.set(one, null), false);
  assert.equal(step.value, value);
  assert.equal(step.set(other, null), true);
});

test("keys and clicks are acts in one queue, in their order", () => {
  const owner = {};
  draw(owner);
  press("ArrowRight");
  assert.equal(go({ name: "decoder.norm" }), true);
  press("ArrowRight", { shiftKey: true });
  draw(owner);
  assert.deepEqual(sent.map(({ acts }) => acts.map(([, ...act]: unknown[]) => act)), [
    [["operation", "", 1]],
    [["go", "", { name: "decoder.norm" }], ["sublayer", "", 1]],
  ]);
  draw(owner);
  unfollow(owner);
});

test("a key that is held asks for the gradient once", () => {
  const owner = {};
  draw(owner);
  press("g");
  press("g", { repeat: true });
  draw(owner);
  assert.deepEqual(sent.map(({ acts }) => acts.length), [1]);
  unfollow(owner);
});

test("components of a page that is left get nothing, and their end leaves what the next page shows", () => {
  const [one, next] = [{}, {}];
  draw(one);
  host.remove();
  press("ArrowRight");
  assert.deepEqual([go({ name: "decoder.norm" }), sent], [false, []]);
  host = document.createElement("div");
  document.body.append(host);
  draw(next);
  unfollow(one);
  assert.deepEqual([walk.value?.lit, lit.value?.lit], ["decoder.sum", "decoder.sum"]);
  press("ArrowRight");
  assert.equal(sent.length, 1);
});
