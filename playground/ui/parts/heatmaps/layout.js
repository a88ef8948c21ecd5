// How large cells are and what stands beside what: the largest cells with which everything is in sight.

import { MIN_CELL, boxOf, draw, measure, place } from "./tile.js";

const MAX_CELL = 44;
// Below this a cell is hard to point at, so tiles rather wrap on more lines.
const EASY_CELL = 8;
// On a slide the operation stands alone, see presenter.js.
const ABOVE_PRESENTED = 236;
const EXPRESSION_PRESENTED = 90;
// The rooms that the window offers are tried first, if they leave cells comfortable.
const COMFORTABLE_CELL = 14;
// To stay lower, cells may give away so much of the ease of pointing at them; larger ones than these are no easier.
const NEARLY = 0.75;
const LARGE_CELL = 28;
const HEIGHTS = [600, 800];
const PHONE_HEIGHTS = [800, 1200];
const PHONE_WIDTH = 600;
// A tile higher than all of these scrolls inside.
const SCROLL_HEIGHT = 560;

const GAP_X = 20;
const GAP_Y = 12;
const ARROW = 36;

// Draws one group as large as fits a given room; where even the smallest cells are too many, the room scrolls.
export function fit(group, width, height, theme) {
  for (const tile of group.tiles) measure(tile, theme);
  let cell = MAX_CELL;
  while (cell > MIN_CELL && flow(boxes(group, cell, width), width).height + group.head.offsetHeight > height) cell--;
  for (const tile of group.tiles) {
    place(tile, boxOf(tile, cell, width), width, 0);
    draw(tile, theme);
  }
}

// Gives every tile of the groups its size and draws it. `rooms` are the heights that the window offers, best first.
// While `held`, tiles keep room for the largest tensor they have shown: one that shrinks from step to step moves nothing.
// `most` are sizes, by the letter of an axis, for which there is room from the first.
export function layOut({ sides, arrow, inputs, outputs }, given, result, width, rooms, held, most, theme) {
  for (const group of [...given, result]) {
    for (const tile of group.tiles) {
      measure(tile, theme);
      keepRoom(tile, (held && tile.room) || {}, most); // a tile may be new
    }
    // Alone: tiles still have their size from before.
    group.head.style.width = group.node.style.width = "max-content";
    group.least = group.head.offsetWidth;
    group.heading = group.head.offsetHeight;
    group.head.style.width = "";
  }
  const found = arrange(given, [result], width, rooms);
  sides.classList.toggle("beside", found.beside);
  arrow.style.flexBasis = arrow.style.height = `${ARROW}px`;
  for (const [area, groups, room] of [[inputs, given, found.inputs], [outputs, [result], found.outputs]]) {
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

// Rows and columns for which a tile keeps room, and the widths of their labels.
function keepRoom(tile, before, most) {
  const { row, column, rows, columns } = tile.grid;
  const width = (now, side, kept) => Math.max(now, kept ?? 0, most[side.axis] ? tile.specialWidth : 0);
  tile.rowTickWidth = width(tile.rowTickWidth, row, before.rowTickWidth);
  tile.columnTickWidth = width(tile.columnTickWidth, column, before.columnTickWidth);
  tile.room = {
    rows: Math.max(rows, before.rows ?? 0, most[row.axis] ?? 0),
    columns: Math.max(columns, before.columns ?? 0, most[column.axis] ?? 0),
    rowTickWidth: tile.rowTickWidth,
    columnTickWidth: tile.columnTickWidth,
  };
}

// `inputs` and `outputs` are groups: { tiles, least (width of its heading), heading (its height) }. Returns { cell,
// beside (inputs left of the outputs, or above them), inputs, outputs (widths of the two areas) }.
function arrange(inputs, outputs, width, rooms) {
  const scale = presentScale();
  const inSight = scale ? [innerHeight - (ABOVE_PRESENTED + EXPRESSION_PRESENTED) * scale] : rooms;
  const most = scale || 1;
  const heights = (width < PHONE_WIDTH ? PHONE_HEIGHTS : HEIGHTS).map((height) => height * most);
  const tries = heights.map((height) => [height, EASY_CELL]);
  if (scale) tries.unshift([innerHeight - ABOVE_PRESENTED * scale, COMFORTABLE_CELL]); // the expression waits below
  if (width >= PHONE_WIDTH) tries.unshift(...inSight.map((height) => [height, scale ? COMFORTABLE_CELL : EASY_CELL]));
  const found = [];
  for (let cell = Math.round(MAX_CELL * most); cell >= EASY_CELL; cell--) {
    found.push(stacked(inputs, outputs, width, cell), beside(inputs, outputs, width, cell));
  }
  const best = (limit, least) => found.filter((each) => each && each.height <= limit && each.cell >= least)
    .sort((one, other) => other.ease - one.ease || one.height - other.height)[0];
  const enough = (each) => Math.min(COMFORTABLE_CELL, each.ease);
  const largest = best(Infinity, EASY_CELL);
  const good = tries.map((each) => best(...each)).find((each) => each && enough(each) >= NEARLY * enough(largest));
  return good ?? best(heights.at(-1), EASY_CELL) ?? stacked(inputs, outputs, width, EASY_CELL);

  function stacked(above, below, room, cell) {
    const height = areaSize(above, cell, room).height + areaSize(below, cell, room).height + (above.length ? ARROW : 0);
    return { cell, beside: false, inputs: room, outputs: room, height, ease: ease(cell, [above, room], [below, room]) };
  }

  function beside(left, right, room, cell) {
    if (!left.length || room < PHONE_WIDTH) return null;
    const own = areaSize(left, cell, 0.45 * room).width;
    const rest = room - own - ARROW;
    const height = Math.max(areaSize(left, cell, own).height, areaSize(right, cell, rest).height);
    return right.every((group) => groupSize(group, cell, rest).width <= rest)
      ? { cell, beside: true, inputs: own, outputs: rest, height, ease: ease(cell, [left, own], [right, rest]) } : null;
  }

  // How easy cells are to point at: their width where the room there is makes them narrow, on average over all tensors.
  function ease(cell, ...areas) {
    const widths = areas.flatMap(([groups, room]) =>
      groups.map((group) => Math.min(LARGE_CELL * most, boxOf(group.tiles[0], cell, room).cellWidth)));
    return widths.reduce((sum, each) => sum + each, 0) / widths.length;
  }

  function areaSize(groups, cell, room) {
    return flow(groups.map((group) => groupSize(group, cell, room)), room);
  }

  // With scrolling inside, no tile is ever higher than that.
  function groupSize(group, cell, room) {
    const inner = flow(boxes(group, cell, room), room);
    return { width: Math.max(inner.width, Math.min(room, group.least)), height: inner.height + group.heading };
  }
}

// By how much the page is larger in the presenter view; 0 outside of it.
function presentScale() {
  return Number(document.documentElement.style.getPropertyValue("--present-scale"));
}

// The width that a group takes: as narrow as costs no extra line, four and four rather than five and three.
function groupWidth(group, cell, room) {
  const all = boxes(group, cell, room);
  const { width, height } = flow(all, room);
  const least = Math.max(...all.map((box) => box.width));
  let narrow = width;
  while (narrow - GAP_X >= least && flow(all, narrow - GAP_X).height === height) narrow -= GAP_X;
  return Math.min(room, Math.max(narrow, group.least));
}

function scrollHeight(box) {
  return box.height > Math.max(...PHONE_HEIGHTS) || box.height > SCROLL_HEIGHT + 240 ? SCROLL_HEIGHT : 0;
}

function boxes(group, cell, room) {
  return group.tiles.map((tile, at) => {
    const box = boxOf(tile, cell, room);
    const over = scrollHeight(box) ? box.height - SCROLL_HEIGHT : 0;
    return { width: box.tileWidth, height: box.tileHeight - over, starts: group.broken > 0 && at === group.broken };
  });
}

// The size that boxes take, wrapped as the style sheet wraps them.
function flow(all, room) {
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
