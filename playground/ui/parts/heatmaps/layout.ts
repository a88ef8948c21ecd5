// Layout of tensors: the largest cells with which everything is visible.

import { EASY_CELL, MIN_CELL, TITLE, boxOf, draw, measure, place } from "./tile.ts";
import type { Theme } from "./colours.ts";
import type { Group } from "./group.ts";
import type { Side } from "./message.ts";
import type { Box, Room, Tile } from "./tile.ts";

// Tiles with cells smaller than EASY_CELL wrap onto more lines instead.
const MAX_CELL = 44;
// On a slide, where a group has the room to itself.
const MAX_SLIDE_CELL = 90;
// The available heights are tried first, if cells stay at least this large.
const COMFORTABLE_CELL = 14;
// To reduce the height, cells may shrink by this factor; cells above this size are not easier to point at.
const NEARLY = 0.75;
const LARGE_CELL = 28;
const HEIGHTS = [600, 800];
const PHONE_HEIGHTS = [800, 1200];
const PHONE_WIDTH = 600;
// A tile higher than all of these scrolls inside.
const SCROLL_HEIGHT = 560;
// One that is wider than its room scrolls both ways, and its box is a part of the window.
const PANNED = 0.6;
// Pixels that a head has at least, where its rows are too long to be seen as a whole.
const PANNED_HEAD = 160;

const GAP_COLUMNS = 32; // between groups beside each other, as in maps.css
const GAP_HEADS = 16; // half of it between rows, as in tile.css
const GAP_X = 20;
const GAP_Y = 12;
const ARROW = 36; // at the scale of a slide
const arrowRoom = () => ARROW * (presentScale() || 1);

type Areas = Record<"sides" | "arrow" | "inputs" | "outputs", HTMLElement>;
/** Cells of a size, and widths of the areas: inputs left of the outputs (`beside`) or above them. */
type Found = { cell: number, beside: boolean, inputs: number, outputs: number, height: number, ease: number };
/** Space for heads, and pixels of a cell at most. */
type Space = { width: number, height?: number, most: number, across?: number };
/** A box among others; `starts` a new line. */
type Flowing = { width: number, height: number, starts?: boolean };

// Draws one group as large as fits into the given space; if even the smallest cells don't fit, it scrolls.
export function fit(group: Group, width: number, height: number, theme: Theme) {
  for (const tile of group.tiles) measure(tile, theme);
  let cell = MAX_CELL;
  while (cell > MIN_CELL && flow(boxes(group, cell, width), width).height + group.head.offsetHeight > height) cell--;
  for (const tile of group.tiles) {
    place(tile, boxOf(tile, cell, width), width, 0);
    draw(tile, theme);
  }
}

/** Draws groups as large as all of them fit into a slide, in as many columns as make the cells largest. */
export function fitSlide(groups: Group[], width: number, height: number, theme: Theme) {
  for (const tile of groups.flatMap(({ tiles }) => tiles)) measure(tile, theme);
  let best = { cell: 0, room: width };
  for (let across = 1; across <= groups.length; across++) {
    const room = Math.floor((width - (across - 1) * GAP_COLUMNS) / across);
    const lines = Math.ceil(groups.length / across);
    const high = (height - (lines - 1) * GAP_HEADS) / lines;
    const fits = ({ tiles, head, node }: Group, cell: number) => {
      if (tiles.some((tile) => boxOf(tile, cell, room).ease < cell)) return false;
      const foot = Math.max(0, ...[...node.querySelectorAll<HTMLElement>(".foot")].map((each) => each.offsetHeight));
      return flow(tiles.map((tile) => heightened(boxOf(tile, cell, room), foot)), room).height + head.offsetHeight <= high;
    };
    let cell = Math.round(MAX_SLIDE_CELL * theme.scale);
    while (cell > best.cell && !groups.every((group) => fits(group, cell))) cell--;
    if (cell > best.cell) best = { cell, room };
  }
  const { cell, room } = best.cell < EASY_CELL * theme.scale ? { cell: COMFORTABLE_CELL * theme.scale, room: width } : best;
  for (const { node, tiles } of groups) {
    node.style.width = `${room}px`;
    for (const tile of tiles) {
      place(tile, boxOf(tile, cell, room), room, 0);
      draw(tile, theme);
    }
  }
}

function heightened({ tileWidth, tileHeight }: Box, by: number) {
  return { width: tileWidth, height: tileHeight + by };
}

// Draws the heads of one group beside each other, at most `across` in a row, with the largest cells, up to `most`, with
// which that many fit into a row (with `height`: with which all rows fit into it). Heads with tokens that don't fit scroll,
// each in its own box. While sizes stay, nothing is placed.
export function fitHeads(group: Group, theme: Theme, { width, height, most, across = Infinity }: Space) {
  const { tiles } = group;
  for (const tile of tiles) measure(tile, theme);
  const count = (tileWidth: number) => Math.min(across, tiles.length, Math.max(1, Math.floor((width + GAP_HEADS) / (tileWidth + GAP_HEADS))));
  let cell = most;
  let inRow = 1;
  let room = width; // of a head; with the next one, the size of its box if it scrolls
  let scrolls = 0;
  for (; tiles.length; cell--) {
    const { tileWidth, tileHeight } = boxOf(tiles[0], cell, width);
    inRow = count(tileWidth);
    const high = Math.ceil(tiles.length / inRow) * (tileHeight + GAP_HEADS / 2) - GAP_HEADS / 2;
    if (height !== undefined ? high <= height : inRow === Math.min(across, tiles.length)) break;
    if (cell > MIN_CELL) continue;
    if (height === undefined || !tiles[0].grid.column.names) break;
    inRow = count(PANNED_HEAD * theme.scale);
    room = Math.floor((width - (inRow - 1) * GAP_HEADS) / inRow);
    const lines = Math.ceil(tiles.length / inRow);
    scrolls = Math.max(PANNED_HEAD * theme.scale, (height - (lines - 1) * GAP_HEADS / 2) / lines) - tiles[0].line - TITLE;
    cell = COMFORTABLE_CELL * theme.scale;
    break;
  }
  const boxes = tiles.map((tile) => boxOf(tile, cell, room));
  const placed = JSON.stringify([room, inRow, scrolls, boxes]);
  group.node.classList.add("heads-alone");
  group.flow.style.setProperty("--across", String(inRow));
  tiles.forEach((tile, at) => {
    if (placed !== group.placed) place(tile, boxes[at], room, boxes[at].height > scrolls ? scrolls : 0);
    draw(tile, theme);
  });
  group.placed = placed;
}

// Sets the size of every tile and draws it. `rooms` are available heights, best first. While `held`, tiles keep space for
// the largest tensor they have shown, so that a shrinking one moves nothing. `most` are sizes, by the letter of an axis,
// for which there is space from the start.
export function layOut(
  { sides, arrow, inputs, outputs }: Areas, given: Group[], result: Group, width: number, rooms: number[], held: boolean,
  most: Record<string, number>, theme: Theme,
) {
  for (const group of [...given, result]) {
    for (const tile of group.tiles) {
      measure(tile, theme);
      keepRoom(tile, (held && tile.room) || {}, most); // a tile may be new
    }
    // Measured alone: tiles still have their previous size.
    group.head.style.width = group.node.style.width = "max-content";
    group.least = group.head.offsetWidth;
    group.heading = group.head.offsetHeight;
    group.head.style.width = "";
  }
  const found = arrange(given, [result], width, rooms);
  sides.classList.toggle("beside", found.beside);
  arrow.style.flexBasis = arrow.style.height = `${arrowRoom()}px`;
  for (const [area, groups, room] of [[inputs, given, found.inputs], [outputs, [result], found.outputs]] as const) {
    area.style.width = `${room}px`;
    for (const group of groups) {
      group.node.style.width = `${groupWidth(group, found.cell, room)}px`;
      for (const tile of group.tiles) {
        const box = boxOf(tile, found.cell, room);
        place(tile, box, room, scrollHeight(box));
        draw(tile, theme);
      }
    }
  }
}

// Rows and columns for which a tile keeps space, and the widths of their labels.
function keepRoom(tile: Tile, before: Partial<Room>, most: Record<string, number>) {
  const { row, column, rows, columns } = tile.grid;
  const width = (now: number, side: Side, kept: number | undefined) => Math.max(now, kept ?? 0, most[side.axis] ? tile.specialWidth : 0);
  tile.rowTickWidth = width(tile.rowTickWidth, row, before.rowTickWidth);
  tile.columnTickWidth = width(tile.columnTickWidth, column, before.columnTickWidth);
  tile.room = {
    rows: Math.max(rows, before.rows ?? 0, most[row.axis] ?? 0),
    columns: Math.max(columns, before.columns ?? 0, most[column.axis] ?? 0),
    rowTickWidth: tile.rowTickWidth,
    columnTickWidth: tile.columnTickWidth,
  };
}

function arrange(inputs: Group[], outputs: Group[], width: number, rooms: number[]) {
  const scale = presentScale();
  const most = scale || 1;
  const phone = width < PHONE_WIDTH;
  // A phone scrolls anyway: gradients below the values don't make either of them smaller.
  const kinds = phone && [...inputs, ...outputs].some(({ broken }) => broken > 0) ? 2 : 1;
  const heights = (phone ? PHONE_HEIGHTS : HEIGHTS).map((height) => height * most * kinds);
  const tries: [height: number, cell: number][] = heights.map((height) => [height, EASY_CELL]);
  if (!phone) tries.unshift(...rooms.map((height): [number, number] => [height, EASY_CELL]));
  const found: (Found | null)[] = [];
  for (let cell = Math.round(MAX_CELL * most); cell >= EASY_CELL; cell--) {
    found.push(stacked(inputs, outputs, width, cell), beside(inputs, outputs, width, cell));
  }
  const best = (limit: number, least: number) => found.filter((each) => each !== null).filter((each) => each.height <= limit && each.cell >= least)
    .sort((one, other) => other.ease - one.ease || one.height - other.height)[0];
  const enough = (each: Found) => Math.min(COMFORTABLE_CELL, each.ease);
  const largest = best(Infinity, EASY_CELL);
  const good = tries.map((each) => best(...each)).find((each) => each && enough(each) >= NEARLY * enough(largest));
  return good ?? best(heights[1], EASY_CELL) ?? stacked(inputs, outputs, width, EASY_CELL);

  function stacked(above: Group[], below: Group[], room: number, cell: number) {
    const height = areaSize(above, cell, room).height + areaSize(below, cell, room).height + (above.length ? arrowRoom() : 0);
    return { cell, beside: false, inputs: room, outputs: room, height, ease: ease(cell, [above, room], [below, room]) };
  }

  function beside(left: Group[], right: Group[], room: number, cell: number) {
    if (!left.length || room < PHONE_WIDTH) return null;
    const own = areaSize(left, cell, 0.45 * room).width;
    const rest = room - own - arrowRoom();
    const height = Math.max(areaSize(left, cell, own).height, areaSize(right, cell, rest).height);
    return right.every((group) => groupSize(group, cell, rest).width <= rest)
      ? { cell, beside: true, inputs: own, outputs: rest, height, ease: ease(cell, [left, own], [right, rest]) } : null;
  }

  // Average cell width over all tensors in this space, as a measure of how easy cells are to point at.
  function ease(cell: number, ...areas: [groups: Group[], room: number][]) {
    const widths = areas.flatMap(([groups, room]) =>
      groups.map((group) => Math.min(LARGE_CELL * most, boxOf(group.tiles[0], cell, room).ease)));
    return widths.reduce((sum, each) => sum + each, 0) / widths.length;
  }

  function areaSize(groups: Group[], cell: number, room: number) {
    return flow(groups.map((group) => groupSize(group, cell, room)), room);
  }

  // With scrolling inside, no tile is ever higher than that.
  function groupSize(group: Group, cell: number, room: number) {
    const inner = flow(boxes(group, cell, room), room);
    return { width: Math.max(inner.width, Math.min(room, group.least)), height: inner.height + group.heading };
  }
}

// Scale factor of the presenter view; 0 outside it.
function presentScale() {
  return Number(document.documentElement.style.getPropertyValue("--present-scale"));
}

// Width of a group: as narrow as possible without an extra line, so 4 + 4 tiles rather than 5 + 3.
function groupWidth(group: Group, cell: number, room: number) {
  const all = boxes(group, cell, room);
  const { width, height } = flow(all, room);
  const least = Math.max(...all.map((box) => box.width));
  let narrow = width;
  while (narrow - GAP_X >= least && flow(all, narrow - GAP_X).height === height) narrow -= GAP_X;
  return Math.min(room, Math.max(narrow, group.least));
}

function scrollHeight(box: { height: number, pans: boolean }) {
  const panned = Math.min(SCROLL_HEIGHT, Math.round(PANNED * innerHeight));
  if (box.pans) return box.height > panned ? panned : 0;
  return box.height > Math.max(...PHONE_HEIGHTS) || box.height > SCROLL_HEIGHT + 240 ? SCROLL_HEIGHT : 0;
}

function boxes(group: Group, cell: number, room: number) {
  return group.tiles.map((tile, at) => {
    const box = boxOf(tile, cell, room);
    const over = scrollHeight(box) ? box.height - scrollHeight(box) : 0;
    return { width: box.tileWidth, height: box.tileHeight - over, starts: group.broken > 0 && at === group.broken };
  });
}

// Total size of boxes, wrapped as by the style sheet.
function flow(all: Flowing[], room: number) {
  let [x, line, width, height] = [0, 0, 0, 0];
  for (const box of all) {
    if (x && (box.starts || x + box.width > room)) {
      height += line + GAP_Y;
      x = line = 0;
    }
    x += box.width;
    width = Math.max(width, x);
    line = Math.max(line, box.height);
    x += GAP_X;
  }
  return { width, height: height + line };
}
