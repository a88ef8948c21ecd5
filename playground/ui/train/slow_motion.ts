// A stage of a training step: its position among all stages, its description, and its result, as large as fits. It also
// marks the part of the diagram.

import { readTheme } from "../parts/heatmaps/colours.ts";
import { dressIn } from "../parts/dress.ts";
import { Group } from "../parts/heatmaps/group.ts";
import { fit } from "../parts/heatmaps/layout.ts";
import { legendItems } from "../parts/heatmaps/legend.ts";
import { shine } from "../parts/map/lit.ts";
import { decode } from "../parts/heatmaps/message.ts";
import { cellAt, mark } from "../parts/heatmaps/tile.ts";
import { Live } from "../parts/live/stream.ts";
import { Views } from "../parts/views.ts";
import { element, exact, position, summary } from "../parts/words.ts";
/** @import { Call, Root } from "../parts/views.ts" */

const dress = dressIn(
  "parts/page.css", "parts/base.css", "parts/heatmaps/tile.css", "parts/heatmaps/tensors.css", "train/slow_motion.css",
);
const views = new Views((root) => new View(root));

/** @typedef {{ channel: string, at: number, now: { message: string } }} Data the message in base 64 */

/** @param {Call<Data>} call */
export default function ({ data, parentElement }) {
  const view = views.at(parentElement);
  view.show(data);
  return views.leave(parentElement);
}

class View {
  shown = ""; // header of the current message
  /** @type {{ tile: any, x: number, y: number } | null} */
  pointed = null; // pointer position in the window
  size = "";
  live = new Live(() => this.draw());
  strip = element("div", "strip");
  words = element("div", "words");
  tensor = element("div", "tensor");
  numbers = element("div", "numbers");
  value = element("div", "value cut");
  legend = element("div", "legend");
  figure = element("div", "figure", this.tensor, this.numbers, element("div", "foot", this.value, this.legend));

  /** @param {Root} parent */
  constructor(parent) {
    this.host = parent.host ?? parent;
    dress(parent);
    this.theme = readTheme(this.host);
    this.root = /** @type {HTMLElement} */ (parent.querySelector(".slow-motion"));
    this.root.append(this.strip, this.words, this.figure);
    this.group = new Group(this.tensor);
    const point = (event) => this.point(event);
    this.tensor.addEventListener("pointermove", point);
    this.tensor.addEventListener("pointerdown", point);
    this.tensor.addEventListener("pointerleave", (event) => event.pointerType !== "touch" && this.point(null));
    this.observer = new ResizeObserver(() => this.layout());
    this.observer.observe(this.root);
  }

  close() {
    this.live.close();
    this.observer.disconnect();
    shine(this, null);
    this.root.replaceChildren();
  }

  /** @param {Data} data */
  show(data) {
    this.live.show(data);
    this.draw();
  }

  draw() {
    const { message } = this.live.values;
    if (message === undefined) return;
    const data = decode(Uint8Array.from(atob(message), (letter) => letter.charCodeAt(0)));
    shine(this, data.lit);
    const theme = readTheme(this.host);
    const shown = JSON.stringify([data.stage, data.strip, data.words, theme]);
    if (shown === this.shown) return;
    Object.assign(this, { shown, theme });
    for (const part of /** @type {const} */ (["strip", "words", "numbers"])) this[part].innerHTML = data[part];
    const [tensor] = data.tensors;
    this.figure.classList.toggle("drawn", Boolean(tensor));
    this.size = "";
    if (tensor) this.fill(tensor, theme);
    this.layout();
  }

  fill(tensor, theme) {
    const heads = tensor.heads ? Array.from({ length: tensor.heads.count }, (_, at) => tensor.heads.first + at) : [0];
    this.group.fill(tensor, heads, { heads: tensor.heads?.count, columns: tensor.columns.count }, theme, null);
    for (const tile of this.group.tiles) {
      tile.node.tabIndex = -1;
      tile.node.setAttribute("role", "img");
      tile.node.setAttribute("aria-label", summary([tensor.title, tile.grid.title].filter(Boolean).join(", "), tile.grid));
    }
    this.legend.replaceChildren(...legendItems(this.group.grids, [], theme));
  }

  layout() {
    const { clientWidth: width, clientHeight: height } = this.figure;
    const size = `${width} ${height}`;
    if (!width || size === this.size) return;
    this.size = size;
    const stages = this.strip.firstElementChild;
    stages?.classList.remove("short");
    stages?.classList.toggle("short", stages.scrollWidth > stages.clientWidth);
    if (this.tensor.clientWidth) fit(this.group, this.tensor.clientWidth, this.tensor.clientHeight, this.theme);
    this.tell();
  }

  point(event) {
    const tile = event && this.group.tiles.find((one) => one.layer.contains(event.composedPath()[0]));
    this.pointed = tile ? { tile, x: event.clientX, y: event.clientY } : null;
    this.tell();
  }

  // The value under the pointer, updated while the pointer rests.
  tell() {
    for (const tile of this.group.tiles) mark(tile, []);
    this.value.textContent = "";
    if (!this.pointed) return;
    const { tile, x, y } = this.pointed;
    const { grid } = tile;
    const cell = grid && tile.node.isConnected && cellAt(tile, x, y);
    if (!cell) return;
    const { row, column } = cell;
    mark(tile, [{ name: "cell", rows: [row, row + 1], columns: [column, column + 1] }]);
    const where = [grid.title, position("row", grid.row, row), position("column", grid.column, column)];
    this.value.textContent = `${where.filter(Boolean).join(", ")} = ${exact(grid, row * grid.columns + column)}`;
  }
}
