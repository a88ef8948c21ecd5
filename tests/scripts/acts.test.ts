import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";

import { Acts } from "../../playground/ui/parts/acts.ts";

type Message = { session: string, message: number, acts: unknown[][] };
let sent: Message[] = [];
const send = (message: object) => void sent.push(message as Message);
const PATIENCE = 3000;

beforeEach(() => {
  sent = [];
  mock.timers.reset();
  mock.timers.enable({ apis: ["setTimeout"] });
});

test("an act is sent with its number, verb, target and value", () => {
  const acts = new Acts();
  acts.adopt({ session: "a", heard: 0 }, send);
  assert.equal(sent.length, 0);
  acts.add("sort", "", "loss");
  assert.deepEqual(sent, [{ session: "a", message: 1, acts: [[1, "sort", "", "loss"]] }]);
});

test("acts during a pending message follow its answer, and what is confirmed is not sent again", () => {
  const acts = new Acts();
  acts.adopt({ session: "a", heard: 0 }, send);
  acts.add("step");
  acts.add("step");
  assert.equal(sent.length, 1);
  acts.adopt({ session: "a", heard: 1 }, send);
  assert.deepEqual(sent.map((message) => message.acts.map(([serial]) => serial)), [[1], [2]]);
});

test("unconfirmed acts are sent again, each message is another one, and nothing is sent once all are confirmed", () => {
  const acts = new Acts();
  acts.adopt({ session: "a", heard: 0 }, send);
  acts.add("step");
  mock.timers.tick(PATIENCE);
  mock.timers.tick(PATIENCE);
  assert.deepEqual(sent.map(({ message, acts }) => [message, acts.length]), [[1, 1], [2, 1], [3, 1]]);
  acts.adopt({ session: "a", heard: 1 }, send);
  mock.timers.tick(10 * PATIENCE);
  assert.equal(sent.length, 3);
  assert.deepEqual(acts.pending, []);
});

test("numbers go on from what the server has heard, and begin again with a session", () => {
  const acts = new Acts();
  acts.adopt({ session: "a", heard: 7 }, send);
  acts.add("step");
  assert.equal(sent[0].acts[0][0], 8);
  acts.adopt({ session: "b", heard: 0 }, send);
  assert.deepEqual(acts.pending, [], "a new session knows nothing of them");
});

test("without a listener acts stay in the queue", () => {
  const acts = new Acts();
  acts.adopt({ session: "a", heard: 0 }, send);
  acts.release();
  acts.add("step");
  assert.equal(sent.length, 0);
  acts.adopt({ session: "a", heard: 0 }, send);
  assert.equal(sent.length, 1);
});
