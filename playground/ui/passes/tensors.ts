// The tensors of one operation: inputs, output, and the calculation of each output cell.
// This file combines the other modules: it has the selection and handles pointer and keys.

import baseCss from "../parts/base.css";
import tileCss from "../parts/heatmaps/tile.css";
import tensorsCss from "../parts/heatmaps/tensors.css";
import matrixCss from "./matrix.css";
import { asker, question } from "./cell/cells.ts";
import { readTheme } from "../parts/heatmaps/colours.ts";
import { Expression } from "./cell/expression.ts";
import { explain, restore } from "../parts/map/explained.ts";
import { frame, write } from "./frame.ts";
import { Group, headName, headsOf } from "../parts/heatmaps/group.ts";
import { follow, go, unfollow } from "../parts/map/follow.ts";
import { claim, free } from "../parts/shortcuts.ts";
import { layOut } from "../parts/heatmaps/layout.ts";
import { legendItems } from "../parts/heatmaps/legend.ts";
import { Looks } from "./look.ts";
import { Marks } from "./marks.ts";
import { decode } from "../parts/heatmaps/message.ts";
import { play, scene } from "./cell/play.ts";
import { MAIN } from "../parts/streamlit_dom.ts";
import { asked, lit, opener, output, slide, walk } from "../parts/shown.ts";
import { calm } from "../parts/styles.ts";
import { statement } from "./statement.ts";
import { asNumpy, asText, copy, tableCell, tables } from "./table.ts";
import { cellAt, draw, measure, reveal, stepped } from "../parts/heatmaps/tile.ts";
import { component } from "../parts/component.ts";
import { exact, position } from "../parts/words.ts";
import type { Theme } from "../parts/heatmaps/colours.ts";
import type { Fold, Made } from "../parts/heatmaps/group.ts";
import type { Decoded, Grid, Tensor } from "../parts/heatmaps/message.ts";
import type { Way } from "../parts/map/follow.ts";
import type { Call, Root } from "../parts/component.ts";
import type { Calculation } from "./cell/cells.ts";
import type { Parameter } from "./cell/expression.ts";
import type { Nodes } from "./frame.ts";
import type { Look } from "./look.ts";
import type { Statement } from "./statement.ts";
import type { TableFrame } from "./table.ts";

const SCROLL_BAR = 24;
const END = 24; // pixels of space at the bottom
const END_OF_SLIDE = 28; // at the scale of the slide
const LEAST_EXPRESSION = 144; // pixels
const EXPRESSION_OF_SLIDE = 0.45; // of the room for heatmaps and the calculation, while a cell is locked
const PHONE_WIDTH = 640;
const LINGER = 150; // milliseconds, so that crossing the gap between two heads doesn't flicker
const ASK_AGAIN = 1500; // milliseconds until a new attempt after a script run without a result
const ANNOUNCED_FOR = 2500;
const ASKED = 400; // milliseconds until the room's bar has its new height
const HINT = "Point at a cell of the output to see how it was computed. Click to keep it.";

/**
 * `walk` names the pass, `reads` is its input, `most` has the maximum axis lengths during playback, and
 * `fold` has the number of heads and columns shown at a time.
 */
type Data = Decoded & { walk: string, operation: string, reads: unknown[],
    most: Record<string, number>, look: Look, fold: Fold, parameters: Parameter[],
    statement: Statement, way: Way, problem?: string };
export type Cell = { tensor: number, head: number, row: number, column: number, slope: boolean }; // of a whole tensor

export default component([baseCss, tileCss, matrixCss, tensorsCss], (root) => new Tensors(root), (tensors, call: Call<Uint8Array>) => {
  // A moment with it: what is looked at again, after the page has turned elsewhere, is news.
  tensors.report = (look) => call.setStateValue("look", { ...look, at: Date.now() });
  tensors.missed = (walk) => call.setTriggerValue("gone", walk);
  const message = decode(call.data) as Data;
  restore();
  tensors.show(message);
  opener.set(tensors, (words) => tensors.open(words));
  follow(tensors, message.way, call);
});

export class Tensors {
  host: HTMLElement;
  root: HTMLElement;
  nodes: Nodes;
  result: Group;
  expression: Expression;
  observer = new ResizeObserver(() => this.room() !== this.width && this.layout());
  // The page above is drawn piece by piece. Until the first press, sizes follow its height.
  settling = new ResizeObserver(() => this.height !== this.below(this.nodes.sides, "top") && this.layout({ held: false }));
  missing = ""; // the last pass that the server no longer cached
  given: Group[] = []; // a group for each input
  groups: Group[] = []; // groups of all tensors; the last is the output
  frames: ReturnType<typeof tables> = [];
  looks = new Looks();
  marks = new Marks();
  pointed: Cell | null = null; // the cell under the pointer or the keyboard focus
  shownHead: number | null = null; // head whose inputs are shown
  asker = asker();
  data!: Data;
  output!: Tensor;
  theme!: Theme;
  width = 0;
  before = 0; // the previous width
  height = 0; // of the window below the top of the tensors
  heldBy = ""; // key: while it stays the same, tiles keep their space
  playing: AbortController | null = null;
  made: Made | null = null; // cells that exist during Compute slowly
  report!: (look: Look) => void;
  missed!: (walk: string) => void;
  closing = new AbortController();
  leaving = 0; // timers
  asking = 0;
  saying = 0;
  unwatch: (() => void)[];

  constructor(parent: Root) {
    this.host = parent.host ?? parent;
    this.root = parent.querySelector(".tensors") as HTMLElement;
    this.nodes = frame(this.root, {
      table: () => this.change({ table: !this.look.table }),
      compute: () => this.compute(),
      text: () => this.copy(asText),
      numpy: () => this.copy(asNumpy),
      all: () => this.change({ head: null }),
    });
    this.result = new Group(this.nodes.outputs);
    this.expression = new Expression(this.nodes.panel, () => this.unfolded(), (name) => go({ name }));
    this.expression.hint = HINT;
    this.listen();
    this.observer.observe(this.root);
    this.unwatch = [slide.watch(() => this.settle()), asked.watch(() => this.data && this.reask())];
    // Text measured before its font has loaded has the wrong width.
    const signal = this.closing.signal;
    if (document.fonts.status !== "loaded") document.fonts.ready.then(() => signal.aborted || this.layout());
    let node: HTMLElement | null = this.host;
    for (; node && !node.matches(MAIN); node = node.parentElement) this.settling.observe(node);
    for (const type of ["pointerdown", "keydown"]) {
      document.addEventListener(type, () => this.settling.disconnect(), { signal, capture: true, once: true });
    }
    this.watchSharpness();
  }

  listen() {
    const signal = this.closing.signal;
    const on = <Name extends keyof HTMLElementEventMap>(target: EventTarget, types: Name[],
      act: (event: HTMLElementEventMap[Name]) => void) => {
      for (const type of types) target.addEventListener(type, act as EventListener, { signal });
    };
    for (const area of [this.nodes.inputs, this.nodes.outputs, this.nodes.tables]) {
      on(area, ["pointermove", "pointerdown"], (event) => this.point(this.cellOf(event)));
      // A touch ends at once; the tapped cell stays selected until another tap.
      on(area, ["pointerleave"], (event) => event.pointerType !== "touch" && this.point(null));
      on(area, ["click"], (event) => this.toggle(this.cellOf(event)));
    }
    for (const area of [this.nodes.inputs, this.nodes.outputs]) {
      // Arrow keys also apply to the tile under the pointer.
      on(area, ["pointerdown"], (event) => (event.target as Element).closest<HTMLElement>('[tabindex="0"]')?.focus({ preventScroll: true }));
      on(area, ["focusout"], (event) => this.nodes.sides.contains(event.relatedTarget as Node | null) || this.point(null));
      on(area, ["keydown"], (event) => this.press(event));
      on(area, ["dblclick"], (event) => this.solo(this.tileOf(event.target, "node")?.grid.head));
    }
    on(document, ["keydown"], (event) => this.key(event));
    on(document, ["pointerdown"], (event) => this.outside(event));
    on(this.nodes.clipboard, ["blur"], () => (this.nodes.clipboard.hidden = true));
  }

  close() {
    unfollow(this);
    opener.set(this, null);
    this.root.replaceChildren();
    this.closing.abort();
    for (const unwatch of this.unwatch) unwatch();
    output.set(this, null);
    this.stop();
    this.observer.disconnect();
    this.settling.disconnect();
  }

  // Another screen or zoom level changes the device pixel ratio.
  watchSharpness() {
    const query = matchMedia(`(resolution: ${devicePixelRatio}dppx)`);
    const change = () => {
      this.layout();
      this.watchSharpness();
    };
    query.addEventListener("change", change, { once: true, signal: this.closing.signal });
  }

  // ---- content

  show(data: Data) {
    const other = data.operation !== this.data?.operation;
    const moved = other && Boolean(this.data);
    this.stop();
    this.data = data;
    this.looks.adopt(data.look, other);
    const theme = readTheme(this.host);
    const repainted = JSON.stringify(theme) !== JSON.stringify(this.theme);
    this.theme = theme;
    if (other) {
      this.pointed = null;
      this.shownHead = null;
    }
    this.asker.forget();
    if (other || repainted) this.expression.expect(data.operation, data.parameters, this.theme);
    this.compose();
    if (moved) this.expression.speak(this.output.title);
    statement.set(this, data.statement);
    if (data.problem) this.say(data.problem);
  }

  // Shows another operation of this pass without a script run. Backward, and on a tour, the way is another one.
  async open(words: URLSearchParams) {
    const { walk: name, look, way } = this.data;
    if (words.get("gradient") || (look as any).gradient || way.stops?.length) return false;
    const answer = await fetch(new URL(`./walk/${name}/operation?${words}`, document.baseURI)).catch(() => null);
    if (!answer?.ok) return false;
    const { marks, explanation, ...data } = decode(new Uint8Array(await answer.arrayBuffer()));
    if (!this.host.isConnected || this.data.walk !== name) return false;
    const { most, reads } = this.data;
    this.show({ ...data, most, reads, way: { ...way, ...marks } } as Data);
    explain(explanation);
    walk.set(this, { ...this.data.way, host: this.host });
    lit.set(this, this.data.way);
    return true;
  }

  get look() {
    return this.looks.now;
  }

  // The person changes the look: drawn at once and sent to the page.
  change(part: Partial<Look>) {
    this.stop();
    this.report(this.looks.change(part));
    this.compose();
  }

  // Assigns heads and tensors to the existing nodes.
  compose() {
    const { tensors } = this.data;
    const output = tensors.find((tensor) => tensor.output);
    if (!output) throw new Error("An operation has an output.");
    this.output = output;
    const shown = (tensor: Tensor) => {
      if (!tensor.heads) return [0];
      const all = headsOf(tensor);
      if (!tensor.output && output.heads) return [this.head()];
      return this.look.head !== null && all.includes(this.look.head) ? [this.look.head] : all;
    };
    while (this.given.length < tensors.length - 1) this.given.push(new Group(this.nodes.inputs));
    while (this.given.length > tensors.length - 1) this.given.pop()?.remove();
    this.groups = [...this.given, this.result];
    this.groups.forEach((group, at) => this.fill(group, tensors[at], shown(tensors[at])));
    const grids = this.groups.flatMap((group) => group.grids);
    const values = grids.filter((grid) => !grid.slope);
    this.nodes.legend.replaceChildren(...legendItems(values, grids.filter((grid) => grid.slope), this.theme));
    this.nodes.arrow.hidden = tensors.length === 1;
    this.root.classList.toggle("as-table", this.look.table);
    this.host.toggleAttribute("data-locked", this.locked() !== null); // for the page's style sheet
    write(this.nodes.tableButton, this.look.table ? "Show as heatmap" : "Show as table");
    this.nodes.allButton.classList.toggle("unused", this.look.head === null || !output.heads);
    const hides = Boolean(this.asked()?.hides);
    this.nodes.playButton.disabled = this.look.table || hides;
    this.nodes.tableButton.disabled = hides;
    // The focus goes along from a heatmap to its table, and back.
    const { activeElement } = this.root.getRootNode() as ShadowRoot;
    const tiles = () => this.groups.flatMap((group) => group.tiles.map(({ node }) => node));
    const focused = (this.frames.length ? this.frames : tiles()).findIndex((node) => node === activeElement);
    const tabular = this.frames.length > 0;
    this.frames = this.look.table ? tables(this.groups) : [];
    this.nodes.tables.replaceChildren(...this.frames);
    this.layout();
    this.tell();
    if (focused >= 0 && (tabular || this.look.table)) (this.look.table ? this.frames : tiles())[focused]?.focus();
  }

  // What others may ask about.
  tell() {
    const { title, heads, rows, columns } = this.output;
    const axes = `${heads?.axis ?? ""}${rows.axis || " "}${columns.axis || " "}`;
    const cell = this.look.gradient_of ? null : this.look.cell;
    output.set(this, { walk: this.data.walk, operation: this.data.operation, title, axes, shape: this.shape, cell });
  }

  // Sizes of the axes of the output.
  get shape() {
    const { heads, rows, columns } = this.output;
    return [...(heads ? [heads.size] : []), rows.size, columns.size];
  }

  // The question about the output, if there is one.
  asked() {
    const { value } = asked;
    const isMine = value?.kind === "output" && value.operation === this.data.operation && String(value.shape ?? this.shape) === String(this.shape);
    return isMine ? value : null;
  }

  reask() {
    this.stop();
    this.compose();
  }

  fill(group: Group, tensor: Tensor, heads: number[]) {
    // Moving a fold clears the lock and the single head outside it.
    const go = (part: Partial<Look>) => this.change({ ...part, cell: null, ...("heads" in part && { head: null }) });
    group.fill(tensor, heads, { ...this.data.fold, go }, this.theme, this.madeOf(tensor));
  }

  // The head whose inputs are shown.
  head() {
    const { first, count } = this.output.heads ?? { first: 0, count: 1 };
    const within = (head: number | null | undefined) => head !== null && head !== undefined && head >= first && head < first + count;
    const pointed = this.pointed?.tensor === this.output.index ? this.pointed.head : null;
    const wished = [this.look.head, this.locked()?.head, pointed, this.shownHead].find(within);
    return wished ?? first;
  }

  // Shows the inputs of another head in the same tiles.
  showInputs() {
    if (!this.output.heads) return;
    const head = this.head();
    this.shownHead = head;
    for (const group of this.groups) {
      const { tensor } = group;
      if (tensor.output || !tensor.heads || group.grids[0].head === head) continue;
      this.fill(group, tensor, [head]);
      for (const tile of group.tiles) {
        measure(tile, this.theme);
        draw(tile, this.theme);
      }
      if (this.look.table) this.compose();
    }
  }

  // ---- sizes

  // The available width. The page's scroll bar depends on our own height, which could switch between two layouts
  // forever, so returning to a slightly larger previous width is ignored.
  room() {
    const width = this.root.clientWidth;
    const back = width === this.before && width > this.width && width < this.width + SCROLL_BAR;
    return back ? this.width : width;
  }

  layout({ held = true } = {}) {
    const width = this.room();
    if (width !== this.width) [this.before, this.width] = [this.width, width];
    // No width: the tab is hidden. The observer calls again when there is one.
    if (!this.width || !this.data) return;
    this.theme = readTheme(this.host); // the presenter view has larger fonts
    const { nodes, given, result, data, theme } = this;
    this.height = this.below(nodes.sides, "top");
    const same = this.held() && held;
    if (!this.look.table) layOut(nodes, given, result, this.width, this.rooms(), same, data.most, theme);
    this.fitExpression();
    this.light();
  }

  // On a slide of another size the legend is measured as it was: it follows the tensors, and they follow it once more.
  settle(times = 3) {
    this.layout({ held: false });
    if (times > 1) requestAnimationFrame(() => this.root.isConnected && this.settle(times - 1));
  }

  // Height of the window below a node, without scrolling.
  below(node: Element, edge: "top" | "bottom") {
    const main = this.host.closest(MAIN);
    const end = presented() && main ? main.getBoundingClientRect().bottom : innerHeight; // below a slide there may be a question
    return end - node.getBoundingClientRect()[edge] - (main?.scrollTop ?? 0) - (presented() ? END_OF_SLIDE * this.theme.scale : END);
  }

  // The calculation was folded or unfolded: resize the tensors.
  unfolded() {
    this.layout();
    if (innerWidth <= PHONE_WIDTH && !this.expression.folded) this.nodes.panel.scrollIntoView({ block: "nearest" });
  }

  // Heights for the tensors: with the whole calculation visible, or with its first line.
  rooms() {
    const room = this.height - this.nodes.legend.offsetHeight;
    if (presented()) return [room - (this.locked() ? room * EXPRESSION_OF_SLIDE : this.leastPresented() + END * this.theme.scale)];
    const most = this.expression.folded ? LEAST_EXPRESSION / 4 : LEAST_EXPRESSION;
    return [room - most, room - LEAST_EXPRESSION / 4];
  }

  // Whether the last drawing had the same operation, input and size.
  held() {
    const key = JSON.stringify([this.data.operation, this.data.reads, this.width, innerHeight, this.theme, { ...this.look, cell: null }]);
    const same = key === this.heldBy;
    this.heldBy = key;
    return same;
  }

  // The calculation gets the remaining height of the window; if that is too small, it scrolls. On a phone it has its
  // natural height; folded, it stays at the bottom of the window, see tensors.css.
  fitExpression() {
    const left = Math.floor(this.below(this.nodes.legend, "bottom"));
    const { style } = this.nodes.panel;
    const least = presented() ? this.leastPresented() : LEAST_EXPRESSION;
    const height = left >= least ? `${left}px` : "";
    style.setProperty("--expression-most", presented() ? (innerWidth > PHONE_WIDTH ? `${Math.max(left, least)}px` : "none") : "");
    this.nodes.panel.classList.toggle("grows", !presented());
    style.setProperty("--expression-height", presented() || innerWidth <= PHONE_WIDTH ? "" : height);
  }

  // Minimum height of the calculation on a slide.
  leastPresented() {
    return parseFloat(getComputedStyle(this.nodes.panel).minHeight);
  }

  // ---- pointing

  // The heatmap of an event: on its cells, or in another `part` of it.
  tileOf(target: EventTarget | null, part: "layer" | "node" = "layer") {
    return this.groups.flatMap(({ tiles }) => tiles).find((tile) => tile[part].contains(target as Node | null));
  }

  cellOf(event: MouseEvent): Cell | null {
    const tile = this.tileOf(event.target);
    const cell = tile ? cellAt(tile, event.clientX, event.clientY) : tableCell(event.target);
    const shown = tile ?? (event.target as Element).closest<TableFrame>(".matrix");
    return shown && cell ? this.absolute(shown.grid, cell) : null;
  }

  // Cells are identified by their index in the whole tensor, so they are stable when a fold moves.
  absolute(grid: Grid, { row, column }: { row: number, column: number }): Cell {
    const { tensor, head, slope } = grid;
    return { tensor: tensor.index, head, row, column: column + tensor.columns.first, slope };
  }

  // The visible position of a cell: { tile (or frame), grid, row, column }, or null.
  find(cell: Cell) {
    const group = this.groups[cell.tensor];
    const at = group ? group.grids.findIndex((grid) => grid.head === cell.head && grid.slope === cell.slope) : -1;
    if (at < 0) return null;
    const grid = group.grids[at];
    const column = cell.column - grid.tensor.columns.first;
    if (column < 0 || column >= grid.columns || cell.row >= grid.rows) return null;
    return { tile: group.tiles[at], grid, row: cell.row, column };
  }

  locked(): Cell | null {
    const { cell, gradient_of: of } = this.look;
    if (!cell) return null;
    const [column, row, head = 0] = [...cell].reverse();
    const tensor = this.data.tensors.find(({ name, slopes }) => of && name === of && slopes) ?? this.output;
    return { tensor: tensor.index, head, row, column, slope: Boolean(of) };
  }

  // What the look says of a locked cell: one of the output, or of a gradient.
  lock({ tensor, head, row, column, slope }: Cell): Partial<Look> {
    const { name, heads } = this.data.tensors[tensor];
    return { cell: heads ? [head, row, column] : [row, column], gradient_of: slope ? name : "" };
  }

  // Whether it is known how a cell was computed.
  isExplained({ tensor, slope }: Cell) {
    return slope || tensor === this.output.index;
  }

  point(cell: Cell | null) {
    if (this.playing) return;
    clearTimeout(this.leaving);
    if (!cell && this.pointed) {
      this.leaving = setTimeout(() => {
        this.pointed = null;
        this.light();
      }, LINGER);
    } else if (cell && !same(cell, this.pointed)) {
      this.pointed = cell;
      this.light();
    }
  }

  toggle(cell: Cell | null) {
    if (this.playing) return this.stop();
    if (!cell) return;
    const pick = this.asked()?.pick;
    if (pick && cell.tensor === this.output.index && !cell.slope) return pick(this.lock(cell).cell ?? []);
    if (!this.isExplained(cell) || same(cell, this.locked())) return this.unlock();
    this.change(this.lock(cell));
  }

  unlock() {
    if (this.look.cell) this.change({ cell: null });
  }

  // A click outside the cells unlocks, except on interactive elements.
  outside(event: PointerEvent) {
    const path = event.composedPath();
    if (path.includes(this.nodes.sides) && this.tileOf(path[0])) return;
    if (path.includes(this.nodes.tables) && tableCell(path[0])) return;
    if (!path.includes(this.root)) this.point(null);
    const purpose = "button, a, input, textarea, select, label, summary, [role=button], [role=slider], [role=listbox], "
      + "[role=option], [role=combobox], [role=tab], [data-part], .expression, .scroller";
    if (path.some((node) => node instanceof Element && node.matches(purpose))) return;
    this.unlock();
  }

  solo(head: number | undefined) {
    if (!this.output.heads || head === undefined) return;
    getSelection()?.removeAllRanges();
    this.alone(this.look.head === head ? null : head);
  }

  // Shows one head or all; the lock moves to the same cell of that head.
  alone(head: number | null) {
    const { cell } = this.look;
    this.change({ head, cell: cell && head !== null ? [head, ...cell.slice(1)] : cell });
  }

  // ---- keys

  press(event: KeyboardEvent) {
    const tile = this.tileOf(event.target, "node");
    if (!tile || event.ctrlKey || event.altKey || event.metaKey) return;
    const { grid } = tile;
    const here = [this.pointed, this.locked()].find((cell) => cell && this.find(cell)?.tile === tile);
    if (event.key === "Enter" && here) {
      claim(event);
      this.pointed = here;
      return this.toggle(here);
    }
    // A mark in another head continues at the same position in this head.
    const marked = here ?? [this.locked(), this.pointed].find((cell) => cell?.tensor === grid.tensor.index);
    const to = stepped(event, grid, (marked && this.find({ ...marked, head: grid.head, slope: grid.slope })) ?? null);
    if (!to) return;
    claim(event);
    reveal(tile, to.row, to.column);
    const cell = this.absolute(grid, to);
    // The lock moves, too, or arrow keys would seem to have no effect.
    if (this.look.cell && this.isExplained(cell)) {
      this.pointed = cell;
      return this.change(this.lock(cell));
    }
    this.point(cell);
  }

  key(event: KeyboardEvent) {
    if (!this.data || !free(event)) return;
    if (event.key === "Escape") {
      if (this.playing) this.stop();
      else if (this.look.cell) this.unlock();
      else return this.point(null); // other handlers may also use Escape
    } else if (event.key === "t") {
      if (!this.nodes.tableButton.disabled) this.change({ table: !this.look.table });
    } else if (event.key === "p") {
      this.compute();
    } else if (event.key === "e") {
      this.expression.fold(!this.expression.folded);
    } else if (event.key === "0") {
      if (this.look.head !== null) this.change({ head: null });
    } else if (event.key >= "1" && event.key <= "9" && event.key.length === 1) {
      const head = Number(event.key) - 1;
      if (this.output.heads && head < this.output.heads.size && this.look.head !== head) this.alone(head);
    } else return;
    event.preventDefault();
  }

  // ---- marks

  // Marks the selected cell and requests its calculation.
  light() {
    if (this.playing) return;
    const locked = this.locked();
    const example = locked || this.pointed || this.asked()?.hides ? null : this.example();
    const cell = locked ?? this.pointed ?? example;
    this.showInputs();
    const found = cell && this.find(cell);
    this.marks.clear();
    this.markAsked();
    const other = this.pointed && locked && !same(this.pointed, locked) && this.find(this.pointed);
    if (other) this.marks.cross(other, true);
    if (!cell || (!found && !locked)) {
      this.asker.forget();
      this.paint();
      return this.expression.clear();
    }
    if (found) this.marks.cross(found, false);
    this.paint();
    if (this.asked()?.hides) {
      this.asker.forget();
      return this.expression.clear();
    }
    this.nodes.arrow.classList.toggle("backward", cell.slope);
    const where = this.whereOf(cell);
    const value = found ? exact(found.grid, found.row * found.grid.columns + found.column) : "";
    this.expression.point(example ? `Example: ${where}` : where, value, Boolean(locked), () => this.unlock());
    if (!this.isExplained(cell)) {
      this.asker.forget();
      return this.expression.bare(`${where} = ${value}`);
    }
    this.asker.ask(this.question(cell), (answer) => this.answered(cell, answer, !example));
  }

  // Answers to a question about the output's cells.
  markAsked() {
    const question = this.asked();
    const { outputs } = this.nodes;
    const isNew = question?.pick && !outputs.hasAttribute("data-picks");
    outputs.toggleAttribute("data-picks", Boolean(question?.pick));
    if (isNew) setTimeout(() => outputs.scrollIntoView({ block: "start", behavior: calm() ? "auto" : "smooth" }), ASKED); // above the question
    for (const { at, text, name } of question?.marks ?? []) {
      const [column, row, head = 0] = [...at].reverse();
      const found = this.find({ tensor: this.output.index, head, row, column, slope: false });
      if (found) this.marks.add(found.grid, { name: `asked ${name}`, text, rows: [row, row + 1], columns: [found.column, found.column + 1] });
    }
  }

  // The default cell: the largest of the marked row, or of the first row; backward, the largest gradient handed back.
  example() {
    const handed = this.given.flatMap((group) => group.grids).find((grid) => grid.slope);
    if (handed) {
      const sizes = Array.from(handed.values, Math.abs);
      const at = sizes.indexOf(Math.max(...sizes));
      return this.absolute(handed, { row: Math.floor(at / handed.columns), column: at % handed.columns });
    }
    const own = (grid: Grid) => !grid.slope && (!this.output.heads || grid.head === this.head());
    const grid = this.result.grids.find(own) ?? this.result.grids[0];
    const row = grid.marked ?? 0;
    if (row >= grid.rows) return null;
    let column = 0;
    for (let at = 1; at < grid.columns && grid.kind === "probability"; at++) {
      if (grid.values[row * grid.columns + at] > grid.values[row * grid.columns + column]) column = at;
    }
    return this.absolute(grid, { row, column });
  }

  answered(cell: Cell, answer: Calculation, aloud: boolean) {
    if (answer.gone) return this.again();
    if (this.playing) return;
    this.sources(answer);
    const found = this.find(cell);
    const own = found?.grid.values[found.row * found.grid.columns + found.column];
    this.expression.tell(answer, aloud ? this.inWords(cell) : "", own);
  }

  sources(answer: Calculation) {
    for (const { tensor, region, gradient } of answer.reads ?? []) {
      const group = this.groups.find((each) => each.tensor.name === tensor);
      if (group) this.marks.source(group, region, gradient);
    }
    this.paint();
  }

  paint() {
    this.marks.paintTables(this.frames);
    if (!this.look.table) this.marks.paintTiles(this.groups, this.pointed?.tensor);
  }

  // The server no longer caches this pass: a script run computes it again.
  again() {
    const { walk } = this.data;
    this.missed(walk);
    clearTimeout(this.asking);
    if (this.missing === walk) return;
    this.missing = walk;
    this.asking = setTimeout(() => this.data.walk === walk && this.light(), ASK_AGAIN);
  }

  question(cell: Cell) {
    const index = [0, cell.head, cell.row, cell.column];
    const { name, axes } = this.data.tensors[cell.tensor];
    return question(this.data.walk, name, axes.map((axis) => index[axis]), cell.slope);
  }

  whereOf(cell: Cell) {
    const tensor = this.data.tensors[cell.tensor];
    return [
      cell.slope ? `Gradient at ${tensor.title}` : tensor.title,
      tensor.heads && headName(tensor, cell.head),
      position("row", tensor.rows, cell.row - tensor.rows.first),
      position("column", tensor.columns, cell.column - tensor.columns.first),
    ].filter(Boolean).join(" · ");
  }

  inWords(cell: Cell) {
    return this.whereOf(cell).replaceAll(" · ", ", ");
  }

  // ---- actions

  // A question hides the values that are its answer.
  async copy(make: (tensor: Tensor, grids: Grid[]) => string) {
    if (this.asked()?.hides) return this.say("Hidden until the answer is revealed");
    const [values, slopes] = [false, true].map((slope) => this.result.grids.filter((grid) => grid.slope === slope));
    const texts = [make(this.output, values)];
    if (slopes.length) texts.push(`# gradient of the loss\n${make({ ...this.output, kind: "signed", whole: false }, slopes)}`);
    this.say(await copy(texts.join("\n\n"), this.nodes.clipboard));
  }

  say(text: string) {
    this.nodes.announcement.textContent = text;
    clearTimeout(this.saying);
    this.saying = setTimeout(() => (this.nodes.announcement.textContent = ""), ANNOUNCED_FOR);
  }

  // Computes the selected cell, or the first one, term by term.
  compute() {
    if (this.playing) return this.stop();
    if (this.nodes.playButton.disabled) return;
    const first = this.absolute(this.result.grids[0], { row: 0, column: 0 });
    const pointed = this.pointed && this.isExplained(this.pointed) ? this.pointed : null;
    const cell = [this.locked(), pointed, this.output.slopes && this.example(), first].find((each) => each && this.find(each));
    if (!cell) return;
    this.asker.ask(this.question(cell), async (answer) => {
      if (answer.gone) return this.again();
      if (answer.problem) return this.say(answer.problem);
      const playing = (this.playing = new AbortController());
      write(this.nodes.playButton, "Stop");
      await play(scene(this, cell), cell, answer, playing.signal);
      if (this.playing === playing) this.stop();
    });
  }

  stop() {
    if (!this.playing) return;
    this.playing.abort();
    this.playing = null;
    this.made = null;
    this.nodes.announcement.textContent = "";
    write(this.nodes.playButton, "Compute slowly");
    this.expression.grown();
    this.repaint();
    this.light();
  }

  repaint() {
    for (const group of this.groups) {
      group.paint(this.theme, this.madeOf(group.tensor));
      for (const tile of group.tiles) {
        if (tile.viewport) draw(tile, this.theme);
      }
    }
  }

  madeOf({ index }: Tensor) {
    const hidden = this.asked()?.hides && index === this.output.index ? { tensor: index, slope: false, cell: () => false } : null;
    return this.made?.tensor === index ? this.made : hidden;
  }
}

function same(one: Cell | null, other: Cell | null) {
  if (!one || !other) return false;
  return (["tensor", "head", "row", "column", "slope"] as const).every((part) => one[part] === other[part]);
}

function presented() {
  return document.documentElement.hasAttribute("data-present");
}
