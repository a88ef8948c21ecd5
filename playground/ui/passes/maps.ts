// Heatmaps of several tensors, their heads side by side. The row under the pointer is marked in all that have it.

import pageCss from "../parts/page.css";
import baseCss from "../parts/base.css";
import tileCss from "../parts/heatmaps/tile.css";
import mapsCss from "./maps.css";
import { calm } from "../parts/styles.ts";
import { readTheme } from "../parts/heatmaps/colours.ts";
import { Group, headsOf } from "../parts/heatmaps/group.ts";
import { fit, fitSlide } from "../parts/heatmaps/layout.ts";
import { decode } from "../parts/heatmaps/message.ts";
import { cellAt, mark, reveal, stepped } from "../parts/heatmaps/tile.ts";
import { claim } from "../parts/shortcuts.ts";
import { slide } from "../parts/shown.ts";
import { MAIN, MAIN_BLOCK } from "../parts/streamlit_dom.ts";
import { component } from "../parts/component.ts";
import { button, element, exact, position, write } from "../parts/words.ts";
import type { Decoded } from "../parts/heatmaps/message.ts";
import type { Region, Tile } from "../parts/heatmaps/tile.ts";
import type { Call, Root } from "../parts/component.ts";

const HIGH = 270; // pixels that one tensor may be high
const HIGH_ON_PHONES = 480;
const PHONE = 600;
const SCROLL_BAR = 30; // pixels at most

type Note = { text: string, help: string }; // about a head
/** The target of the pointer: a tensor, one of its tiles, a row, and a column if it is a cell. */
type At = { group: number, tile: number, row: number, column: number | null };
/**
 * What maps.py adds: what rows, columns and values are, whether heads open, whether a new last column is shown, whether cells can be chosen, which is,
 * notes for each head of each tensor, and whether a tile keeps the room of the largest tensor that it has shown.
 */
type Data = Decoded & { words: [row: string, column: string, value: string], opens: boolean, follows: boolean, chooses: boolean, held: boolean,
    chosen: [group: number, head: number, row: number, column: number] | null, notes: Note[][] };

export default component([pageCss, baseCss, tileCss, mapsCss], (root) => new Maps(root), (maps, { data, setTriggerValue }: Call<Uint8Array>) => {
  maps.tell = setTriggerValue;
  maps.show(decode(data) as Data);
});

class Maps {
  root: Root;
  box: HTMLElement;
  announcement = element("div", "announcement small", { role: "status" });
  area = element("div", "area");
  sizes = new ResizeObserver(() => this.room() !== this.width && this.layOut());
  unwatch: () => void;
  tell: (name: string, value: unknown) => void = () => {};
  groups: Group[] = [];
  followed: WeakMap<Element, string> = new WeakMap(); // number of columns of each heatmap, and the width of all
  cursors: WeakMap<Element, { row: number, column: number }> = new WeakMap(); // where the keyboard left each heatmap
  at: At | null = null;
  width = 0;
  before = 0; // the previous width
  uncovered = ""; // the chosen cell that was last scrolled into view; empty before the first picture
  data!: Data;

  constructor(root: Root) {
    this.root = root;
    this.box = root.querySelector(".maps") as HTMLElement;
    this.box.append(this.announcement, this.area);
    this.area.addEventListener("pointermove", (event) => this.point(this.below(event)));
    this.area.addEventListener("pointerleave", () => this.point(null));
    this.area.addEventListener("click", (event) => this.choose(this.below(event)));
    this.area.addEventListener("keydown", (event) => this.press(event));
    this.area.addEventListener("focusin", (event) => this.enter(event.target));
    this.area.addEventListener("focusout", () => this.point(null));
    this.sizes.observe(this.box);
    this.unwatch = slide.watch(() => this.layOut());
  }

  close() {
    this.sizes.disconnect();
    this.unwatch();
    this.box.replaceChildren();
  }

  show(data: Data) {
    this.data = data;
    const { tensors } = data;
    while (this.groups.length < tensors.length) this.groups.push(new Group(this.area));
    while (this.groups.length > tensors.length) this.groups.pop()?.remove();
    const theme = readTheme(this.root);
    this.groups.forEach((group, at) => {
      const tensor = tensors[at];
      const most = Array.from(tensor.values).reduce((most, value) => (Number.isFinite(value) ? Math.max(most, Math.abs(value)) : most), 0);
      tensor.scale = most || 1; // each has its own
      group.fill(tensor, headsOf(tensor), {}, theme, null);
      group.tiles.forEach((tile, head) => {
        const label = tile.node.getAttribute("aria-label") ?? "";
        tile.node.setAttribute("aria-label", label.replace(" Enter locks.", data.chooses ? " Enter chooses the cell." : ""));
        this.foot(tile, tensor, at, head);
        const { rows, columns } = tile.grid;
        const kept = data.held && tile.room ? tile.room : { rows, columns };
        tile.room = { rows: Math.max(rows, kept.rows), columns: Math.max(columns, kept.columns) };
      });
    });
    this.layOut();
    this.uncover();
  }

  // The panel of the chosen cell is at the bottom of the window.
  uncover() {
    const { chosen } = this.data;
    const before = this.uncovered;
    this.uncovered = `${chosen}`;
    // Who comes back, or follows a link, has not chosen it just now: the page stays at its top.
    if (!chosen || !before || this.uncovered === before) return;
    const { node } = this.groups[chosen[0]].tiles[chosen[1]];
    node.classList.add("uncovered");
    node.scrollIntoView({ block: "nearest", behavior: calm() ? "auto" : "smooth" });
    node.classList.remove("uncovered");
  }

  // Below a head: its caption, and the link to its numbers.
  foot(tile: Tile, tensor: Data["tensors"][number], at: number, head: number) {
    const note = this.data.notes[at]?.[head];
    const key = JSON.stringify([note, this.data.opens, tensor.name, tensor.title]);
    const shown = tile.node.querySelector<HTMLElement>(":scope > .foot");
    if (shown?.dataset.key === key) return;
    shown?.remove();
    const foot = element("div", "foot small");
    foot.dataset.key = key;
    const term = note?.text ? element("span", "term", note.text, { tabIndex: 0, role: "button" }) : null;
    term?.setAttribute("aria-description", note.help);
    if (note) foot.append(element("div", "role-of", term)); // an empty note keeps its height
    if (this.data.opens) {
      const name = { title: "Open this head in Step through", ariaLabel: `Open in Step through: ${tensor.title}, head ${head + 1}` };
      foot.append(button("small-button", "Open", () => this.tell("open", [tensor.name, head]), name));
    }
    if (foot.children.length) tile.node.append(foot);
  }

  // A scroll bar that depends on our own height must not switch between two layouts.
  room() {
    const width = this.box.clientWidth;
    return width === this.before && width > this.width && width < this.width + SCROLL_BAR ? this.width : width;
  }

  layOut() {
    [this.before, this.width] = [this.width, this.room()];
    if (!this.width || !this.data) return;
    const theme = readTheme(this.root);
    const room = this.slideHeight();
    this.area.classList.toggle("beside", room > 0 || !this.data.opens);
    if (room) fitSlide(this.groups, this.width, room, theme);
    else {
      for (const group of this.groups) {
        group.node.style.width = "";
        fit(group, this.width, this.width < PHONE ? HIGH_ON_PHONES : HIGH, theme);
      }
    }
    if (this.data.follows) this.follow();
    this.light();
  }

  // Shows the last column of what has other columns than before.
  follow() {
    for (const tile of this.groups.flatMap(({ tiles }) => tiles)) {
      const { columns } = tile.grid;
      const now = `${columns} ${this.width}`;
      if (now !== this.followed.get(tile.node)) reveal(tile, 0, columns - 1);
      this.followed.set(tile.node, now);
    }
  }

  // Pixels that the window has for the heatmaps of a slide, besides the texts around them; 0 outside the presenter view.
  slideHeight() {
    const main = this.box.isConnected && slide.value ? (this.root.host ?? this.root).closest(MAIN) : null;
    const block = main?.querySelector<HTMLElement>(MAIN_BLOCK);
    return main && block ? Math.max(1, main.clientHeight - (block.offsetHeight - this.area.offsetHeight)) : 0;
  }

  // The target of a pointer event: a cell, or the name of a row.
  below({ clientX, clientY }: MouseEvent): At | null {
    for (const [group, { tiles }] of this.groups.entries()) {
      for (const [tile, each] of tiles.entries()) {
        const cell = cellAt(each, clientX, clientY);
        if (cell) return { group, tile, ...cell };
        const corner = each.layer.getBoundingClientRect();
        const name = cellAt(each, corner.left + each.box.gutter + 1, clientY);
        if (name && clientX >= corner.left && clientX < corner.left + each.box.gutter) {
          return { group, tile, row: name.row, column: null };
        }
      }
    }
    return null;
  }

  point(at: At | null) {
    this.at = at;
    this.light();
  }

  light() {
    const { at, data } = this;
    const lit = at && this.groups[at.group].tensor.rows;
    this.groups.forEach((group, index) => {
      const { rows } = group.tensor;
      const row = lit && rows.axis === lit.axis && at.row < rows.count ? at.row : null;
      group.tiles.forEach((tile, head) => {
        const regions: Region[] = [];
        const add = (name: string, row: number, column: number, count = 1) =>
          regions.push({ name, rows: [row, row + 1], columns: [column, column + count] });
        if (row !== null) add("row", row, 0, tile.grid.columns);
        const { chosen } = data;
        if (chosen && chosen[0] === index && chosen[1] === head) add("chosen", chosen[2], chosen[3]);
        if (at && at.group === index && at.tile === head && at.column !== null) add("cell", at.row, at.column);
        if (tile.box) mark(tile, regions);
      });
    });
    write(this.announcement, at ? this.words(at) : "");
  }

  words({ group, tile, row, column }: At) {
    const { tensor, tiles } = this.groups[group];
    const { grid } = tiles[tile];
    const [rows, columns, value] = this.data.words;
    const name = [tensor.title, grid.title, position(rows, grid.row, row)].filter(Boolean).join(", ");
    if (column === null) return name;
    return `${name}, ${position(columns, grid.column, column)}: ${value} ${exact(grid, row * grid.columns + column)}`;
  }

  choose(at: At | null) {
    if (!this.data.chooses || !at || at.column === null) return;
    this.tell("pair", [this.data.tensors[at.group].name, at.tile, at.row, at.column]);
  }

  // The keyboard starts at its previous cell.
  enter(node: EventTarget | null) {
    for (const [group, { tiles }] of this.groups.entries()) {
      const tile = tiles.findIndex((each) => each.node === node);
      if (tile < 0) continue;
      const { grid, node: own } = tiles[tile];
      const { row, column } = this.cursors.get(own) ?? { row: 0, column: 0 };
      this.point({ group, tile, row: Math.min(row, grid.rows - 1), column: Math.min(column, grid.columns - 1) });
    }
  }

  press(event: KeyboardEvent) {
    const { at } = this;
    const tile = at && this.groups[at.group].tiles[at.tile];
    if (!tile || tile.node !== event.target || at.column === null) return;
    if (event.key === "Enter") return this.choose(at);
    const cursor = stepped(event, tile.grid, { row: at.row, column: at.column });
    if (!cursor) return;
    claim(event);
    this.cursors.set(tile.node, cursor);
    reveal(tile, cursor.row, cursor.column);
    this.point({ ...at, ...cursor });
  }
}
