import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";

import { Latest, ask } from "../../playground/ui/parts/ask.ts";
import { Looks } from "../../playground/ui/passes/look.ts";

let answers: Response[] = [];
let asked = 0;

beforeEach(() => {
  asked = 0;
  mock.timers.reset();
  mock.timers.enable({ apis: ["setTimeout", "Date"] });
  globalThis.fetch = async () => answers[asked++];
});

async function pass(time: number) {
  for (let at = 0; at < time; at += 200) {
    mock.timers.tick(200);
    for (let round = 0; round < 8; round++) await Promise.resolve();
  }
}

const busy = () => new Response("busy", { status: 429, headers: { "Retry-After": "2" } });

test("a request is repeated as often as the server asks for it, four times at most", async () => {
  answers = [busy(), new Response("here")];
  const answer = ask("http://localhost/x", 1000);
  await pass(1800);
  assert.equal(asked, 1);
  await pass(2000);
  assert.equal(await (await answer).text(), "here");
  answers = [busy(), busy(), busy(), busy(), busy()];
  asked = 0;
  const refused = ask("http://localhost/x", 1000);
  await pass(20_000);
  assert.deepEqual([(await refused).status, asked], [429, 4]);
});

test("a request that nobody needs is not repeated", async () => {
  answers = [busy(), busy()];
  let wanted = true;
  const answer = ask("http://localhost/x", 1000, () => wanted);
  await pass(400);
  wanted = false;
  await pass(10_000);
  assert.deepEqual([(await answer).status, asked], [429, 1]);
});

test("one request at a time: the latest follows, those between are left out, and answers are kept", async () => {
  const read: string[] = [];
  const open: (() => void)[] = [];
  const latest = new Latest<{ of: string }>(2, (address) => {
    read.push(address);
    return new Promise((done) => open.push(() => done({ of: address })));
  });
  const got: string[] = [];
  for (const address of ["a", "b", "c"]) latest.ask(address, (answer) => got.push(answer.of));
  assert.deepEqual(read, ["a"]);
  open.shift()?.();
  await pass(200);
  assert.deepEqual([read, got], [["a", "c"], []]);
  open.shift()?.();
  await pass(200);
  latest.ask("a", (answer) => got.push(answer.of));
  assert.deepEqual([read, got], [["a", "c"], ["c", "a"]], "known answers come at once");
});

test("an answer with a problem is asked for again", async () => {
  let reads = 0;
  const latest = new Latest<object>(2, async () => (reads++ ? { value: 1 } : { problem: "" }));
  const got: object[] = [];
  for (let time = 0; time < 3; time++) {
    latest.ask("a", (answer) => got.push(answer));
    await pass(200);
  }
  assert.deepEqual([got, reads], [[{ problem: "" }, { value: 1 }, { value: 1 }], 2]);
});

test("the page's look counts, unless it repeats what was reported from here", () => {
  const looks = new Looks();
  const look = { table: false, head: null, cell: null, gradient_of: "" };
  looks.adopt(look, true);
  const first = looks.change({ head: 1 });
  looks.change({ head: 2 });
  looks.adopt(first, false);
  assert.equal(looks.now.head, 2, "an echo of an older report");
  looks.adopt({ ...look, head: 2 }, false);
  assert.equal(looks.now.head, 2);
  looks.adopt({ ...look, cell: [0, 1] }, false);
  assert.deepEqual(looks.now, { ...look, cell: [0, 1] }, "news of the page");
});
