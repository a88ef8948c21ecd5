// Thumbnails of tensors, one pixel per cell.

import { drawn, imageOf } from "../parts/heatmaps/colours.ts";
import { element } from "../parts/words.ts";
import type { Tensor } from "../parts/heatmaps/message.ts";
import type { Theme } from "../parts/heatmaps/colours.ts";

const LONG = 180; // pixels of a picture's longer side
const CELL = 10; // pixels of a cell at most

/** One matrix of a tensor; its scale ends at `most`, or else at the tensor's largest value. Without a label it is hidden from screen readers. */
export function picture(tensor: Tensor, theme: Theme, { head = 0, long = LONG, most = 0, label = "" } = {}) {
  const { rows: { count: rows }, columns: { count: columns }, cells, values, kind } = tensor;
  const largest = Array.from(values).reduce((most, value) => (Number.isFinite(value) ? Math.max(most, Math.abs(value)) : most), 0);
  const scale = { kind: kind === "tokens" ? "signed" : kind, coloured: true, most: most || largest || 1 };
  const shown = values.subarray(head * cells, (head + 1) * cells);
  const canvas = drawn(element("canvas", "picture"), imageOf({ ...scale, rows, columns, values: shown }, theme));
  const cell = Math.min(CELL, long / Math.max(rows, columns));
  canvas.style.width = `${columns * cell}px`;
  canvas.style.height = `${Math.max(3, rows * cell)}px`;
  return Object.assign(canvas, label ? { role: "img", ariaLabel: label } : { ariaHidden: "true" });
}
