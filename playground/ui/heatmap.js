// Draws every grid of one heatmaps() call. Sizes are CSS pixels; a "tile" is one grid with its title.

const MIN_CELL = 4;
const MAX_CELL = 44;
// Below this a cell is hard to point at, so tiles rather wrap on more lines.
const EASY_CELL = 8;
const ROW_HEIGHT = 12;
// From these on the value is written into the cell.
const TEXT_WIDTH = 34;
const TEXT_HEIGHT = 16;
const GAP_X = 20;
const GAP_Y = 16;
// The component tries to stay this high, then this high; on a phone, which scrolls anyway, higher. Before that it tries
// a share of the window, so that on a projector all heads are in sight at once, if that leaves the cells comfortable.
const HEIGHTS = [600, 800];
const WINDOW_SHARE = 0.36;
const COMFORTABLE_CELL = 20;
const PHONE_HEIGHTS = [800, 1200];
const PHONE_WIDTH = 600;
// A single grid higher than all of these scrolls inside a tile of this height.
const SCROLL_HEIGHT = 560;
const MAX_LABEL = 72;
const SCROLL_BAR = 24;

// Each scale starts at the page's background; lightness moves one way only, so it survives grey print,
// a weak projector and every common colour blindness.
const LIGHT = {
  negative: ["#74abd9", "#0b4a8f"],
  positive: ["#f3a354", "#9c4100"],
  probability: ["#9b78d3", "#3d0f70"],
};
const DARK = {
  negative: ["#2c68a8", "#9bd0ff"],
  positive: ["#a85a10", "#ffc27d"],
  probability: ["#8558cc", "#e4d4ff"],
};

const sheet = new CSSStyleSheet();
await fetch(new URL("heatmap.css", import.meta.url)).then(async (answer) => sheet.replaceSync(await answer.text()));

const views = new WeakMap();

export default function ({ data, parentElement }) {
  const view = views.get(parentElement) ?? new View(parentElement);
  views.set(parentElement, view);
  const turn = ++view.turn;
  view.show(decode(data));
  // Streamlit runs the clean-up of an overtaken call late; it must not undo the newer one's work.
  return () => {
    if (view.turn !== turn) return;
    view.close();
    views.delete(parentElement);
  };
}

function decode(bytes) {
  // A copy, because the message gives no alignment.
  const buffer = bytes.slice().buffer;
  const size = new DataView(buffer).getUint32(0, true);
  const data = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 4, size)));
  let offset = 4 + size;
  for (const grid of data.grids) {
    grid.rows = grid.rowLabels.length;
    grid.columns = grid.columnLabels.length;
    grid.values = new Float32Array(buffer, offset, grid.rows * grid.columns);
    offset += grid.values.byteLength;
  }
  return data;
}

class View {
  turn = 0;
  tiles = [];
  active = null;

  constructor(parent) {
    this.host = parent.host ?? parent;
    parent.adoptedStyleSheets = [sheet];
    this.root = parent.querySelector(".heatmap");
    [this.area, this.readout, this.legend] = this.root.children;
    this.marks = ["row", "column", "cell"].map((name) => element("div", `mark ${name}`));
    this.closing = new AbortController();
    const signal = this.closing.signal;
    const on = (target, types, act, options) => {
      for (const type of types.split(" ")) target.addEventListener(type, act, { signal, ...options });
    };
    on(this.area, "pointermove pointerdown", (event) => this.point(event));
    // Whoever points at a cell means the arrow keys for it, too.
    on(this.area, "pointerdown", (event) => event.target.closest('[tabindex="0"]')?.focus({ preventScroll: true }));
    // A finger leaves as soon as it lifts; what it tapped stays until a tap elsewhere.
    on(this.area, "pointerleave", (event) => event.pointerType !== "touch" && this.choose(null));
    on(this.area, "focusout", () => this.choose(null));
    on(this.area, "keydown", (event) => this.press(event));
    on(this.area, "scroll", (event) => this.scrolled(event.target), { capture: true, passive: true });
    on(document, "keydown", (event) => event.key === "Escape" && this.choose(null));
    on(document, "pointerdown", (event) => event.composedPath().includes(this.area) || this.choose(null));
    this.observer = new ResizeObserver(() => this.room() !== this.width && this.layout());
    this.observer.observe(this.root);
    // Text measured before its font arrived has the wrong width.
    if (document.fonts.status !== "loaded") document.fonts.ready.then(() => signal.aborted || this.layout());
    this.watchSharpness();
  }

  close() {
    this.closing.abort();
    this.observer.disconnect();
  }

  // Moving to another screen, or zooming, changes how many dots make a pixel.
  watchSharpness() {
    const query = matchMedia(`(resolution: ${devicePixelRatio}dppx)`);
    const change = () => {
      this.layout();
      this.watchSharpness();
    };
    query.addEventListener("change", change, { once: true, signal: this.closing.signal });
  }

  show(data) {
    this.data = data;
    while (this.tiles.length < data.grids.length) this.tiles.push(newTile(this.area));
    while (this.tiles.length > data.grids.length) this.tiles.pop().node.remove();
    const titled = data.grids.some((grid) => grid.title);
    this.tiles.forEach((tile, index) => {
      tile.grid = data.grids[index];
      tile.title.textContent = tile.title.title = tile.grid.title;
      tile.title.hidden = !titled;
      tile.node.setAttribute("aria-label", summary(tile.grid));
    });
    this.root.classList.toggle("fixed", data.height !== null);
    this.root.style.height = data.height === null ? "" : `${data.height}px`;
    this.theme = readTheme(this.host);
    // Scalars alone have nothing to be compared with: a colour would say no more than their sign.
    data.coloured = data.grids.some((grid) => grid.kind === "signed" && grid.values.length > 1);
    for (const tile of this.tiles) paintCells(tile, this.theme, data);
    this.legend.replaceChildren(...legendItems(data, this.theme));
    this.layout();
  }

  // The width to fill. A page's scroll bar that comes and goes with our own height would have us flip between
  // two layouts for ever, so going back to a slightly larger width from before does not count.
  room() {
    const width = this.area.clientWidth;
    const back = width === this.before && width > this.width && width < this.width + SCROLL_BAR;
    return back ? this.width : width;
  }

  layout() {
    const width = this.room();
    if (width !== this.width) [this.before, this.width] = [this.width, width];
    // No width: on a hidden tab. The observer calls again as soon as there is one.
    if (!this.width) return;
    for (const tile of this.tiles) measure(tile, this.theme);
    const cell = this.cellSize();
    for (const tile of this.tiles) tile.box = boxOf(tile, cell, this.width);
    // As narrow as costs no extra line: four and four rather than five and three.
    const least = Math.max(...this.tiles.map((tile) => tile.box.tileWidth));
    const height = this.heightWith(cell);
    let narrow = this.width;
    while (narrow - GAP_X >= least && this.heightWith(cell, narrow - GAP_X) === height) narrow -= GAP_X;
    this.area.style.paddingRight = `${this.area.clientWidth - narrow}px`;
    for (const tile of this.tiles) {
      tile.node.style.width = `${tile.box.tileWidth}px`;
      size(tile.space, tile.box.width, tile.box.height);
      // What it showed before must not overflow the new size: that would call for scroll bars.
      size(tile.layer, 0, 0);
      tile.scroller.style.maxHeight = tile.box.height > this.heights().at(-1) ? `${SCROLL_HEIGHT}px` : "";
    }
    for (const tile of this.tiles) {
      // A scroll bar at the side takes its width from the cells, unless there is more to give.
      const bar = tile.scroller.offsetWidth - tile.scroller.clientWidth;
      if (bar) tile.node.style.width = `${Math.min(this.width, tile.box.tileWidth + bar)}px`;
      tile.view = {
        width: Math.min(tile.box.width, tile.scroller.clientWidth),
        height: Math.min(tile.box.height, tile.scroller.clientHeight),
      };
      size(tile.layer, tile.view.width, tile.view.height);
      draw(tile, this.theme);
    }
    const now = this.active;
    this.choose(now && this.tiles[now.index] ? now : null);
  }

  // One cell size for all tiles, so that they compare: the largest with which everything fits.
  cellSize() {
    const fixed = this.data.height !== null;
    const sight = WINDOW_SHARE * innerHeight;
    for (let cell = MAX_CELL; !fixed && cell >= COMFORTABLE_CELL; cell--) {
      if (this.heightWith(cell) <= sight) return cell;
    }
    for (const limit of fixed ? [this.area.clientHeight] : this.heights()) {
      for (let cell = MAX_CELL; cell >= (fixed ? MIN_CELL : EASY_CELL); cell--) {
        if (this.heightWith(cell) <= limit) return cell;
      }
    }
    return EASY_CELL;
  }

  heights() {
    return this.width < PHONE_WIDTH ? PHONE_HEIGHTS : HEIGHTS;
  }

  // The height that the flow of tiles takes, wrapped as the style sheet wraps it.
  heightWith(cell, width = this.width) {
    let x = 0;
    let line = 0;
    let total = 0;
    for (const tile of this.tiles) {
      const box = boxOf(tile, cell, this.width);
      if (x && x + box.tileWidth > width) {
        total += line + GAP_Y;
        x = line = 0;
      }
      x += box.tileWidth + GAP_X;
      line = Math.max(line, box.height + tile.title.offsetHeight);
    }
    return total + line;
  }

  scrolled(scroller) {
    const tile = this.tiles.find((one) => one.scroller === scroller);
    if (!tile) return;
    draw(tile, this.theme);
    this.choose(this.active);
  }

  point(event) {
    const index = this.tiles.findIndex((tile) => tile.layer.contains(event.target));
    if (index < 0) return this.choose(null);
    const { grid, box, scroller, layer } = this.tiles[index];
    const corner = layer.getBoundingClientRect();
    const x = event.clientX - corner.left - box.gutter;
    const y = event.clientY - corner.top - box.head;
    const column = Math.floor((x + scroller.scrollLeft) / box.cellWidth);
    const row = Math.floor((y + scroller.scrollTop) / box.cellHeight);
    const inside = x >= 0 && y >= 0 && row < grid.rows && column < grid.columns;
    const now = this.active;
    if (inside && now?.index === index && now.row === row && now.column === column) return;
    this.choose(inside ? { index, row, column } : null);
  }

  press(event) {
    const move = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] }[event.key];
    const index = this.tiles.findIndex((tile) => tile.node === event.target);
    if (!move || index < 0 || event.ctrlKey || event.altKey || event.metaKey) return;
    // The arrows belong to the focused grid, not to the page's scrolling or its shortcuts.
    event.preventDefault();
    event.stopPropagation();
    const { grid, box, view, scroller } = this.tiles[index];
    const from = this.active?.index === index ? this.active : { row: 0 - move[0], column: 0 - move[1] };
    const row = Math.min(Math.max(from.row + move[0], 0), grid.rows - 1);
    const column = Math.min(Math.max(from.column + move[1], 0), grid.columns - 1);
    const reveal = (now, start, length, room) => Math.max(Math.min(now, start), start + length - room);
    const { cellWidth, cellHeight } = box;
    scroller.scrollLeft = reveal(scroller.scrollLeft, column * cellWidth, cellWidth, view.width - box.gutter);
    scroller.scrollTop = reveal(scroller.scrollTop, row * cellHeight, cellHeight, view.height - box.head);
    this.choose({ index, row, column });
  }

  // Marks a cell and reads it out; null clears.
  choose(cell) {
    const tile = cell && this.tiles[cell.index];
    if (!tile || cell.row >= tile.grid.rows || cell.column >= tile.grid.columns) {
      this.active = null;
      for (const mark of this.marks) mark.remove();
      this.readout.replaceChildren();
      return;
    }
    this.active = cell;
    const { grid, box, view, scroller } = tile;
    const { row, column } = cell;
    const place = (mark, top, left, bottom, right) => {
      const x = Math.max(box.gutter, box.gutter + left * box.cellWidth - scroller.scrollLeft);
      const y = Math.max(box.head, box.head + top * box.cellHeight - scroller.scrollTop);
      const x2 = Math.min(view.width, box.gutter + right * box.cellWidth - scroller.scrollLeft);
      const y2 = Math.min(view.height, box.head + bottom * box.cellHeight - scroller.scrollTop);
      mark.style.transform = `translate(${x}px, ${y}px)`;
      size(mark, Math.max(0, x2 - x), Math.max(0, y2 - y));
    };
    place(this.marks[0], row, 0, row + 1, grid.columns);
    place(this.marks[1], 0, column, grid.rows, column + 1);
    place(this.marks[2], row, column, row + 1, column + 1);
    if (this.marks[0].parentNode !== tile.layer) tile.layer.append(...this.marks);
    const where = [
      grid.title,
      position("row", grid.rowLabels, grid.rowAxis, row),
      position("column", grid.columnLabels, grid.columnAxis, column),
    ].filter(Boolean).join(" · ");
    const value = exact(grid, grid.values[row * grid.columns + column]);
    this.readout.replaceChildren(
      element("span", "where", where),
      element("span", "value", where ? ` = ${value}` : value),
    );
  }
}

function newTile(area) {
  const node = element("div", "tile");
  node.tabIndex = 0;
  node.setAttribute("role", "img");
  const title = element("div", "title");
  const scroller = element("div", "scroller");
  // The tile is the one stop for the keyboard; its arrows scroll.
  scroller.tabIndex = -1;
  const space = element("div", "space");
  const layer = element("div", "layer");
  const canvas = element("canvas", "");
  layer.append(canvas);
  space.append(layer);
  scroller.append(space);
  node.append(title, scroller);
  area.append(node);
  return { node, title, scroller, space, layer, canvas, cells: element("canvas", "") };
}

// ---- sizes

// What does not depend on the cell size: widths of labels and texts.
function measure(tile, theme) {
  const { grid } = tile;
  const pen = tile.canvas.getContext("2d");
  const widest = (texts, font) => {
    pen.font = font;
    return Math.ceil(texts.reduce((most, text) => Math.max(most, pen.measureText(text).width), 0));
  };
  const inCells = tokenTexts(grid);
  // Where the cells show the labels themselves, the rim counts.
  tile.rowTicks = (inCells === grid.rowLabels ? indices(grid.rows) : grid.rowLabels).map(visible);
  tile.columnTicks = (inCells === grid.columnLabels ? indices(grid.columns) : grid.columnLabels).map(visible);
  tile.cellTexts = inCells && inCells.map(visible);
  tile.textWidth = inCells ? Math.min(120, widest(tile.cellTexts, theme.text) + 14) : 0;
  tile.rowTickWidth = Math.min(MAX_LABEL, widest(tile.rowTicks, theme.small));
  tile.columnTickWidth = Math.min(MAX_LABEL, widest(tile.columnTicks, theme.small));
  tile.axes = [grid.rowAxis && `${grid.rowAxis} ↓`, grid.columnAxis && `${grid.columnAxis} →`]
    .filter(Boolean).join("   ");
  const titleWidth = Math.min(240, widest([grid.title], theme.bold) + 1);
  tile.least = Math.max(widest([tile.axes], theme.small), titleWidth);
  tile.line = theme.line;
}

function boxOf(tile, cell, width) {
  const { grid } = tile;
  const gutter = tile.rowTickWidth ? tile.rowTickWidth + 6 : 0;
  const fit = Math.floor((width - gutter - 2) / grid.columns);
  let cellWidth = Math.max(MIN_CELL, Math.min(cell, fit));
  // Squares, unless the width forces them narrow: then what height there is helps pointing and row labels.
  let cellHeight = Math.max(cellWidth, Math.min(cell, ROW_HEIGHT));
  if (grid.kind === "tokens") {
    cellWidth = Math.max(Math.min(cellWidth, 30), tile.textWidth);
    cellHeight = 30;
  } else if (grid.rows === 1 && grid.columns === 1) {
    cellWidth = 88;
    cellHeight = 36;
  } else {
    // A vector as thin as a thread could not be pointed at.
    if (grid.rows <= 3) cellHeight = Math.max(cellHeight, 18);
    if (grid.columns <= 3) cellWidth = Math.max(cellWidth, 18);
  }
  const upright = tile.columnTickWidth <= cellWidth - 2;
  // Too wide for its column, a label is turned; where even that has no room, labels are thinned.
  const turned = !upright && cellWidth >= tile.line - 3;
  const ticks = tile.columnTickWidth ? (turned ? tile.columnTickWidth + 5 : tile.line) : 0;
  const head = (tile.axes ? tile.line : 0) + ticks + 1;
  const boxWidth = gutter + grid.columns * cellWidth + 2;
  return {
    gutter, head, cellWidth, cellHeight, turned,
    width: boxWidth,
    height: head + grid.rows * cellHeight + 1,
    tileWidth: Math.min(width, Math.max(boxWidth, tile.least)),
  };
}

function stepFor(need, pitch) {
  const steps = [1, 2, 4, 5, 8, 10, 16, 20, 25, 32, 50, 64];
  return steps.find((step) => step * pitch >= need) ?? Math.ceil(need / pitch);
}

// ---- drawing

// One dot per cell; draw() enlarges it, so that resizing and scrolling cost next to nothing.
function paintCells(tile, theme, data) {
  const { grid, cells } = tile;
  cells.width = grid.columns;
  cells.height = grid.rows;
  const image = new ImageData(grid.columns, grid.rows);
  grid.values.forEach((value, index) => {
    image.data.set(shade(grid.kind, value, theme, data), 4 * index);
    image.data[4 * index + 3] = 255;
  });
  cells.getContext("2d").putImageData(image, 0, 0);
  tile.image = image;
}

function shade(kind, value, theme, { scale, coloured }) {
  if (value === -Infinity) return theme.background;
  if (kind === "tokens") return theme.panel;
  if (kind === "mask") return value ? theme.allowed : theme.background;
  if (kind === "probability") return ramp(theme.probability, value);
  if (!coloured) return theme.panel;
  return value < 0 ? ramp(theme.negative, -value / scale) : ramp(theme.positive, value / scale);
}

// From the first of three colours at 0 to the last at 1.
function ramp(stops, amount) {
  const at = Math.min(Math.max(amount, 0), 1) * 2;
  const low = at < 1 ? 0 : 1;
  return mix(stops[low], stops[low + 1], at - low);
}

function draw(tile, theme) {
  const { grid, box, view, canvas, scroller } = tile;
  const { gutter, head, cellWidth, cellHeight } = box;
  const sharp = devicePixelRatio;
  const wide = Math.round(view.width * sharp);
  const high = Math.round(view.height * sharp);
  if (canvas.width !== wide || canvas.height !== high) {
    canvas.width = wide;
    canvas.height = high;
    size(canvas, view.width, view.height);
  }
  const pen = canvas.getContext("2d");
  pen.setTransform(sharp, 0, 0, sharp, 0, 0);
  pen.clearRect(0, 0, view.width, view.height);
  const left = gutter - scroller.scrollLeft;
  const top = head - scroller.scrollTop;
  const first = {
    row: Math.floor((head - top) / cellHeight),
    column: Math.floor((gutter - left) / cellWidth),
  };
  const end = {
    row: Math.min(grid.rows, Math.ceil((view.height - top) / cellHeight)),
    column: Math.min(grid.columns, Math.ceil((view.width - left) / cellWidth)),
  };

  pen.save();
  pen.beginPath();
  pen.rect(gutter, head, view.width - gutter, view.height - head);
  pen.clip();
  pen.imageSmoothingEnabled = false;
  pen.drawImage(tile.cells, left, top, grid.columns * cellWidth, grid.rows * cellHeight);
  const texts = tile.cellTexts || (cellWidth >= TEXT_WIDTH && cellHeight >= TEXT_HEIGHT);
  pen.font = theme.text;
  pen.textAlign = "center";
  pen.textBaseline = "middle";
  const hatched = new Path2D();
  for (let row = first.row; row < end.row; row++) {
    for (let column = first.column; column < end.column; column++) {
      const index = row * grid.columns + column;
      const value = grid.values[index];
      const x = left + column * cellWidth;
      const y = top + row * cellHeight;
      if (isHatched(grid, value)) hatched.rect(x, y, cellWidth, cellHeight);
      else if (texts && grid.kind !== "mask") {
        const text = tile.cellTexts ? tile.cellTexts[index] : short(grid, value);
        pen.fillStyle = readableOn(tile.image.data.subarray(4 * index, 4 * index + 3));
        pen.fillText(clip(pen, text, cellWidth - 4), x + cellWidth / 2, y + cellHeight / 2 + 1);
      }
    }
  }
  pen.fillStyle = hatchPattern(pen, theme, sharp);
  pen.fill(hatched);

  // Lines between cells where there is room for them, and always a frame: zero has the page's own colour.
  pen.beginPath();
  const line = (x, y, width, height) => pen.rect(Math.round(x), Math.round(y), width, height);
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

function drawLabels(pen, tile, theme, left, top, first, end) {
  const { box, view } = tile;
  const { gutter, head, cellWidth, cellHeight } = box;
  pen.fillStyle = theme.labels;
  pen.font = theme.small;
  pen.textBaseline = "middle";
  pen.textAlign = "left";
  pen.fillText(tile.axes, 0, tile.line / 2);
  if (tile.rowTickWidth) {
    pen.textAlign = "right";
    const step = stepFor(tile.line - 2, cellHeight);
    for (let row = Math.ceil(first.row / step) * step; row < end.row; row += step) {
      const y = top + (row + 0.5) * cellHeight;
      if (y >= head) pen.fillText(clip(pen, tile.rowTicks[row], tile.rowTickWidth), gutter - 5, y + 0.5);
    }
  }
  if (tile.columnTickWidth) {
    const step = box.turned ? 1 : stepFor(tile.columnTickWidth + 2, cellWidth);
    for (let column = Math.ceil(first.column / step) * step; column < end.column; column += step) {
      const text = clip(pen, tile.columnTicks[column], tile.columnTickWidth);
      const half = pen.measureText(text).width / 2;
      const x = left + (column + 0.5) * cellWidth;
      if (x < gutter || (!box.turned && x + half > view.width + 2)) continue;
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
}

function isHatched(grid, value) {
  return value === -Infinity || (grid.kind === "mask" && !value);
}

function hatchPattern(pen, theme, sharp) {
  const side = Math.round(6 * sharp);
  const canvas = element("canvas", "");
  canvas.width = canvas.height = side;
  const ink = canvas.getContext("2d");
  ink.strokeStyle = theme.hatch;
  ink.lineWidth = sharp;
  ink.beginPath();
  for (const shift of [-side, 0, side]) {
    ink.moveTo(shift, side);
    ink.lineTo(shift + side, 0);
  }
  ink.stroke();
  const pattern = pen.createPattern(canvas, "repeat");
  pattern.setTransform(new DOMMatrix().scale(1 / sharp));
  return pattern;
}

// ---- legend

function legendItems(data, theme) {
  const kinds = new Set(data.grids.map((grid) => grid.kind));
  const items = [];
  const bar = (caption, colours, numbers) => {
    const item = element("div", "item");
    const scale = element("div", "");
    const strip = element("div", "bar");
    strip.style.background = `linear-gradient(to right, ${colours.map(css).join(", ")})`;
    const ticks = element("div", "ticks");
    ticks.append(...numbers.map((number) => element("span", "", number)));
    scale.append(strip, ticks);
    item.append(scale, element("span", "", caption));
    items.push(item);
  };
  const swatch = (caption, background) => {
    const item = element("div", "item");
    const patch = element("div", "swatch");
    patch.style.background = background;
    item.append(patch, element("span", "", caption));
    items.push(item);
    return item;
  };
  const hatch = `repeating-linear-gradient(135deg, ${theme.hatch} 0 1px, transparent 1px 4px)`;
  if (data.coloured) {
    const most = short({}, data.scale);
    bar("value", [...theme.negative.slice(1).reverse(), ...theme.positive], [`-${most}`, "0", most]);
  }
  if (kinds.has("probability")) bar("probability", theme.probability, ["0", "0.5", "1"]);
  if (kinds.has("mask")) {
    swatch("allowed", css(theme.allowed));
    swatch("blocked", hatch);
  }
  if (data.coloured || kinds.has("probability")) {
    // Keeps its place while unused: the height must not depend on the values.
    const masked = data.grids.some((grid) => grid.values.includes(-Infinity));
    swatch("masked (-∞)", hatch).style.visibility = masked ? "" : "hidden";
  }
  return items;
}

// ---- colours

function readTheme(host) {
  const style = getComputedStyle(host);
  const probe = element("canvas", "");
  probe.width = probe.height = 1;
  const ink = probe.getContext("2d", { willReadFrequently: true });
  // Painting a dot understands every notation a theme may use.
  const colour = (name) => {
    ink.clearRect(0, 0, 1, 1);
    ink.fillStyle = style.getPropertyValue(name).trim();
    ink.fillRect(0, 0, 1, 1);
    return [...ink.getImageData(0, 0, 1, 1).data.subarray(0, 3)];
  };
  const hex = (text) => [1, 3, 5].map((at) => parseInt(text.slice(at, at + 2), 16));
  const background = colour("--st-background-color");
  const ink0 = colour("--st-text-color");
  const palette = luminance(background) > 0.5 ? LIGHT : DARK;
  const scale = (name) => [background, ...palette[name].map(hex)];
  const rem = parseFloat(getComputedStyle(document.documentElement).fontSize);
  const family = style.getPropertyValue("--st-font") || "sans-serif";
  return {
    background,
    panel: colour("--st-secondary-background-color"),
    negative: scale("negative"),
    positive: scale("positive"),
    probability: scale("probability"),
    allowed: mix(background, ink0, 0.45),
    hatch: css(mix(background, ink0, 0.4)),
    lines: `rgba(${ink0.join(", ")}, 0.16)`,
    labels: css(mix(background, ink0, 0.75)),
    small: `${0.6875 * rem}px ${family}`,
    text: `${0.75 * rem}px ${family}`,
    bold: `600 ${0.875 * rem}px ${family}`,
    line: Math.round(0.875 * rem),
  };
}

// Relative luminance as WCAG defines it.
function luminance(colour) {
  const [red, green, blue] = colour.map((part) => {
    const share = part / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

// Black or white, whichever stands out more: at least 4.5 to 1 on any colour.
function readableOn(colour) {
  return luminance(colour) > 0.179 ? "#000" : "#fff";
}

function mix(from, to, amount) {
  return from.map((part, index) => Math.round(part + (to[index] - part) * amount));
}

function css(colour) {
  return `rgb(${colour.join(", ")})`;
}

// ---- words

function summary(grid) {
  const finite = grid.values.filter(Number.isFinite);
  const masked = grid.values.length - finite.length;
  const side = (count, word, axis) => `${count} ${word}${count === 1 ? "" : "s"}${axis && ` (${axis})`}`;
  const low = finite.reduce((least, value) => Math.min(least, value), Infinity);
  const high = finite.reduce((most, value) => Math.max(most, value), -Infinity);
  return [
    `${grid.title || "Heatmap"}: ${side(grid.rows, "row", grid.rowAxis)}`,
    `by ${side(grid.columns, "column", grid.columnAxis)},`,
    grid.kind === "mask" ? `${finite.filter(Boolean).length} of ${grid.values.length} cells allowed`
      : grid.kind === "tokens" ? "tokens"
      : finite.length ? `${grid.kind} values from ${exact(grid, low)} to ${exact(grid, high)}` : "no values",
    masked && grid.kind !== "mask" ? `, ${masked} masked` : "",
  ].join(" ").replace(" ,", ",").trim();
}

function position(word, labels, axis, index) {
  const label = labels[index];
  if (label === "") return axis && `${axis} ${index}`;
  if (labels.every((one, at) => one === String(at))) return `${axis || word} ${index}`;
  return `${word} "${visible(label)}" (${axis ? `${axis} ` : ""}${index})`;
}

function exact(grid, value) {
  if (value === -Infinity) return "-∞ (masked)";
  if (grid.kind === "mask") return value ? "allowed" : "blocked";
  if (grid.whole || value === 0) return String(value);
  const amount = Math.abs(value);
  return amount >= 1e5 || amount < 1e-3 ? value.toExponential(4) : value.toFixed(4);
}

function short(grid, value) {
  const amount = Math.abs(value);
  if (grid.whole || value === 0) return String(value);
  if (amount >= 1e4 || amount < 5e-3) return value.toExponential(0);
  return value.toFixed(amount < 9.995 ? 2 : amount < 99.95 ? 1 : 0);
}

// The text in every cell of a grid of tokens, or null.
function tokenTexts(grid) {
  if (grid.kind !== "tokens") return null;
  if (grid.rows === 1) return grid.columnLabels;
  if (grid.columns === 1) return grid.rowLabels;
  return Array.from(grid.values, String);
}

function indices(count) {
  return Array.from({ length: count }, (_, index) => String(index));
}

// White space as something one can see.
function visible(label) {
  const text = label.replaceAll("\n", "↵").replaceAll("\t", "⇥");
  return text.trim() ? text : text.replaceAll(" ", "␣");
}

function clip(pen, text, room) {
  if (pen.measureText(text).width <= room + 1) return text;
  let length = text.length - 1;
  while (length > 0 && pen.measureText(`${text.slice(0, length)}…`).width > room) length--;
  return length > 0 ? `${text.slice(0, length)}…` : "";
}

// ---- document

function element(tag, name, text = "") {
  const node = document.createElement(tag);
  node.className = name;
  if (text) node.textContent = text;
  return node;
}

function size(node, width, height) {
  node.style.width = `${width}px`;
  node.style.height = `${height}px`;
}
