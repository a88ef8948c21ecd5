// A sweep as small charts, one per combination of settings with a line per seed, or as a table.

import baseCss from "../parts/base.css";
import sweepCss from "./sweep.css";
import { stylesOf } from "../parts/styles.ts";
import { Live } from "../parts/live/stream.ts";
import { Views } from "../parts/views.ts";
import { button, element, percent, whole, write } from "../parts/words.ts";
import type { Call, Root } from "../parts/views.ts";

const dress = stylesOf(baseCss, sweepCss);
const SVG = "http://www.w3.org/2000/svg";
const WIDE = 200;
const HIGH = 100;
const views = new Views(build);
const NOTHING: Shown = { percent: true, columns: 0, steps: 1, cards: [], head: [], spread: 1, rows: [] };

/** A combination of settings, with a line for each seed. */
type Cell = { title: string, summary: string, index: number, lines: Line[] };
type Line = { name: string, result: string, solved: number | null, steps: number[], values: number[] };
/** A row of the table; `marks` and `middle` are solving steps and their median. */
type Row = { cells: string[], marks: number[], middle: number | null };
/** What is drawn: charts, or a table. */
type Shown = { percent: boolean, columns: number, steps: number, cards: Cell[], head: string[], spread: number, rows: Row[] };
/** `ask` sends requests to the page; `at` is the step under the pointer. */
type View = { cards: ReturnType<typeof card>[], at: number | null, grid: HTMLElement, table: HTMLTableElement,
    scroller: HTMLElement, box: HTMLElement, live: Live, draws: string, content: string, data: Shown,
    scale: ReturnType<typeof scales>, ask(verb: string, value: unknown): void, close(): void };
type Data = { channel: string, at: number, now: Record<string, any>, draws: "cards" | "table" };

export default function ({ data, parentElement, setTriggerValue }: Call<Data>) {
  const view = views.at(parentElement);
  view.ask = (verb, value) => setTriggerValue("asked", { verb, value });
  view.draws = data.draws;
  view.live.show(data);
  draw(view);
  return views.leave(parentElement);
}

function build(root: Root) {
  dress(root);
  const grid = element("div", "grid");
  const table = element("table", "summary");
  const scroller = element("div", "scroller", table);
  const box = element("div", "box");
  root.append(box);
  const live = new Live(() => draw(view));
  const close = () => {
    live.close();
    box.remove();
  };
  const scale = scales(NOTHING);
  const view: View = { cards: [], at: null, grid, table, scroller, box, live, draws: "", content: "", data: NOTHING, scale, ask() {}, close };
  grid.addEventListener("pointermove", (event) => point(view, event));
  grid.addEventListener("pointerleave", () => look(view, null));
  return view;
}

// Updates only changed parts, because the pointer may be on others.
function draw(view: View) {
  const { percent, columns, steps, head, spread, ...parts } = view.live.values;
  const charted = view.draws === "cards";
  const data = charted
    ? { ...NOTHING, percent, columns, steps, cards: numbered(parts, "card") }
    : { ...NOTHING, head, spread, rows: numbered(parts, "row") };
  const content = JSON.stringify(data);
  if (view.content === content) return;
  Object.assign(view, { content, data });
  view.box.replaceChildren(charted ? view.grid : view.scroller);
  charted ? chart(view) : tabulate(view);
}

// The values "card 0", "card 1" ... of a channel.
function numbered(values: Record<string, any>, kind: string) {
  const found: any[] = [];
  while (values[`${kind} ${found.length}`]) found.push(values[`${kind} ${found.length}`]);
  return found;
}

function chart(view: View) {
  const { cards, columns } = view.data;
  view.grid.style.setProperty("--columns", columns ? String(columns) : "auto-fill");
  view.scale = scales(view.data);
  while (view.cards.length > cards.length) view.cards.pop()?.root.remove();
  while (view.cards.length < cards.length) {
    const made = card(view, view.cards.length);
    view.cards.push(made);
    view.grid.append(made.root);
  }
  cards.forEach((each, at) => paint(view, view.cards[at], each));
  look(view, view.at);
}

// One scale for all charts, so that they can be compared.
function scales({ cards, percent, steps }: Shown): { last: number, across(step: number): number, up(value: number): number, ends: string[] } {
  const last = Math.max(1, steps);
  const across = (step: number) => (WIDE * step) / last;
  if (percent) return { last, across, up: (value) => HIGH * (1 - value), ends: ["100 %", "0"] };
  const values = cards.flatMap((each) => each.lines.flatMap((line) => line.values)).filter((value) => value > 0);
  const low = Math.min(...values, Infinity);
  const high = Math.max(...values, -Infinity);
  if (!(high > low)) return { last, across, up: () => HIGH / 2, ends: values.length ? [digits(high), ""] : ["", ""] };
  const span = Math.log(high) - Math.log(low);
  const up = (value: number) => HIGH * (1 - (Math.log(Math.max(value, low)) - Math.log(low)) / span);
  return { last, across, up, ends: [digits(high), digits(low)] };
}

function card(view: View, at: number) {
  const title = button("", "", () => view.ask("compare", view.data.cards[at].index));
  title.title = "Compare these runs";
  const lines = make("g", { class: "lines" });
  const svg = make("svg", { viewBox: `0 0 ${WIDE} ${HIGH}`, preserveAspectRatio: "none", role: "img" });
  const rule = make("line", { class: "rule", y1: 0, y2: HIGH });
  svg.append(lines, rule);
  const ends = [element("span", "top"), element("span", "bottom"), element("span", "last")];
  const readout = element("div", "readout");
  const plot = element("div", "plot", svg, ...ends);
  const root = element("figure", "card", element("figcaption", "title", title), plot, readout);
  return { root, title, svg, rule, ends, readout, lines };
}

function paint(view: View, { root, title, svg, lines, ends, readout }: View["cards"][number], data: Cell) {
  const { across, up, last } = view.scale;
  write(title, data.title);
  svg.setAttribute("aria-label", `${data.title}: ${data.summary}`);
  const paths = data.lines.map((line) => {
    const way = line.steps.map((step, at) => `${at ? "L" : "M"}${round(across(step))},${round(up(line.values[at]))}`);
    if (line.steps.length === 1) way.push("h0.01"); // a single value is a dot
    const path = make("path", { d: way.join(""), class: line.solved === null ? "open" : "solved" });
    const tip = make("title", {});
    tip.textContent = `${line.name}: ${line.result}`;
    path.append(tip);
    return path;
  });
  lines.replaceChildren(...paths);
  [view.scale.ends[0], view.scale.ends[1], `step ${whole(last)}`].forEach((text, at) => write(ends[at], text));
  readout.dataset.all = data.summary;
  root.classList.toggle("waiting", !data.lines.some((line) => line.steps.length));
}

// The step under the pointer, in all charts.
function point(view: View, event: PointerEvent) {
  const svg = (event.target as Element).closest("svg");
  if (!svg) return;
  const box = svg.getBoundingClientRect();
  const share = Math.min(1, Math.max(0, (event.clientX - box.left) / box.width));
  look(view, Math.round(share * view.scale.last));
}

function look(view: View, step: number | null) {
  view.at = step;
  view.cards.forEach(({ rule, readout }, at) => {
    const data = view.data.cards[at];
    rule.toggleAttribute("hidden", step === null);
    if (step === null) return write(readout, readout.dataset.all ?? "");
    const x = round(view.scale.across(step));
    rule.setAttribute("x1", String(x));
    rule.setAttribute("x2", String(x));
    const values = data.lines.map((line) => before(line, step)).filter((value) => value !== null);
    values.sort((a, b) => a - b);
    const shown = view.data.percent ? percent : digits;
    const ends = values.length > 1 && values[0] !== values.at(-1);
    const spread = ends ? ` (${shown(values[0])} to ${shown(values[values.length - 1])})` : "";
    write(readout, values.length ? `step ${whole(step)}: ${shown(median(values))}${spread}` : `step ${whole(step)}: –`);
  });
}

// The last value measured up to a step.
function before({ steps, values }: Line, step: number) {
  let found: number | null = null;
  for (let at = 0; at < steps.length && steps[at] <= step; at++) found = values[at];
  return found;
}

function median(values: number[]) {
  const half = values.length >> 1;
  return values.length % 2 ? values[half] : (values[half - 1] + values[half]) / 2;
}

function tabulate(view: View) {
  const { head, rows, spread } = view.data;
  const titles = head.map((title, at) => Object.assign(element("th", at ? "" : "first", title), { scope: "col" }));
  const body = rows.map(({ cells, marks, middle }) => {
    const dots = marks.map((mark) => dot(mark / spread, "mark"));
    const track = element("div", "track", ...dots, middle !== null && dot(middle / spread, "middle"));
    const texts = cells.map((text, at) => element("td", at ? "" : "first", text));
    return element("tr", "", ...texts, element("td", "strip", track));
  });
  view.table.replaceChildren(element("thead", "", element("tr", "", ...titles)), element("tbody", "", ...body));
}

function dot(share: number, name: string) {
  const node = element("i", name);
  node.style.left = `${100 * Math.min(1, share)}%`;
  return node;
}

function make(name: string, attributes: Record<string, string | number>) {
  const node = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, String(value));
  return node;
}

function round(value: number) {
  return Math.round(value * 10) / 10;
}

function digits(value: number) {
  return value !== 0 && Math.abs(value) < 1e-3 ? value.toExponential(1) : String(Number(value.toPrecision(3)));
}
