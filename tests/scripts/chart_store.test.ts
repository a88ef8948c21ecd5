import assert from "node:assert/strict";
import { test } from "node:test";

import "./browser.ts";

const { Store, after, nearest, smoothed } = await import("../../playground/ui/parts/charts/chart_store.ts");
const { compared } = await import("../../playground/ui/parts/charts/examples.ts");
const { pieces } = await import("../../playground/ui/parts/charts/prose.ts");

const message = (rows: unknown[][], more: object = {}) =>
  ({ channel: "curves/x", version: 1, tables: { steps: { all: false, gone: [], rows, ...more } } });

test("a message adds rows, removes thinned ones, or replaces all", () => {
  const store = new Store();
  let changes = 0;
  store.users.add(() => (changes += 1));
  store.take(message([[0, 5], [1, 4]]));
  store.take(message([[2, 3]], { gone: [1] }));
  assert.deepEqual(store.rows("steps", null), [[0, 5], [2, 3]]);
  store.take(message([[9, 1]], { all: true }));
  assert.deepEqual(store.rows("steps", null), [[9, 1]]);
  assert.equal(changes, 3);
  store.take({ channel: "curves/x", version: 2, gone: true });
  assert.equal(store.problem, "This run no longer exists.");
});

test("a column has measured values only, up to a step", () => {
  const store = new Store();
  store.take(message([[0, 5, 10], [1, null, 10], [2, 3, 20], [3, 2]]));
  const beside = { tested: 2 };
  assert.deepEqual(store.column("steps", 1, null, beside), { steps: [0, 2, 3], values: [5, 3, 2], tested: [10, 20, undefined] });
  assert.deepEqual(store.column("steps", 1, 2), { steps: [0, 2], values: [5, 3], tested: [10, 20] });
  assert.deepEqual(store.rows("steps", 1), [[0, 5, 10], [1, null, 10]]);
  assert.deepEqual(store.column("other", 1, 2), { steps: [], values: [] });
});

test("steps are found by binary search", () => {
  const steps = [0, 10, 20];
  assert.deepEqual([-1, 0, 9, 10, 25].map((step) => after(steps, step)), [0, 1, 1, 2, 3]);
  assert.deepEqual([-5, 4, 5, 6, 99].map((step) => nearest(steps, step)), [0, 0, 0, 1, 2]);
  assert.deepEqual([nearest(steps, null), nearest([], 3), nearest([], null)], [2, -1, -1]);
});

test("smoothing keeps a constant, starts at the first value, and forgets with its time constant", () => {
  const steps = [0, 1, 2, 3];
  assert.deepEqual(smoothed({ steps, values: [1, 2, 3, 4] }, 0), [1, 2, 3, 4]);
  assert.ok(smoothed({ steps, values: [2, 2, 2, 2] }, 5).every((value) => Math.abs(value - 2) < 1e-12));
  const [first, second] = smoothed({ steps: [0, 10], values: [1, 3] }, 10);
  assert.equal(first, 1);
  assert.ok(Math.abs(second - (Math.exp(-1) + 3) / (Math.exp(-1) + 1)) < 1e-12);
});

test("an answer that runs on ends in a count", () => {
  const right = [["4", ""], ["2", ""]];
  assert.deepEqual(compared(["4"], ["4", "2"]), [["4", ""], ["", "missing"]]);
  assert.deepEqual(compared([..."42777"], ["4", "2"]), [...right, ...Array(3).fill(["7", "wrong"])]);
  assert.deepEqual(compared([..."427777"], ["4", "2"]), [...right, ...Array(2).fill(["7", "wrong"]), ["+2", "more"]]);
});

test("a text is read in pieces: right, wrong with spaces that can be seen, and missing", () => {
  const tokens = compared([..."the␣h_t␣x"], [..."the␣hat,xyz"]);
  assert.deepEqual(pieces(tokens), [["the h", ""], ["_", "wrong"], ["t", ""], ["␣", "wrong"], ["x", ""], ["__", "missing"]]);
});
