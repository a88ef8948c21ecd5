// One chart: Vega draws the measures; marks that follow the pointer are on a layer above, so pointing redraws nothing.

import { after, nearest, smoothed } from "./chart_store.ts";
import { colourOf, config } from "./chart_theme.ts";
import { claim } from "../shortcuts.ts";
import { asked } from "../shown.ts";
import { element, percent, visible, write } from "../words.ts";
import type { Board } from "./charts.ts";
import type { ChartTheme } from "./chart_theme.ts";

const FRAME = 16; // milliseconds
const CLICK = 4; // pixels that a pointer may move in a click
const FEW = 40; // up to this many values are also drawn as points
const CELL = 6; // pixels: the narrowest column of a strip
const LANE = 12; // pixels: a row of words above a plot
const ROOMY = 13; // pixels: minimum width of a cell with its token

let compiling = Promise.resolve(); // the newest compilation

// Compiles charts one after another, each in a task of its own: the first one is drawn while the others are compiled.
function inTurn<T>(make: () => Promise<T>): Promise<T> {
  const made = compiling.then(make);
  compiling = made.then(() => new Promise((done) => setTimeout(done, FRAME)), () => {});
  return made;
}

// A number with four significant digits.
export function figure(value: number) {
  if (value === 0) return "0";
  const amount = Math.abs(value);
  if (amount < 1e-4 || amount >= 1e5) return value.toExponential(2);
  return amount >= 100 ? value.toFixed(1) : String(Number(value.toPrecision(4)));
}

/** Data of a panel from charts.py; `measures` are names and titles, `width` is in columns of 12. */
export type PanelData = { name: string, title: string, kind: string, help?: string, unit: string, log?: boolean, share?: boolean, noisy?: boolean, reaches?: number,
    width: number, if_measured?: boolean, measures: [name: string, title: string][] };
/** A line: of the current run, or of another one `beside` it. */
export type Line = { key: string, name: string, colour: string, dash: number[], steps: number[], values: number[],
    tested?: number[], low?: number[], high?: number[], beside?: boolean };
/** A strip of cells: for each step a row with a value at each position, which has a name. */
export type Cells = { steps: number[], rows: any[][], names: string[], cell(row: any[], position: number): object | false,
    tell(row: any[], position: number): string, sum(row: any[]): string };

// The frame of a panel: title, step, caption and plot.
export class Panel {
  board: Board;
  panel: PanelData;
  node: HTMLElement;
  title: HTMLHeadingElement;
  unit: HTMLElement;
  tested = element("span", "tested");
  step = element("span", "step soft");
  legend = element("div", "legend cut");
  plot = element("div", "plot");
  /** @param board has the axis, the library, the theme and what pointing at a chart does */
  constructor(board: Board, panel: PanelData) {
    this.board = board;
    this.panel = panel;
    const grouped = panel.kind === "lines" && panel.measures.some(([name]) => board.library?.measures[name].grouped);
    this.node = element("section", `panel ${panel.name}${panel.share ? " share" : ""}${grouped ? " grouped" : ""}`);
    this.node.dataset.kind = panel.kind;
    this.node.style.setProperty("--width", String(panel.width));
    this.node.dataset.panel = panel.name;
    this.node.setAttribute("aria-label", panel.title);
    this.title = element("h2", "cut", panel.title, { title: panel.help ?? "" });
    this.unit = element("span", "", panel.unit);
    const scale = element("div", "scale soft", this.unit, this.tested);
    this.node.append(element("header", "", this.title, this.step, scale), this.legend, this.plot);
  }
}

export class Chart extends Panel {
  picture = element("div", "picture");
  rule = element("div", "rule");
  chip = element("div", "chip");
  brush = element("div", "brush");
  dots = element("div", "dots");
  points = element("div", "dots asked"); // answers to a question
  empty = element("div", "empty", "Appears after the next evaluation.");
  series: Line[] = [];
  items: ReturnType<typeof legendItem>[] = [];
  named = ""; // key of the current legend
  cells: Cells | null = null;
  vega: any = null; // Vega's view
  key = "";
  room = 0; // total width; with the next two, the size of the plot
  width = 0;
  height = 0;
  logged = false;
  pointed!: number | undefined; // vertical position of the pointer
  finalize!: (() => void) | undefined;

  constructor(board: Board, panel: PanelData) {
    super(board, panel);
    this.plot.append(this.picture, this.brush, this.rule, this.dots, this.points, this.chip, this.empty);
    Object.assign(this.plot, { tabIndex: 0, role: "slider", ariaLabel: `${panel.title}, by step` });
    this.listen();
  }

  close() {
    this.key = "closed";
    this.finalize?.();
    this.node.remove();
  }

  // ---- drawing

  /** Measures without values keep their position in the legend. */
  setLines(series: Line[]) {
    this.series = series;
    const names = series.map(({ key, name, colour, dash }) => [key, name, colour, dash]);
    if (JSON.stringify(names) !== this.named) {
      this.named = JSON.stringify(names);
      this.items = series.map(legendItem);
      this.legend.replaceChildren(...this.items.map((item) => item.node));
      this.dots.replaceChildren(...series.map(({ colour }) => {
        const dot = element("i");
        dot.style.background = colour;
        return dot;
      }));
    }
  }

  setCells(cells: Cells) {
    this.cells = cells;
  }

  get steps() {
    return this.cells?.steps ?? longest(this.series.filter(({ beside }) => !beside));
  }

  // All steps that can be selected: the parent run may have more steps.
  get reach() {
    return this.cells?.steps ?? longest(this.series);
  }

  // Margins of the plot: labels of changes are above it, where they cover no line.
  get margins() {
    const { room, scale } = this.board.theme;
    return { ...room, top: room.top + (this.panel.kind === "lines" ? this.board.lanes * LANE * scale : 0) };
  }

  // Reads the size before any write, to avoid a layout for each chart.
  measure() {
    const { left, right, top, bottom } = this.margins;
    this.room = this.plot.clientWidth;
    this.width = Math.max(10, this.room - left - right);
    this.height = Math.max(10, this.plot.clientHeight - top - bottom);
  }

  // Draws all known values on the current axis, once there is a view.
  draw() {
    const { board } = this;
    this.empty.hidden = this.steps.length > 0;
    if (!this.room) return; // on a hidden tab
    this.prepare();
    if (!this.vega) return;
    const { first, last } = board.axis;
    const rows = this.cells ? this.cellRows(this.cells, first, last) : this.lineRows(first, last);
    this.vega
      .padding(this.margins)
      .width(this.width)
      .height(this.height)
      .signal("first", first)
      .signal("last", last)
      .data("rows", rows)
      .data("changes", board.changes())
      .run();
    this.mark();
    this.point(board.step);
  }

  // Compiles the specification for this theme and these lines; the old chart stays until the new one is ready. One Vega
  // view per panel. Measured with six panels against one concatenated specification with a shared hover: first drawing
  // (0.7 s) and a new point (65-70 ms) cost the same, but a move of the pointer costs 40-90 ms instead of 12, since Vega
  // redraws the charts. Panels that are not Vega charts can't be part of a concatenation.
  async prepare() {
    const { board, panel } = this;
    const { theme, library } = board;
    if (!library) return;
    const log = Boolean(panel.log && board.look.log);
    const key = JSON.stringify([board.themeKey, log, this.named ?? "", Boolean(this.asked)]);
    if (key === this.key) return;
    this.key = key;
    const kind = panel.kind === "lines" && panel.share ? "shares" : panel.kind;
    const spec = { width: 100, height: 100, ...structuredClone(library.specs[kind]) };
    if (panel.kind === "lines") this.dressLines(spec, log);
    if (this.asked && !log) for (const { encoding } of spec.layer) if (encoding?.y) encoding.y.scale = { zero: true }; // any loss can be pointed at
    if (panel.kind === "predictions") {
      const { right, wrong } = theme;
      const values: Record<string, string> = { rightFill: right.fill, rightInk: right.ink, wrongFill: wrong.fill, wrongInk: wrong.ink };
      for (const one of spec.params) one.value = values[one.name] ?? one.value;
    }
    const sheet = element("div", "sheet");
    const options = { mode: "vega-lite", config: config(theme), renderer: "canvas", actions: false, tooltip: false };
    // `ast`: Vega interprets its expressions, because compiling them needs eval, which the page's policy forbids.
    const made = await inTurn(async () =>
      key === this.key ? library.embed(sheet, spec, { ...options, ast: true, defaultStyle: false, logLevel: 1 }) : null);
    if (key !== this.key || !made) return made?.finalize();
    this.finalize?.();
    this.finalize = () => made.finalize();
    this.vega = made.view;
    this.logged = log;
    this.picture.replaceChildren(sheet);
    this.measure();
    this.draw();
  }

  dressLines(spec: any, log: boolean) {
    const domain = this.series.map(({ key }) => key);
    const range = this.series.map(({ colour }) => colour);
    const dashes = this.series.map(({ dash }) => dash);
    for (const { encoding } of spec.layer) {
      if (!encoding?.color) continue;
      encoding.color.scale = { domain, range };
      if (encoding.strokeDash) encoding.strokeDash.scale = { domain, range: dashes };
      if (log) {
        encoding.y.scale = { type: "log" };
        encoding.y.axis = { ...encoding.y.axis, labelOverlap: true };
      }
    }
  }

  // The visible values and one more on each side, so that lines reach the edges.
  lineRows(first: number, last: number) {
    const over = this.panel.noisy ? this.board.look.smoothing : 0;
    const log = this.logged;
    const rows: object[] = [];
    let most = 0;
    const order = [...this.series].sort((one, other) => Number(other.beside ?? false) - Number(one.beside ?? false)); // its lines are drawn first
    for (const one of order) {
      const smooth = smoothed(one, over);
      const from = Math.max(0, after(one.steps, first - 1e-9) - 1);
      const end = Math.min(one.steps.length, after(one.steps, last) + 1);
      most = Math.max(most, end - from);
      for (let at = from; at < end; at++) {
        if (log && !(one.values[at] > 0)) continue;
        rows.push({ step: one.steps[at], value: one.values[at], smooth: smooth[at], low: one.low?.[at], high: one.high?.[at], series: one.key });
      }
    }
    this.vega
      .signal("rawOpacity", over ? 0.28 : 1)
      .signal("rawWidth", (over ? 1 : 2) * this.board.theme.scale)
      .signal("smoothWidth", 2 * this.board.theme.scale)
      .signal("lineHeight", LANE * this.board.theme.scale)
      .signal("lanes", this.board.lanes)
      .signal("smoothOpacity", over ? 1 : 0)
      .signal("pointSize", !over && most <= FEW ? 18 * this.board.theme.scale : 0);
    return rows;
  }

  // As many columns as fit; each extends half-way to its neighbours; the first starts at its step, the last ends at the newest.
  cellRows({ steps, rows: values, names, cell }: Cells, first: number, last: number) {
    const from = Math.max(0, after(steps, first) - 1);
    const end = after(steps, last);
    const stride = Math.max(1, Math.ceil(((end - from) * CELL) / this.width));
    const shown: number[] = [];
    for (let at = end - 1; at >= from; at -= stride) shown.unshift(at);
    if (shown.length && shown[0] !== from) shown.unshift(from);
    const rows: object[] = [];
    let width = Infinity;
    shown.forEach((at, index) => {
      const [left, right] = [index - 1, index + 1].map((beside) => (steps[at] + steps[shown[beside]]) / 2);
      const step = index ? left : steps[at];
      const until = index + 1 < shown.length ? right : Math.max(this.board.newest, index ? steps[at] : steps[at] + 1);
      width = Math.min(width, ((until - step) / (last - first)) * this.width);
      for (let row = 0; row < names.length; row++) {
        const fields = cell(values[at], row);
        if (fields) rows.push({ step, until, position: row, ...fields });
      }
    });
    if (this.panel.kind === "predictions") {
      this.vega.signal("roomy", width >= ROOMY * this.board.theme.scale && this.height / names.length > this.board.theme.fontSize);
    }
    this.vega.signal("names", names.map(visible));
    return rows;
  }

  // The chart as SVG text.
  toSVG() {
    return this.vega.toSVG();
  }

  // ---- a question about a point of this panel

  get asked() {
    return asked.value?.panel === this.panel.name ? asked.value : null;
  }

  mark() {
    const { asked } = this;
    const { first, last } = this.board.axis;
    this.plot.toggleAttribute("data-picks", Boolean(asked?.pick));
    const marks = (asked?.marks ?? []).filter(({ at: [step] }) => step >= first && step <= last);
    this.points.replaceChildren(...marks.map(({ at: [step, value], text, name }) => {
      const dot = element("i", name, text);
      const y = Math.max(0, Math.min(this.height, this.vega.scale("y")(value)));
      dot.style.transform = `translate(${this.x(step)}px, ${y + this.margins.top}px)`;
      return dot;
    }));
  }

  // Whether a click answers the question.
  picks(event: MouseEvent) {
    const pick = this.asked?.pick;
    if (!pick || !this.vega) return false;
    const { left, top } = this.plot.getBoundingClientRect();
    const { first, last } = this.board.axis;
    const step = first + ((event.clientX - left - this.margins.left) / this.width) * (last - first);
    const value = this.vega.scale("y").invert(event.clientY - top - this.margins.top);
    pick([Math.round(Math.max(first, Math.min(last, step))), Number(value.toPrecision(3))]);
    return true;
  }

  // ---- marks of the pointer

  x(step: number) {
    const { first, last } = this.board.axis;
    return this.board.theme.room.left + ((step - first) / (last - first)) * this.width;
  }

  // Shows a step (null: the newest): rule, values and step number.
  point(step: number | null) {
    const { board } = this;
    if (!this.room) return;
    const { first, last } = board.axis;
    const steps = this.steps;
    const at = nearest(steps, step);
    const own = at < 0 ? null : steps[at];
    this.step.textContent = own === null ? "" : `step ${own.toLocaleString("en-US")}`;
    const drawn = step !== null && step >= first && step <= last;
    this.rule.hidden = this.chip.hidden = !drawn;
    if (drawn) {
      const x = this.x(step);
      const { top, bottom } = this.margins;
      this.rule.style.cssText = `left:${x}px;top:${top}px;bottom:${bottom}px`;
      this.chip.textContent = step.toLocaleString("en-US");
      this.chip.style.left = `${Math.min(Math.max(x, 16), this.room - 16)}px`;
    }
    const words = this.cells ? this.tellCells(this.cells, at) : this.tellLines(step, own, drawn);
    const ariaValueText = own === null ? "nothing measured yet" : `step ${own}: ${words}`;
    Object.assign(this.plot, { ariaValueMin: steps[0] ?? 0, ariaValueMax: steps.at(-1) ?? 0, ariaValueNow: own ?? 0, ariaValueText });
  }

  tellLines(step: number | null, own: number | null, drawn: boolean) {
    const format = this.panel.share ? percent : figure;
    const scale = drawn && this.vega ? this.vega.scale("y") : null;
    const { first, last } = this.board.axis;
    const dots = this.dots.querySelectorAll("i");
    const tested = this.series[0]?.tested?.[nearest(this.series[0].steps, step)];
    write(this.tested, tested ? ` · ${sequences(tested)} tested${this.series.some(({ low }) => low) ? " · band: 95 % interval" : ""}` : "");
    const words = this.series.map((one, index) => {
      const at = nearest(one.steps, one.beside ? (step ?? own) : step);
      const item = this.items[index];
      const text = at < 0 ? "–" : format(one.values[at]);
      write(item.value, text);
      const elsewhere = at >= 0 && one.steps[at] !== own ? `at ${one.steps[at].toLocaleString("en-US")}` : "";
      const number = one.tested?.[at] === tested ? "" : sequences(one.tested?.[at]);
      const interval = intervalOf(one, at);
      const apart = [elsewhere, interval, number].filter(Boolean).join(", ");
      write(item.apart, apart);
      item.apart.title = interval ? `95 % interval ${interval} %` : apart;
      const dot = dots[index];
      const y = scale && at >= 0 ? scale(one.values[at]) : NaN;
      dot.hidden = !Number.isFinite(y) || one.steps[at] < first || one.steps[at] > last;
      if (!dot.hidden) dot.style.transform = `translate(${this.x(one.steps[at])}px, ${y + this.margins.top}px)`;
      return `${one.name} ${text} ${apart}`.trim();
    });
    return [...words, sequences(tested)].filter(Boolean).join(", ");
  }

  tellCells({ rows, names, tell, sum }: Cells, at: number) {
    const position = this.pointed === undefined ? null : Math.floor(this.pointed * names.length);
    const text = at < 0 ? "" : position !== null && position >= 0 && position < names.length ? tell(rows[at], position) : sum(rows[at]);
    write(this.legend, text);
    return text;
  }

  // ---- pointer and keys

  listen() {
    const { plot, board } = this;
    const inside = (event: MouseEvent) => event.clientX - plot.getBoundingClientRect().left;
    const stepAt = (x: number) => {
      const { first, last } = board.axis;
      return first + ((x - board.theme.room.left) / this.width) * (last - first);
    };
    // The nearest measured step, preferably on the visible part of the axis.
    const measured = (x: number) => {
      const { first, last } = board.axis;
      const { reach } = this;
      const at = nearest(reach, stepAt(x));
      const inside = [at, at + 1, at - 1].find((each) => reach[each] >= first && reach[each] <= last);
      return reach[inside ?? at] ?? null;
    };
    const look = (event: MouseEvent) => {
      const box = plot.getBoundingClientRect();
      this.pointed = (event.clientY - box.top - this.margins.top) / this.height;
      board.rest(() => measured(event.clientX - plot.getBoundingClientRect().left));
    };
    let pressed: { x: number, touch: boolean } | null = null;
    plot.addEventListener("pointerdown", (event) => {
      if (event.button !== 0 || !board.theme) return;
      pressed = { x: inside(event), touch: event.pointerType === "touch" };
      if (pressed.touch) look(event);
      else plot.setPointerCapture(event.pointerId);
    });
    plot.addEventListener("pointermove", (event) => {
      const still = !event.movementX && !event.movementY; // a slide changed under the pointer
      if (!board.theme || (board.slide && still)) return;
      look(event);
      if (!pressed || pressed.touch) return;
      const [from, to] = [pressed.x, inside(event)].sort((a, b) => a - b);
      const { left } = board.theme.room;
      this.brush.hidden = to - from <= CLICK;
      this.brush.style.left = `${Math.max(from, left)}px`;
      this.brush.style.width = `${Math.min(to, left + this.width) - Math.max(from, left)}px`;
    });
    plot.addEventListener("pointerup", (event) => {
      if (!pressed) return;
      const { x, touch } = pressed;
      pressed = null;
      this.brush.hidden = true;
      const to = inside(event);
      if (Math.abs(to - x) <= CLICK && this.picks(event)) return;
      if (touch) board.hold(measured(to));
      else if (Math.abs(to - x) > CLICK) board.zoom(stepAt(Math.min(x, to)), stepAt(Math.max(x, to)));
      else board.clicked(measured(to));
    });
    plot.addEventListener("pointercancel", () => {
      pressed = null;
      this.brush.hidden = true;
    });
    plot.addEventListener("pointerleave", (event) => {
      this.pointed = undefined;
      if (event.pointerType !== "touch") board.rest(null);
    });
    plot.addEventListener("dblclick", () => board.zoom());
    plot.addEventListener("keydown", (event) => this.press(event));
    plot.addEventListener("blur", () => plot.clientWidth && board.hold(null)); // not if it is removed with its slide
    this.brush.hidden = true;
  }

  press(event: KeyboardEvent) {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const { board } = this;
    const { steps } = this;
    if (!steps.length) return;
    const at = nearest(steps, board.step);
    const far = event.shiftKey ? 10 : 1;
    const to = { ArrowLeft: at - far, ArrowRight: at + far, Home: 0, End: steps.length - 1 }[event.key];
    if (to !== undefined) board.hold(steps[Math.min(Math.max(to, 0), steps.length - 1)]);
    else if (event.key === "Enter") board.clicked(steps[at]);
    else if (event.key === "Escape") board.hold(null);
    else if (event.key === "+" || event.key === "=") board.zoomAround(steps[at], 0.5);
    else if (event.key === "-") board.zoomAround(steps[at], 2);
    else if (event.key === "0") board.zoom();
    else return;
    claim(event);
  }
}

// The 95 % interval of a value in percent, if the line has one; the value beside it has the unit.
function intervalOf({ low, high }: Line, at: number) {
  const [from, to] = [low?.[at], high?.[at]];
  return typeof from === "number" && typeof to === "number"
    ? [from, to].map((end) => percent(end).replace(" %", "")).join("-")
    : "";
}

function sequences(tested: number | null | undefined) {
  return tested ? `${tested.toLocaleString("en-US")} ${tested === 1 ? "sequence" : "sequences"}` : "";
}

function longest(series: Line[]) {
  return series.reduce((most, { steps }) => (steps.length > most.length ? steps : most), [] as number[]);
}

function legendItem({ name, colour, dash }: Line) {
  const node = element("span", "item");
  node.innerHTML = '<svg viewBox="0 0 18 8" aria-hidden="true"><path d="M0 4h18"/></svg>';
  const path = node.querySelector("path");
  if (path) Object.assign(path.style, { stroke: colour, strokeDasharray: dash.join(" ") });
  const value = element("b");
  const small = element("small");
  const apart = element("span");
  if (name) node.append(element("span", "name cut", name, { title: name }));
  small.append(apart);
  node.append(value, small);
  return { node, value, apart };
}

// Colour and dash of the line at this index of a single run's chart.
export function ownStyle(theme: ChartTheme, at: number) {
  return { colour: colourOf(theme, at), dash: at ? [[1, 0], [6, 3], [2, 2], [9, 3, 2, 3]][at % 4] : [1, 0] };
}
