// Thumbnails of tensors, one pixel per cell.

import { css, shade } from "../parts/heatmaps/colours.ts";
import { element, penOf } from "../parts/words.ts";
import type { Tensor } from "../parts/heatmaps/message.ts";
import type { Theme } from "../parts/heatmaps/colours.ts";

const LONG = 180; // pixels of a picture's longer side
const CELL = 10; // pixels of a cell at most

/** Colours of the cells of one matrix of a tensor; the scale ends at `most`, or else at its largest value. */
export function colours(tensor: Tensor, theme: Theme, head = 0, most = 0) {
  const { rows: { count: rows }, columns: { count: columns }, values, kind } = tensor;
  const largest = Array.from(values).reduce((most, value) => (Number.isFinite(value) ? Math.max(most, Math.abs(value)) : most), 0);
  const scale = { kind: kind === "tokens" ? "signed" : kind, coloured: true, most: most || largest || 1 };
  const cells = Array.from(values.slice(head * rows * columns, (head + 1) * rows * columns));
  return cells.map((value) => css(shade(scale, value, theme)));
}

export function picture(tensor: Tensor, theme: Theme, { head = 0, long = LONG, most = 0 } = {}) {
  const { rows: { count: rows }, columns: { count: columns } } = tensor;
  const canvas = element("canvas", "picture");
  canvas.width = columns;
  canvas.height = rows;
  const cell = Math.min(CELL, long / Math.max(rows, columns));
  canvas.style.width = `${columns * cell}px`;
  canvas.style.height = `${Math.max(3, rows * cell)}px`;
  const pen = penOf(canvas);
  colours(tensor, theme, head, most).forEach((colour, at) => {
    pen.fillStyle = colour;
    pen.fillRect(at % columns, Math.floor(at / columns), 1, 1);
  });
  canvas.setAttribute("aria-hidden", "true");
  return canvas;
}
