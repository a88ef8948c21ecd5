// One heatmap: a matrix on a canvas, with names along its sides. Sizes are CSS pixels.

import { CAUSAL, PADDING, WINDOW, causeOf, drawn, hatch, imageOf, readableOn } from "./colours.ts";
import { clip, element, label, penOf, short, size, write } from "../words.ts";
import type { Theme } from "./colours.ts";
import type { Grid, Matrix, Side } from "./message.ts";

export const MIN_CELL = 4;
/** A smaller cell is hard to point at. */
export const EASY_CELL = 8;
/** Pixels by which a title is higher than its line. */
export const TITLE = 4;
const ROW_HEIGHT = 12;
// Up to this many rows, each one has its label, in a smaller font if needed (not below LEAST_FONT pixels). If every second
// label were missing, the tokens would look like another input.
const LABELLED_ROWS = 17;
const LEAST_FONT = 8;
// Minimum cell size at which the value is written into the cell.
const TEXT_WIDTH = 34;
const TEXT_HEIGHT = 16;
const STRIP_CELL = { width: 46, height: 20 };
const MAX_LABEL = 72;
const SPECIALS = ["PAD", "BOS", "EOS", "SEP"];

/** Rows and columns by which an arrow key moves. */
const MOVES: Record<string, [rows: number, columns: number]> = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };

/** The cell that an arrow key leads to; null for another key. Without a cell to start `from` it is the first one. */
export function stepped(event: KeyboardEvent, { rows, columns }: { rows: number, columns: number }, from: Place | null): Place | null {
  const by = MOVES[event.key];
  if (!by || event.ctrlKey || event.altKey || event.metaKey) return null;
  const within = (value: number, count: number) => Math.max(0, Math.min(count - 1, value));
  return from ? { row: within(from.row + by[0], rows), column: within(from.column + by[1], columns) } : { row: 0, column: 0 };
}

type Pen = CanvasRenderingContext2D;
type Place = { row: number, column: number };
/** Marked cells: rows and columns from a first one up to an end. */
export type Region = { name: string, rows: number[], columns: number[], text?: string };
export type Box = ReturnType<typeof boxOf>;
/** Size of the largest matrix for which a tile keeps space. */
export type Room = { rows: number, columns: number, rowTickWidth?: number, columnTickWidth?: number };
/** `grid` is what it shows; `measure`, `place` and `paintCells` set all that follows. */
export type Tile<Shown extends Matrix = Grid> = {
  node: HTMLElement, title: HTMLElement, scroller: HTMLElement, space: HTMLElement, layer: HTMLElement,
  canvas: HTMLCanvasElement, marks: HTMLElement, lit: Region[], cells: HTMLCanvasElement, grid: Shown, room?: Room,
  rowTicks: string[], columnTicks: string[], cellTexts: string[] | null, textWidth: number, rowTickWidth: number,
  columnTickWidth: number, specialWidth: number, axes: string, least: number, line: number,
  box: Box, theme: Theme, viewport: { width: number, height: number }, made: MadeCells | null, image: ImageData,
};
type AnyTile = Tile<Matrix>;
/** Whether a cell is drawn already. */
type MadeCells = (row: number, column: number) => boolean;

export function newTile<Shown extends Matrix = Grid>(area: Element) {
  const title = element("div", "title cut");
  const canvas = element("canvas");
  const marks = element("div", "marks");
  const layer = element("div", "layer", canvas, marks);
  const space = element("div", "space", layer);
  const scroller = element("div", "scroller", space);
  // The tile is the only tab stop; arrow keys scroll it.
  scroller.tabIndex = -1;
  const node = element("div", "tile", title, scroller, { tabIndex: 0, role: "application", ariaRoleDescription: "heatmap" });
  area.append(node);
  const tile = { node, title, scroller, space, layer, canvas, marks, lit: [], cells: element("canvas") } as unknown as Tile<Shown>;
  // Labels stay where they are while cells scroll below them.
  scroller.addEventListener("scroll", () => {
    if (!tile.theme) return;
    draw(tile, tile.theme);
    mark(tile, tile.lit);
  }, { passive: true });
  return tile;
}

// ---- sizes

// Measures that don't depend on the cell size: widths of labels and texts.
export function measure(tile: AnyTile, theme: Theme) {
  const { grid } = tile;
  const pen = penOf(tile.canvas);
  const widest = (texts: string[], font: string) => {
    pen.font = font;
    return Math.ceil(texts.reduce((most, text) => Math.max(most, pen.measureText(text).width), 0));
  };
  const names = (side: Side, count: number) => Array.from({ length: count }, (_, at) => label(side, at));
  const inRow = grid.kind === "tokens" && grid.rows === 1;
  tile.rowTicks = names(grid.row, grid.rows);
  // If the cells show the names, the labels are numbers.
  tile.columnTicks = inRow ? names({ ...grid.column, names: null }, grid.columns) : names(grid.column, grid.columns);
  tile.cellTexts = grid.kind !== "tokens" ? null
    : inRow ? names(grid.column, grid.columns) : Array.from(grid.values, String);
  tile.textWidth = tile.cellTexts ? Math.min(120, widest(tile.cellTexts, theme.text) + 14) : 0;
  tile.rowTickWidth = Math.min(MAX_LABEL, widest(tile.rowTicks, theme.small));
  tile.columnTickWidth = Math.min(MAX_LABEL, widest(tile.columnTicks, theme.small));
  tile.specialWidth = widest(SPECIALS, theme.small);
  tile.axes = [grid.row.axis && `${grid.row.axis} ↓`, grid.column.axis && `${grid.column.axis} →`]
    .filter(Boolean).join("   ");
  tile.least = Math.max(widest([tile.axes], theme.small), Math.min(grid.strip ? 300 : 160, widest([grid.title], theme.bold) + 2));
  tile.line = theme.line;
}

// A tile with `room` for a larger tensor has that tensor's size; its box has the size of its own tensor. `pans`: it is wider
// than the width, and `ease` is the width of its cells if it were not.
export function boxOf(tile: AnyTile, cell: number, width: number) {
  const { grid, room = grid } = tile;
  const gutter = tile.rowTickWidth ? tile.rowTickWidth + 8 : 0;
  const fit = Math.floor((width - gutter - 2) / room.columns);
  let cellWidth = Math.max(MIN_CELL, Math.min(cell, fit));
  // Of a row too long to point at its tokens, as many are seen as have room for their labels, and the tile scrolls.
  const pans = Boolean(grid.column.names) && fit < EASY_CELL;
  const ease = cellWidth;
  if (pans) cellWidth = tile.line - 2;
  // Square cells, unless the width is too small: then the available height helps pointing and row labels.
  let cellHeight = Math.max(cellWidth, Math.min(cell, ROW_HEIGHT));
  if (grid.strip) {
    ({ width: cellWidth, height: cellHeight } = STRIP_CELL);
  } else if (grid.kind === "tokens") {
    cellWidth = Math.max(Math.min(cellWidth, 30), tile.textWidth);
    cellHeight = 30;
  } else if (room.rows === 1 && room.columns === 1) {
    cellWidth = 88;
    cellHeight = 36;
  } else {
    // A very thin vector would be hard to point at.
    if (room.rows <= 3) cellHeight = Math.max(cellHeight, 18);
    if (room.columns <= 3) cellWidth = Math.max(cellWidth, 18);
  }
  const upright = tile.columnTickWidth <= cellWidth - 2;
  // Labels wider than their column are rotated; if that doesn't fit either, some are left out.
  const turned = !upright && cellWidth >= tile.line - 3;
  const ticks = tile.columnTickWidth ? (turned ? tile.columnTickWidth + 5 : tile.line) : 0;
  const head = (tile.axes ? tile.line : 0) + ticks + 1;
  const title = grid.title ? tile.line + TITLE : 0;
  return {
    gutter, head, cellWidth, cellHeight, turned, pans, ease: pans ? ease : cellWidth,
    width: gutter + grid.columns * cellWidth + 2,
    height: head + grid.rows * cellHeight + 1,
    tileWidth: Math.min(width, Math.max(gutter + room.columns * cellWidth + 2, tile.least)),
    tileHeight: title + head + room.rows * cellHeight + 1,
  };
}

// Sets the box of the tile; its old content must not overflow the new size, or scroll bars would appear.
export function place(tile: AnyTile, box: Box, width: number, scrollHeight: number) {
  tile.box = box;
  tile.node.style.width = `${box.tileWidth}px`;
  tile.node.style.minHeight = scrollHeight ? "" : `${box.tileHeight}px`;
  size(tile.space, box.width, box.height);
  size(tile.layer, 0, 0);
  tile.scroller.style.maxHeight = scrollHeight ? `${scrollHeight}px` : "";
  // A vertical scroll bar reduces the width of the cells, unless there is more space.
  const bar = tile.scroller.offsetWidth - tile.scroller.clientWidth;
  if (bar) tile.node.style.width = `${Math.min(width, box.tileWidth + bar)}px`;
  tile.viewport = {
    width: Math.min(box.width, tile.scroller.clientWidth),
    height: Math.min(box.height, tile.scroller.clientHeight),
  };
  size(tile.layer, tile.viewport.width, tile.viewport.height);
  tile.marks.style.left = `${box.gutter}px`;
  tile.marks.style.top = `${box.head}px`;
  size(tile.marks, Math.max(0, tile.viewport.width - box.gutter), Math.max(0, tile.viewport.height - box.head));
}

// The cell at a point of the window, or null.
export function cellAt(tile: AnyTile, clientX: number, clientY: number) {
  const { grid, box, scroller, layer } = tile;
  const corner = layer.getBoundingClientRect();
  if (clientX > corner.right || clientY > corner.bottom) return null; // beyond what a scrolled tile shows
  const x = clientX - corner.left - box.gutter;
  const y = clientY - corner.top - box.head;
  const column = Math.floor((x + scroller.scrollLeft) / box.cellWidth);
  const row = Math.floor((y + scroller.scrollTop) / box.cellHeight);
  return x >= 0 && y >= 0 && row < grid.rows && column < grid.columns ? { row, column } : null;
}

// Scrolls the minimum distance to show the cell.
export function reveal(tile: AnyTile, row: number, column: number) {
  const { box, viewport, scroller } = tile;
  const near = (now: number, start: number, length: number, room: number) => Math.max(Math.min(now, start), start + length - room);
  const { cellWidth, cellHeight } = box;
  scroller.scrollLeft = near(scroller.scrollLeft, column * cellWidth, cellWidth, viewport.width - box.gutter);
  scroller.scrollTop = near(scroller.scrollTop, row * cellHeight, cellHeight, viewport.height - box.head);
}

// Marks regions of cells, each { name, rows: [first, end], columns: [first, end], text }; `veil` dims all around the first.
export function mark(tile: AnyTile, regions: Region[]) {
  tile.lit = regions;
  while (tile.marks.children.length < regions.length) tile.marks.append(element("div"));
  while (tile.marks.children.length > regions.length) tile.marks.lastChild?.remove();
  const { box, scroller } = tile;
  regions.forEach(({ name, rows, columns, text = "" }, at: number) => {
    const node = tile.marks.children[at] as HTMLElement;
    node.className = `mark ${name}`;
    write(node, text);
    const left = columns[0] * box.cellWidth - scroller.scrollLeft;
    const top = rows[0] * box.cellHeight - scroller.scrollTop;
    node.style.transform = `translate(${left}px, ${top}px)`;
    size(node, (columns[1] - columns[0]) * box.cellWidth, (rows[1] - rows[0]) * box.cellHeight);
  });
}

// ---- drawing

// One pixel per cell; draw() scales it, so that resizing and scrolling are cheap. With `made`, cells for which it is
// false stay blank.
export function paintCells(tile: AnyTile, theme: Theme, made: MadeCells | null = null) {
  tile.made = made;
  tile.image = imageOf(tile.grid, theme, (index) => isMade(tile, index));
  drawn(tile.cells, tile.image);
}

function isMade({ made, grid }: AnyTile, index: number) {
  return !made || made(Math.floor(index / grid.columns), index % grid.columns);
}

export function draw(tile: AnyTile, theme: Theme) {
  tile.theme = theme;
  const { grid, box, viewport, canvas, scroller } = tile;
  const { gutter, head, cellWidth, cellHeight } = box;
  const sharp = devicePixelRatio;
  const wide = Math.round(viewport.width * sharp);
  const high = Math.round(viewport.height * sharp);
  if (canvas.width !== wide || canvas.height !== high) {
    canvas.width = wide;
    canvas.height = high;
    size(canvas, viewport.width, viewport.height);
  }
  const pen = penOf(canvas);
  pen.setTransform(sharp, 0, 0, sharp, 0, 0);
  pen.clearRect(0, 0, viewport.width, viewport.height);
  const left = gutter - scroller.scrollLeft;
  const top = head - scroller.scrollTop;
  const first = {
    row: Math.floor((head - top) / cellHeight),
    column: Math.floor((gutter - left) / cellWidth),
  };
  const end = {
    row: Math.min(grid.rows, Math.ceil((viewport.height - top) / cellHeight)),
    column: Math.min(grid.columns, Math.ceil((viewport.width - left) / cellWidth)),
  };

  pen.save();
  pen.beginPath();
  pen.rect(gutter, head, viewport.width - gutter, viewport.height - head);
  pen.clip();
  pen.imageSmoothingEnabled = false;
  pen.drawImage(tile.cells, left, top, grid.columns * cellWidth, grid.rows * cellHeight);
  drawCells(pen, tile, theme, left, top, first, end, sharp);

  // Lines between cells if they are large enough, and always a frame, since zero has the background colour.
  pen.beginPath();
  const line = (x: number, y: number, width: number, height: number) => pen.rect(Math.round(x), Math.round(y), width, height);
  const inner = Math.min(cellWidth, cellHeight) >= 10;
  for (let row = first.row; row <= end.row; row++) {
    if (inner || row === 0 || row === grid.rows) {
      line(left, top + row * cellHeight - (row ? 1 : 0), grid.columns * cellWidth, 1);
    }
  }
  for (let column = first.column; column <= end.column; column++) {
    if (inner || column === 0 || column === grid.columns) {
      line(left + column * cellWidth - (column ? 1 : 0), top, 1, grid.rows * cellHeight);
    }
  }
  pen.fillStyle = theme.lines;
  pen.fill();
  pen.restore();
  drawLabels(pen, tile, theme, left, top, first, end);
}

// Numbers in cells that are large enough, and hatches of hidden cells.
function drawCells(pen: Pen, tile: AnyTile, theme: Theme, left: number, top: number, first: Place, end: Place, sharp: number) {
  const { grid } = tile;
  const { cellWidth, cellHeight } = tile.box;
  const room = cellWidth >= TEXT_WIDTH * theme.scale && cellHeight >= TEXT_HEIGHT * theme.scale;
  const texts = tile.cellTexts || (grid.kind !== "mask" && room);
  const hatched: (Path2D | null)[] = Array(CAUSAL + PADDING + WINDOW + 1).fill(null); // by cause
  pen.font = theme.text;
  pen.textAlign = "center";
  pen.textBaseline = "middle";
  for (let row = first.row; row < end.row; row++) {
    for (let column = first.column; column < end.column; column++) {
      const index = row * grid.columns + column;
      if (tile.made && !isMade(tile, index)) continue;
      const x = left + column * cellWidth;
      const y = top + row * cellHeight;
      const cause = causeOf(grid, index);
      if (cause) (hatched[cause] ??= new Path2D()).rect(x, y, cellWidth, cellHeight);
      else if (texts) {
        const text = tile.cellTexts ? tile.cellTexts[index] : short(grid, grid.values[index]);
        pen.fillStyle = readableOn(tile.image.data.subarray(4 * index, 4 * index + 3));
        pen.fillText(clip(pen, text, cellWidth - 4), x + cellWidth / 2, y + cellHeight / 2 + 1);
      }
    }
  }
  for (const [cause, path] of hatched.entries()) {
    if (!path) continue;
    pen.fillStyle = hatch(pen, theme, cause, sharp);
    pen.fill(path);
  }
}

function stepFor(need: number, pitch: number) {
  const steps = [1, 2, 4, 5, 8, 10, 16, 20, 25, 32, 50, 64];
  return steps.find((step) => step * pitch >= need) ?? Math.ceil(need / pitch);
}

function drawLabels(pen: Pen, tile: AnyTile, theme: Theme, left: number, top: number, first: Place, end: Place) {
  const { box, viewport, grid } = tile;
  const { gutter, head, cellWidth, cellHeight } = box;
  pen.fillStyle = theme.labels;
  pen.font = theme.small;
  pen.textBaseline = "middle";
  pen.textAlign = "left";
  pen.fillText(tile.axes, 0, tile.line / 2);
  if (tile.rowTickWidth) {
    pen.textAlign = "right";
    const every = grid.rows <= LABELLED_ROWS && cellHeight >= LEAST_FONT;
    const step = every ? 1 : stepFor(tile.line - 2, cellHeight);
    const sized = (font: string) => every && cellHeight < tile.line - 2 ? font.replace(/[\d.]+px/, `${cellHeight}px`) : font;
    const shown = (row: number) => row % step === 0 || row === grid.marked;
    for (let row = first.row; row < end.row; row++) {
      const y = top + (row + 0.5) * cellHeight;
      if (!shown(row) || y < head) continue;
      // The label of the marked row stays free of its neighbours.
      if (!every && grid.marked !== null && row !== grid.marked && Math.abs(row - grid.marked) * cellHeight < tile.line - 2) continue;
      pen.font = sized(row === grid.marked ? theme.strong : theme.small);
      pen.fillStyle = row === grid.marked ? theme.ink : theme.labels;
      pen.fillText(clip(pen, tile.rowTicks[row], tile.rowTickWidth), gutter - 7, y + 0.5);
    }
    pen.font = theme.small;
    pen.fillStyle = theme.labels;
  }
  if (grid.marked !== null && grid.marked >= first.row && grid.marked < end.row && gutter) {
    const y = Math.max(head, top + grid.marked * cellHeight);
    pen.fillStyle = theme.accent;
    pen.fillRect(gutter - 5, y, 4, top + (grid.marked + 1) * cellHeight - y);
    pen.fillStyle = theme.labels;
  }
  if (!tile.columnTickWidth) return;
  const step = box.turned ? 1 : stepFor(tile.columnTickWidth + 2, cellWidth);
  for (let column = Math.ceil(first.column / step) * step; column < end.column; column += step) {
    const text = clip(pen, tile.columnTicks[column], tile.columnTickWidth);
    const half = pen.measureText(text).width / 2;
    const x = left + (column + 0.5) * cellWidth;
    if (x < gutter || (!box.turned && x + half > viewport.width + 2)) continue;
    if (2 * half > cellWidth - 2 && box.turned) {
      pen.save();
      pen.translate(x, head - 4);
      pen.rotate(-Math.PI / 2);
      pen.textAlign = "left";
      pen.fillText(text, 0, 0);
      pen.restore();
    } else {
      pen.textAlign = "center";
      pen.fillText(text, x, head - tile.line / 2);
    }
  }
}
