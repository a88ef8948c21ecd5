// A sweep as small charts, one per combination of settings with a line per seed, or as a table.

import baseCss from "../parts/base.css";
import sweepCss from "./sweep.css";
import { Live } from "../parts/live/stream.ts";
import { component } from "../parts/component.ts";
import { button, drawing, element, percent, whole, write } from "../parts/words.ts";
import type { Call, Root } from "../parts/component.ts";

const ACROSS = 4; // charts in a row where the table of settings has no columns
const WIDE = 200;
const HIGH = 100;
const NOTHING: Shown = { percent: true, unit: "", columns: 0, steps: 1, cards: [], head: [], spread: 1, rows: [] };

/** A combination of settings, with a line for each seed. */
type Cell = { title: string, summary: string, note: string, index: number, lines: Line[] };
type Line = { name: string, result: string, solved: number | null, steps: number[], values: number[], bands: number[][] };
/** A row of the table; `marks` and `middle` are solving steps and their median. */
type Row = { cells: string[], marks: number[], middle: number | null };
/** What is drawn: charts, or a table. */
type Shown = { percent: boolean, unit: string, columns: number, steps: number, cards: Cell[], head: string[], spread: number, rows: Row[] };
type Scale = { last: number, across(step: number): number, up(value: number): number, ends: string[] };
type Data = { channel: string, at: number, now: Record<string, any>, draws: "cards" | "table" };

export default component([baseCss, sweepCss], (root) => new Sweep(root), (sweep, { data, setTriggerValue }: Call<Data>) => {
  sweep.ask = (verb, value) => setTriggerValue("asked", { verb, value });
  sweep.draws = data.draws;
  sweep.live.show(data);
  sweep.draw();
});

class Sweep {
  cards: ReturnType<typeof card>[] = [];
  at: number | null = null; // the step under the pointer
  unit = element("div", "unit");
  grid = element("div", "grid");
  table = element("table", "summary");
  scroller = element("div", "scroller", this.table);
  box = element("div", "box");
  live = new Live(() => this.draw());
  draws = "";
  content = "";
  data = NOTHING;
  scale = scales(NOTHING);
  ask: (verb: string, value: unknown) => void = () => {}; // sends requests to the page

  constructor(root: Root) {
    root.append(this.box);
    this.grid.addEventListener("pointermove", (event) => this.point(event));
    this.grid.addEventListener("pointerleave", () => this.look(null));
  }

  close() {
    this.live.close();
    this.box.remove();
  }

  // Updates only changed parts, because the pointer may be on others.
  draw() {
    const { percent, unit, columns, steps, head, spread, ...parts } = this.live.values;
    const charted = this.draws === "cards";
    const data = charted
      ? { ...NOTHING, percent, unit, columns, steps, cards: numbered(parts, "card") }
      : { ...NOTHING, head, spread, rows: numbered(parts, "row") };
    const content = JSON.stringify(data);
    if (this.content === content) return;
    Object.assign(this, { content, data });
    this.box.replaceChildren(...(charted ? [this.unit, this.grid] : [this.scroller]));
    charted ? this.chart() : this.tabulate();
  }

  chart() {
    const { cards, columns, unit } = this.data;
    write(this.unit, unit);
    this.grid.style.setProperty("--columns", columns ? String(columns) : "auto-fill");
    this.grid.style.setProperty("--rows", String(Math.ceil(cards.length / (columns || ACROSS)) || 1));
    this.scale = scales(this.data);
    while (this.cards.length > cards.length) this.cards.pop()?.root.remove();
    while (this.cards.length < cards.length) {
      const made = card((at) => this.ask("compare", this.data.cards[at].index), this.cards.length);
      this.cards.push(made);
      this.grid.append(made.root);
    }
    cards.forEach((each, at) => paint(this.cards[at], each, this.scale));
    this.look(this.at);
  }

  // The step under the pointer, in all charts.
  point(event: PointerEvent) {
    const svg = (event.target as Element).closest("svg");
    if (!svg) return;
    const box = svg.getBoundingClientRect();
    const share = Math.min(1, Math.max(0, (event.clientX - box.left) / box.width));
    this.look(Math.round(share * this.scale.last));
  }

  look(step: number | null) {
    this.at = step;
    this.cards.forEach(({ rule, readout }, at) => {
      const data = this.data.cards[at];
      rule.toggleAttribute("hidden", step === null);
      if (step === null) return write(readout, readout.dataset.all ?? "");
      const x = round(this.scale.across(step));
      rule.setAttribute("x1", String(x));
      rule.setAttribute("x2", String(x));
      const values = data.lines.map((line) => before(line, step)).filter((value) => value !== null);
      values.sort((a, b) => a - b);
      const shown = this.data.percent ? percent : digits;
      const ends = values.length > 1 && values[0] !== values.at(-1);
      const spread = ends ? ` (${shown(values[0])} to ${shown(values[values.length - 1])})` : "";
      write(readout, values.length ? `step ${whole(step)}: ${shown(median(values))}${spread}` : `step ${whole(step)}: –`);
    });
  }

  tabulate() {
    const { head, rows, spread } = this.data;
    const titles = head.map((title, at) => element("th", at ? "" : "first", title, { scope: "col" }));
    const body = rows.map(({ cells, marks, middle }) => {
      const dots = marks.map((mark) => dot(mark / spread, "mark"));
      const track = element("div", "track", ...dots, middle !== null && dot(middle / spread, "middle"));
      const texts = cells.map((text, at) => element("td", at ? "" : "first", text));
      return element("tr", "", ...texts, element("td", "strip", track));
    });
    this.table.replaceChildren(element("thead", "", element("tr", "", ...titles)), element("tbody", "", ...body));
  }
}

// The values "card 0", "card 1" ... of a channel.
function numbered(values: Record<string, any>, kind: string) {
  const found: any[] = [];
  while (values[`${kind} ${found.length}`]) found.push(values[`${kind} ${found.length}`]);
  return found;
}

// One scale for all charts, so that they can be compared.
function scales({ cards, percent, steps }: Shown): Scale {
  const last = Math.max(1, steps);
  const across = (step: number) => (WIDE * step) / last;
  if (percent) return { last, across, up: (value) => HIGH * (1 - value), ends: ["100 %", "0 %"] };
  const values = cards.flatMap((each) => each.lines.flatMap((line) => line.values)).filter((value) => value > 0);
  const low = Math.min(...values, Infinity);
  const high = Math.max(...values, -Infinity);
  if (!(high > low)) return { last, across, up: () => HIGH / 2, ends: values.length ? [digits(high), ""] : ["", ""] };
  const span = Math.log(high) - Math.log(low);
  const up = (value: number) => HIGH * (1 - (Math.log(Math.max(value, low)) - Math.log(low)) / span);
  return { last, across, up, ends: [digits(high), digits(low)] };
}

function card(compare: (at: number) => void, at: number) {
  const title = button("", "", () => compare(at), { title: "Compare these runs" });
  const lines = drawing("g", { class: "lines" });
  const rule = drawing("line", { class: "rule", y1: 0, y2: HIGH });
  const svg = drawing("svg", { viewBox: `0 0 ${WIDE} ${HIGH}`, preserveAspectRatio: "none", role: "img" }, lines, rule);
  const ends = [element("span", "top"), element("span", "bottom"), element("span", "last")];
  const readout = element("div", "readout");
  const note = element("div", "note");
  const plot = element("div", "plot", svg, ...ends);
  const root = element("figure", "card", element("figcaption", "title", title), plot, readout, note);
  return { root, title, svg, rule, ends, readout, note, lines };
}

function paint({ root, title, svg, lines, ends, readout, note }: ReturnType<typeof card>, data: Cell, scale: Scale) {
  const { across, up, last } = scale;
  write(title, data.title);
  svg.setAttribute("aria-label", `${data.title}: ${data.summary}`);
  const paths = data.lines.map((line) => {
    const way = line.steps.map((step, at) => `${at ? "L" : "M"}${round(across(step))},${round(up(line.values[at]))}`);
    if (line.steps.length === 1) way.push("h0.01"); // a single value is a dot
    const tip = drawing("title", {}, `${line.name}: ${line.result}`);
    return drawing("path", { d: way.join(""), class: line.solved === null ? "open" : "solved" }, tip);
  });
  // The 95 % interval: there along the upper ends, back along the lower ones.
  const bands = data.lines.filter(({ steps, bands }) => bands.length > 1 && bands.length === steps.length).map(({ steps, bands }) => {
    const corner = (end: number) => (step: number, at: number) => `${round(across(step))},${round(up(bands[at][end]))}`;
    return drawing("path", { d: `M${[...steps.map(corner(1)), ...steps.map(corner(0)).reverse()].join("L")}Z`, class: "band" });
  });
  lines.replaceChildren(...bands, ...paths);
  [...scale.ends, `step ${whole(last)}`].forEach((text, at) => write(ends[at], text));
  readout.dataset.all = data.summary;
  write(note, data.note);
  root.classList.toggle("waiting", !data.lines.some((line) => line.steps.length));
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

function dot(share: number, name: string) {
  const node = element("i", name);
  node.style.left = `${100 * Math.min(1, share)}%`;
  return node;
}

function round(value: number) {
  return Math.round(value * 10) / 10;
}

function digits(value: number) {
  return value !== 0 && Math.abs(value) < 1e-3 ? value.toExponential(1) : String(Number(value.toPrecision(3)));
}
