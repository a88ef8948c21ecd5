import assert from "node:assert/strict";
import { test } from "node:test";

import "./browser.ts";

const { causeOf, css, imageOf, mix, readableOn, shade } = await import("../../playground/ui/parts/heatmaps/colours.ts");
const { decode } = await import("../../playground/ui/parts/heatmaps/message.ts");
const { boxOf, cellAt } = await import("../../playground/ui/parts/heatmaps/tile.ts");
const { decimal, exact, label, percent, position, range, short } = await import("../../playground/ui/parts/words.ts");

const THEME: any = {
  background: [255, 255, 255], panel: [240, 240, 240], allowed: [90, 90, 90],
  negative: [[255, 255, 255], [100, 100, 200], [0, 0, 100]], positive: [[255, 255, 255], [200, 100, 0], [100, 50, 0]],
  probability: [[255, 255, 255], [150, 100, 200], [50, 0, 100]],
};

test("a colour goes from the background at 0 to the last of its scale at its end, by sign", () => {
  const grid = { kind: "signed", coloured: true, most: 4 };
  const at = (value: number) => shade(grid, value, THEME);
  assert.deepEqual([at(0), at(2), at(4), at(99)], [[255, 255, 255], [200, 100, 0], [100, 50, 0], [100, 50, 0]]);
  assert.deepEqual([at(-2), at(-4)], [[100, 100, 200], [0, 0, 100]]);
  assert.deepEqual(at(1), mix(THEME.positive[0], THEME.positive[1], 0.5));
  assert.deepEqual([at(NaN), at(-Infinity)], [THEME.background, THEME.background]);
  assert.deepEqual(shade({ kind: "signed", coloured: false }, 3, THEME), THEME.panel, "a single number has no scale");
  assert.deepEqual(shade({ kind: "probability" }, 1, THEME), [50, 0, 100]);
  assert.deepEqual([0, 1].map((value) => shade({ kind: "mask" }, value, THEME)), [THEME.background, THEME.allowed]);
  assert.equal(css([1, 2, 3]), "rgb(1, 2, 3)");
});

test("an image has a pixel for each cell, and leaves out what is not computed yet", () => {
  const grid = { kind: "signed", coloured: true, most: 4, rows: 2, columns: 1, values: Float32Array.of(4, -4) };
  const { width, height, data } = imageOf(grid, THEME, (index) => index === 1);
  assert.deepEqual([width, height, [...data]], [1, 2, [100, 50, 0, 0, 0, 0, 100, 255]]);
});

test("a point is a cell of what a tile shows, also when it is scrolled", () => {
  const layer = { getBoundingClientRect: () => ({ left: 100, top: 50, right: 160, bottom: 90 }) };
  const box = { gutter: 10, head: 10, cellWidth: 20, cellHeight: 10 };
  const tile: any = { grid: { rows: 30, columns: 30 }, box, layer, scroller: { scrollLeft: 40, scrollTop: 100 } };
  assert.deepEqual(cellAt(tile, 111, 61), { row: 10, column: 2 });
  assert.deepEqual([cellAt(tile, 105, 61), cellAt(tile, 111, 55), cellAt(tile, 170, 61), cellAt(tile, 111, 95)], [null, null, null, null]);
});

test("a number in a cell is black or white, whichever has more contrast", () => {
  const linear = (part: number) => (part / 255 <= 0.04045 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4);
  for (let red = 0; red < 256; red += 51) for (let green = 0; green < 256; green += 51) for (let blue = 0; blue < 256; blue += 51) {
    const light = 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
    const [white, black] = [1.05 / (light + 0.05), (light + 0.05) / 0.05];
    assert.equal(readableOn([red, green, blue]), black > white ? "#000" : "#fff", `${red} ${green} ${blue}`);
  }
});

test("a cell of minus infinity is hidden by the causal mask, unless the server gives another cause", () => {
  const values = [1, -Infinity, -Infinity];
  assert.deepEqual([0, 1, 2].map((at) => causeOf({ values, hidden: Uint8Array.of(0, 0, 2) }, at)), [0, 1, 2]);
});

test("a tile is as large as what it keeps space for", () => {
  const room = { rows: 17, columns: 5 };
  for (const cell of [8, 12, 16]) {
    const sizes = [1, 3, 17].map((rows) => {
      const tile: any = { grid: { rows, columns: 5, column: {} }, room, rowTickWidth: 20, columnTickWidth: 5, line: 14 };
      const { tileWidth, tileHeight } = boxOf(tile, cell, 600);
      return [tileWidth, tileHeight];
    });
    assert.deepEqual([sizes[1], sizes[2]], [sizes[0], sizes[0]]);
  }
});

test("cells are square and as large as asked, unless the width is too small", () => {
  const tile: any = { grid: { rows: 8, columns: 20, column: {} }, rowTickWidth: 0, columnTickWidth: 0, least: 0, line: 14 };
  const [wide, narrow, thin] = [600, 200, 60].map((width) => boxOf(tile, 24, width));
  assert.deepEqual([wide.cellWidth, wide.cellHeight, wide.width], [24, 24, 482]);
  assert.deepEqual([narrow.cellWidth, narrow.cellHeight], [9, 12], "rows stay high enough for their labels");
  assert.equal(thin.cellWidth, 4, "the tile scrolls");
  const single = boxOf({ ...tile, grid: { rows: 1, columns: 1, column: {} } }, 10, 600);
  assert.deepEqual([single.cellWidth, single.cellHeight], [88, 36]);
});

test("a row of tokens too long for its room pans, in columns with room for their labels", () => {
  const side = { names: { first: 0, names: [] } };
  const tile: any = { grid: { rows: 65, columns: 65, column: side }, rowTickWidth: 26, columnTickWidth: 26, least: 0, line: 14 };
  const [wide, narrow] = [762, 358].map((width) => boxOf(tile, 44, width));
  assert.deepEqual([wide.pans, wide.cellWidth, wide.turned], [false, 11, true]);
  assert.deepEqual([narrow.pans, narrow.cellWidth, narrow.turned, narrow.tileWidth], [true, 12, true, 358]);
  assert.equal(narrow.ease, 4, "it is no easier to point at than a whole one that is narrower");
  const numbers = boxOf({ ...tile, grid: { ...tile.grid, column: { names: null } } }, 44, 358);
  assert.deepEqual([numbers.pans, numbers.cellWidth], [false, 4], "numbers need no label each");
});

test("a message has a header and the numbers of each tensor, padded to four bytes", () => {
  const side = (count: number, labels: string) => ({ first: 0, count, size: count, axis: "T", labels });
  const header = {
    labels: { input: { first: 0, names: ["a", "b", "c"] } },
    tensors: [
      { kind: "mask", rows: side(1, "input"), columns: side(3, "input"), heads: null, gradient: false, hidden: 0 },
      { kind: "signed", rows: side(1, "input"), columns: side(2, "none"), heads: null, gradient: true, hidden: 1 },
    ],
  };
  const text = new TextEncoder().encode(JSON.stringify(header).padEnd(Math.ceil(JSON.stringify(header).length / 4) * 4));
  const floats = new Uint8Array(Float32Array.of(1.5, -2, 0.25, 8).buffer);
  const size = new Uint8Array(Uint32Array.of(text.length).buffer);
  const [mask, signed] = decode(Uint8Array.from([...size, ...text, 1, 0, 1, 0, ...floats, 0, 1, 0, 0])).tensors;
  assert.deepEqual([...mask.values], [1, 0, 1]);
  assert.deepEqual([[...signed.values], [...(signed.slopes ?? [])], [...(signed.causes ?? [])]], [[1.5, -2], [0.25, 8], [0, 1]]);
  assert.deepEqual([signed.rows.names?.names, signed.columns.names, signed.index, signed.cells], [["a", "b", "c"], null, 1, 2]);
});

test("numbers fit their cells, and what is read aloud is exact", () => {
  assert.deepEqual([0, 0.123456, 9.999, 99.96, 12345, 0.001, -3.14159].map((value) => short({}, value)),
    ["0", "0.12", "10.0", "100", "1e+4", "1e-3", "-3.14"]);
  assert.deepEqual([0, 0.5, -Infinity, 1e-4, 123456].map(decimal), ["0", "0.5000", "-∞", "1.0000e-4", "1.2346e+5"]);
  const side = { first: 2, count: 2, size: 4, axis: "T", labels: "", names: { first: 0, names: ["a", "b", " ", "\n"] } };
  const grid: any = { kind: "probability", whole: false, values: Float32Array.of(0.5, -Infinity), hidden: Uint8Array.of(0, 3), row: side, column: side };
  assert.deepEqual([exact(grid, 0), exact(grid, 1)], ["0.5000", "-∞ (masked: causal mask and padding)"]);
  assert.deepEqual([label(side, 0), label(side, 1), position("row", side, 1)], ["␣", "↵", "row “↵” (T 4)"]);
  assert.equal(position("row", { ...side, names: null, axis: "V" }, 0), "V 2", "token ids count from 0");
  assert.deepEqual([range("heads", { first: 4, count: 4, size: 16 }, 1), range("heads", { first: 0, count: 4, size: 4 }, 1)], ["heads 5–8 of 16", ""]);
  assert.deepEqual([0, 1, 0.5, 0.9996, 1 - 1e-9, 1e-9, null].map(percent), ["0 %", "100 %", "50 %", "99.96 %", "almost 100 %", "almost 0 %", "not measured"].map((text) => text));
});
