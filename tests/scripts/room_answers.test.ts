import assert from "node:assert/strict";
import { test } from "node:test";

import "./browser.ts";
import type { Question } from "../../playground/ui/room/room_client.ts";

const { axesOf, bars, inWords, numberOf, secondsLeft, truthInWords, written } = await import("../../playground/ui/room/answers.ts");

const CHOICE: Question = { n: 1, kind: "choice", text: "Which?", choices: ["a", "b", "c"], state: "revealed", truth: "b", result: { passed: 1, choices: [1, 4, 0] } };
const NUMBER: Question = { n: 2, kind: "number", text: "How many?", state: "revealed", truth: "1,250", result: { passed: 0, numbers: [1000, 1800, [2, 0, 1, 1]] } };
const CELL: Question = { n: 3, kind: "cell", text: "Where?", shape: [4, 5, 6], axes: "HTS", state: "revealed", truth: "1 0 2", result: { passed: 0, positions: [[[1, 0, 2], 3], [[0, 4, 5], 1]] } };

test("the countdown goes by the server's clock", () => {
  assert.equal(secondsLeft(undefined, 0, 5000), null);
  assert.equal(secondsLeft(100, 0, 58_000), 42);
  assert.equal(secondsLeft(100, 3, 58_000), 39); // the server is 3 s ahead
  assert.equal(secondsLeft(100, 0, 99_700), 1);
  assert.equal(secondsLeft(100, 0, 130_000), 0);
});

test("a number is read as people type it", () => {
  const read = ["1.5", " 1,5 ", "−0.23", "-3", "66,048,000", "87,950", "−1,234.5", "0,250", "12,34", ".5", "1e-3", "2."].map(numberOf);
  assert.deepEqual(read, [1.5, 1.5, -0.23, -3, 66_048_000, 87_950, -1234.5, 0.25, 12.34, 0.5, 0.001, 2]);
  assert.deepEqual(["", "abc", "1.2.3", "1,2,3", "1 2", "Infinity", "NaN", "0x10", "--1"].map(numberOf), Array(9).fill(null));
});

test("a number is written as on the page", () => {
  assert.deepEqual([66048, -0.5, 0, 1234.5678].map((value) => written(value)), ["66,048", "−0.5", "0", "1,234.5678"]);
  assert.deepEqual([written(-0.0625, 2), written(0.00001), written(3e12)], ["−0.063", "1.00e−5", "3.00e+12"]);
});

test("cells count from 1 as on the page, token ids from 0", () => {
  assert.deepEqual(axesOf(CELL).map(({ name, first, last }) => `${name} ${first}-${last}`), ["Head 1-4", "Row 1-5", "Column 1-6"]);
  assert.deepEqual(axesOf({ shape: [3, 14], axes: "TV" }).map(({ first, last }) => [first, last]), [[1, 3], [0, 13]]);
  assert.equal(inWords(CELL, [0, 1, 2]), "head 1, row 2, column 3");
  assert.equal(truthInWords(CELL), "head 2, row 1, column 3");
});

test("bars have the counts, the own answer and the true one", () => {
  assert.deepEqual(bars(CHOICE, 0), [
    { label: "a", count: 1, share: 0.25, own: true, right: false },
    { label: "b", count: 4, share: 1, own: false, right: true },
    { label: "c", count: 0, share: 0, own: false, right: false },
  ]);
  const bins = bars(NUMBER, 1800);
  assert.deepEqual(bins.map(({ label }) => label), ["1,000 to 1,200", "1,200 to 1,400", "1,400 to 1,600", "1,600 to 1,800"]);
  assert.deepEqual(bins.map(({ own }) => own), [false, false, false, true]); // the last bin has its upper end
  assert.deepEqual(bins.map(({ right }) => right), [false, true, false, false]);
  assert.deepEqual(bars(CELL, [0, 4, 5]).map(({ own, right }) => [own, right]), [[false, true], [true, false]]);
});

test("who passed, or has no answer, marks no bar", () => {
  for (const own of [null, undefined]) assert.ok(bars(CHOICE, own).every((bar) => !bar.own));
  assert.deepEqual(bars({ ...NUMBER, result: { passed: 2, values: [] } }, null), []);
  assert.equal(inWords(CHOICE, null), "pass");
});

test("labels of narrow bins differ", () => {
  const labels = bars({ ...NUMBER, result: { passed: 0, numbers: [-1.2, -1.155, [1, 0, 0, 0, 0, 0, 0, 1]] } }, null).map(({ label }) => label);
  assert.equal(labels[0], "−1.2 to −1.194");
  assert.equal(new Set(labels).size, labels.length);
});

test("a few different numbers have a bar each, and so has the true one", () => {
  const made = bars({ ...NUMBER, truth: "3", result: { passed: 0, values: [[2, 5], [8, 1]] } }, 2);
  assert.deepEqual(made.map(({ label, count, own, right }) => [label, count, own, right]), [
    ["2", 5, true, false], ["3", 0, false, true], ["8", 1, false, false]]);
});
