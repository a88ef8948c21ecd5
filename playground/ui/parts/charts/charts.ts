// Linked charts with one axis of training steps: a step selected in one is selected in all.

import pageCss from "../page.css";
import baseCss from "../base.css";
import tileCss from "../heatmaps/tile.css";
import chartsCss from "./charts.css";
import { Acts } from "../acts.ts";
import { Chart, ownStyle } from "./chart.ts";
import { download } from "./chart_export.ts";
import { storeOf, storeOfCheckpoint } from "./chart_store.ts";
import { chartTheme, colourOf, dashOf } from "./chart_theme.ts";
import { Examples } from "./examples.ts";
import { Heads } from "./heads.ts";
import { asked, curve, slide } from "../shown.ts";
import { Fields } from "../live/stream.ts";
import { toolbar } from "./toolbar.ts";
import { component } from "../component.ts";
import { element, percent } from "../words.ts";
import type { Cells, Line, PanelData } from "./chart.ts";
import type { ChartTheme, Palettes } from "./chart_theme.ts";
import type { Store } from "./chart_store.ts";
import type { Slide } from "../shown.ts";
import type { Call, Root } from "../component.ts";

const AGAIN = 250; // milliseconds within which a second click makes a double click
const LANES = 4; // maximum rows of labels of changes
const GREY = 7; // index among the colours of runs
const RETRY = { first: 1000, most: 30_000 }; // milliseconds
const ROOMS = [1, 1.5, 2, 3, 4, 5, 6, 8, 10];

type Looks = { log: boolean, smoothing: number, example: number, tap: string, inputs: Record<string, string> };

// View settings of charts in this tab; kept when the page changes.
const looks: Looks = { log: false, smoothing: 0, example: 0, tap: "", inputs: {} };
/**
 * The Vega functions, specifications by kind, panels of one run and of several compared runs, where measures are, and
 * colours. A measure has its table, its index in a row, and the indices of what belongs to it; a grouped one fills rows.
 */
type Library = { embed: Function, specs: Record<string, any>, panels: PanelData[], compared: PanelData[],
    measures: Record<string, { table: string, at: number, beside?: Record<string, number>, grouped: boolean, on_request: boolean,
      recorded?: boolean }>,
    colours: Palettes };
let library: Promise<Library> | null = null; // shared by all charts
let tries = 0;

// Loads the chart library and the specifications. Retries until it succeeds or `over()`, which gives null; `failed` is
// called after each failed attempt.
async function load({ program, specs }: Pick<Data, "program" | "specs">, failed: () => void, over: () => boolean) {
  for (let pause = RETRY.first; ; pause = Math.min(2 * pause, RETRY.most)) {
    try {
      return await (library ??= fetchBoth(program, specs));
    } catch {
      library = null;
      failed();
    }
    await new Promise((done) => setTimeout(done, pause));
    if (over()) return null;
  }
}

async function fetchBoth(program: string, specs: string) {
  // Browsers cache a module's failure by its address (HTML standard), so each attempt needs another address.
  const again = tries++ ? `?try=${tries}` : "";
  const [{ vegaEmbed }, definitions] = await Promise.all([
    import(new URL(`./${program}${again}`, document.baseURI).href),
    fetch(new URL(`./${specs}`, document.baseURI)).then((answer) => answer.json()),
  ]);
  return { embed: vegaEmbed, ...definitions };
}

/**
 * A run up to the step `upto`; `forced` are the teacher-forced measures that can differ; `running` tells whether it learns a
 * text, whose input is typed as `typing` says.
 */
export type Run = { id: string, name: string, shelf?: string, channel?: string, step: number, ended: boolean, how: string, running: boolean,
    typing: string, upto?: number | null, colour: number, forced: string[] };
/**
 * The runs, the one `beside` which a single run was begun, and which panels (none: all); `observes` tells whether one may
 * choose now that measures on request are recorded (null: never), `observed` whether they are, `opens` whether a click leads to a step.
 */
type Data = { runs: Run[], beside?: Run | null, panels: string[], observes: boolean | null, observed: boolean, opens: boolean,
    program: string, specs: string, session: string, heard: number };

const sheets = [pageCss, baseCss, tileCss, chartsCss];
export default component(sheets, (root) => new Board(root), (board, { data, setStateValue, setTriggerValue }: Call<Data>) => {
  board.open = (step) => setTriggerValue("step", step);
  board.acts.adopt(data, (message) => setStateValue("acts", message));
  board.show(data);
});

// Loads the chart library while the page is idle, before there is a run: evaluating it takes a third of the time from
// Train to the first point.
export function prepare({ data: { program, specs } }: Call<{ program: string, specs: string }>) {
  const later = window.requestIdleCallback ?? setTimeout; // Safari lacks it
  later(() => (library ??= fetchBoth(program, specs)).catch(() => (library = null)));
}

export class Board {
  parent: Root;
  root: HTMLElement;
  bar: ReturnType<typeof toolbar>;
  grid = element("div", "grid");
  observer = new ResizeObserver(() => this.fit());
  unwatch: (() => void)[];
  size = ""; // keys of what is drawn
  shown = "";
  themeKey = "";
  names = "";
  channel = "";
  alone = false; // whether the panels are those of a single run
  closed = false;
  acts = new Acts();
  stores: Map<string, Store> = new Map(); // by run id
  panels: (Chart | Examples | Heads)[] = [];
  look = looks;
  resting: (() => number | null) | null = null; // returns the step under the resting pointer
  held: number | null = null; // the step chosen by key or touch
  zoomed: { first: number, last: number } | null = null;
  library: Library | null = null;
  loading!: Promise<Library | null> | undefined;
  data!: Data;
  theme!: ChartTheme;
  played: Fields | null = null;
  slide: Slide | null = null;
  open!: (step: number) => void;
  news = 0; // requests of a frame, and a timer
  frame = 0;
  opening = 0;

  constructor(parent: Root) {
    this.parent = parent;
    this.root = parent.querySelector(".charts") as HTMLElement;
    this.bar = toolbar(this);
    this.root.append(this.bar.node, this.grid);
    this.observer.observe(this.root);
    this.unwatch = [slide.watch((now) => this.present(now)), asked.watch(() => this.shown && this.redraw())];
    document.addEventListener("keydown", this.letGo);
  }

  // The chosen step stays when the slide changes; a pointer that merely rests doesn't choose one.
  present(slide: Slide | null) {
    this.held = slide && this.slide ? this.step : null;
    this.resting = null;
    this.slide = slide;
    this.choosePanels();
    this.fit();
    if (this.shown) this.point();
  }

  letGo = (event: KeyboardEvent) => {
    if (event.key !== "Escape" || !this.slide || this.held === null) return;
    this.hold(null);
    event.preventDefault(); // the next Escape leaves the presenter view
  };

  // The presenter view changes all sizes, also of fonts.
  fit() {
    const size = `${this.root.clientWidth} ${this.panels.map(({ plot }) => plot.clientHeight)}`;
    const other = size !== this.size;
    this.size = size;
    if (this.shown && other) this.dress() ? this.fill() : this.redraw();
  }

  // Panels of the slide in the presenter view, otherwise all.
  choosePanels() {
    this.grid.classList.toggle("presented", this.slide !== null);
    for (const { node, panel } of this.panels) node.classList.toggle("shown", !!this.slide?.panels.includes(panel.name));
  }

  close() {
    this.closed = true;
    cancelAnimationFrame(this.news);
    this.played?.close();
    for (const store of this.stores.values()) store.leave(this.changed);
    this.observer.disconnect();
    for (const unwatch of this.unwatch) unwatch();
    curve.set(this, null);
    document.removeEventListener("keydown", this.letGo);
    for (const panel of this.panels) panel.close();
    this.root.replaceChildren();
  }

  // ---- data

  async show(data: Data) {
    this.data = structuredClone(data); // its runs are updated by the event stream
    this.listen();
    for (const { id } of this.all) this.store(id); // its numbers are on their way while charts are compiled
    for (const [id, store] of this.stores) {
      if (this.all.some((run) => run.id === id)) continue;
      store.leave(this.changed);
      this.stores.delete(id);
    }
    this.loading ??= load(data, () => this.bar.say("Charts didn't load. Retrying ..."), () => this.closed);
    this.library ??= await this.loading;
    if (this.closed) return;
    this.dress();
    if (!this.panels.length) this.fill(); // start slow work while the numbers are loading
    this.refresh();
  }

  // Key of the last drawing, to skip redraws without changes.
  get drawn() {
    return JSON.stringify([this.data, this.themeKey, this.all.map(({ id }) => this.store(id).version)]);
  }

  // Draws updates, at most once per frame.
  changed = () => {
    cancelAnimationFrame(this.news);
    this.news = requestAnimationFrame(() => this.refresh());
  };

  refresh() {
    if (this.closed || !this.data || !this.library) return;
    for (const run of this.all) {
      const { more } = this.store(run.id);
      if (!run.channel && more.step !== undefined) Object.assign(run, { step: more.step, ended: more.ended });
    }
    const problem = this.all.map(({ id }) => this.store(id).problem).find(Boolean) ?? "";
    const { drawn } = this;
    this.bar.say(problem);
    if (drawn === this.shown) return;
    this.shown = drawn;
    const [{ id, name, shelf }] = this.data.runs;
    curve.set(this, this.single && !shelf ? { run: id, name, step: this.newest } : null);
    this.fill();
  }

  store(id: string) {
    const known = this.stores.get(id);
    if (known) return known;
    const make = this.all.find((run) => run.id === id)?.shelf === "library" ? storeOfCheckpoint : storeOf;
    const store = make(id, this.changed);
    this.stores.set(id, store);
    return store;
  }

  // A playback changes the visible end of a run.
  listen() {
    const channel = this.data.runs[0].channel ?? "";
    if (channel === this.channel) return;
    this.channel = channel;
    this.played?.close();
    this.played = !channel ? null : new Fields(channel, () => {
      const values = this.played?.values ?? {};
      const [run] = this.data.runs;
      if (run.channel === channel && values.step !== undefined) Object.assign(run, { upto: values.step, step: values.step, ended: values.ended });
      this.changed();
    });
  }

  // Reads the theme; returns whether it has changed.
  dress() {
    if (!this.library) return false;
    const theme = chartTheme(this.parent, this.library.colours);
    const key = JSON.stringify(theme);
    if (key === this.themeKey) return false;
    this.theme = theme;
    this.themeKey = key;
    for (const [name, value] of Object.entries({ right: theme.right.fill, wrong: theme.wrong.fill, miss: theme.wrong.ink })) {
      this.root.style.setProperty(`--${name}`, value);
    }
    return true;
  }

  // Whether measures on request are recorded: the page's state with unconfirmed acts applied.
  get observed() {
    const { id } = this.data.runs[0];
    return this.acts.pending.findLast(([, , run]) => run === id)?.[3] ?? this.data.observed;
  }

  observe(on: boolean) {
    this.acts.add("observe", this.data.runs[0].id, on);
    this.fill();
  }

  get single() {
    return this.data.runs.length === 1;
  }

  // The runs, and the parent of a single run, whose lines are drawn beside its own.
  get all() {
    const { runs, beside } = this.data;
    return beside ? [...runs, beside] : runs;
  }

  // Creates the panels and their content.
  fill() {
    const wanted = this.wanted();
    const names = wanted.map(({ name }) => name).join(" ") + this.single;
    if (names !== this.names) {
      this.names = names;
      const stay = this.single === this.alone ? new Map(this.panels.map((chart) => [chart.panel.name, chart])) : new Map();
      for (const chart of this.panels) if (!wanted.some(({ name }) => name === chart.panel.name && stay.has(name))) chart.close();
      this.panels = wanted.map((panel) => stay.get(panel.name) ?? new (KINDS[panel.kind] ?? Chart)(this, panel));
      this.alone = this.single;
      this.grid.replaceChildren(...this.panels.map(({ node }) => node));
      this.choosePanels();
    }
    for (const panel of this.panels) this.give(panel);
    this.bar.update();
    this.redraw();
  }

  wanted() {
    if (!this.library) return [];
    const { panels, compared, measures } = this.library;
    // A text that the model writes is read first.
    const ranked = !this.single ? compared : !this.data.runs[0].running ? panels
      : [...panels.filter(({ kind }) => kind === "examples"), ...panels.filter(({ kind }) => kind !== "examples")];
    return ranked.filter((panel) => {
      if (this.data.panels.length && !this.data.panels.includes(panel.name)) return false;
      return !panel.if_measured || panel.measures.some(([name]) =>
        (measures[name].on_request && this.observed) || this.data.runs.some((run) => this.has(run, name)));
    });
  }

  // Whether a run has values of a measure.
  has(run: Run, name: string) {
    const { table, grouped } = (this.library as Library).measures[name];
    return grouped ? this.store(run.id).rows(table, run.upto).some((row) => row.length > 1) : this.column(run, name).steps.length > 0;
  }

  give(chart: Chart | Examples | Heads) {
    const { kind, measures } = chart.panel;
    const { runs } = this.data;
    const [run] = runs;
    const store = this.store(run.id);
    if (!(chart instanceof Chart)) return chart.fill(run, store);
    if (kind === "positions") return chart.setCells(accuracyOf(store, run, measures[0][0]));
    if (kind === "predictions") return chart.setCells(predictionsOf(store, run, this.example));
    if (this.library?.measures[measures[0][0]].grouped) return chart.setLines(this.groups(store, run, chart.panel));
    if (!this.single) {
      return chart.setLines(runs.map((each, at) => ({
        key: each.id, name: each.name, colour: colourOf(this.theme, each.colour), dash: dashOf(at), ...this.column(each, measures[0][0]),
      })));
    }
    const shown = measures.filter(([measure]) => (!measure.startsWith("teacher_forced") || run.forced.includes(measure)) &&
      (!this.library?.measures[measure].recorded || this.has(run, measure)));
    const own = shown.map(([key, title], at: number) => ({ key, name: title, ...ownStyle(this.theme, at), ...this.column(run, key) }));
    const { beside } = this.data;
    const left = beside && { key: "beside", beside: true, name: beside.name, colour: colourOf(this.theme, GREY), dash: dashOf(GREY) };
    chart.setLines(left ? [...own, { ...left, ...this.column(beside, measures[0][0]) }] : own);
  }

  get example() {
    const { examples = [] } = this.store(this.data.runs[0].id).more;
    return Math.min(this.look.example, Math.max(0, examples.length - 1));
  }

  // The selected attention.
  get attention() {
    const { attentions = [], attention } = this.store(this.data.runs[0].id).more;
    return attentions.find(({ tap }) => tap === this.look.tap) ?? attentions.find(({ tap }) => tap === attention) ?? null;
  }

  // A line for each group of a measure; of heads, those of the selected attention.
  groups(store: Store, run: Run, { measures: [[measure]], reaches = 0 }: PanelData): Line[] {
    const { groups = {} } = store.more;
    const all = (groups[measure] ?? []).map(([tap, name], at: number) => ({ tap, name, at: 1 + at }));
    const read = all.filter(({ tap }) => !tap || tap === this.attention?.tap)
      .map(({ name, at }) => ({ name, column: store.column(measure, at, run.upto) }));
    const high = read.filter(({ column }) => !reaches || column.values.some((value) => value >= reaches));
    return high.map(({ name, column }, index: number) => ({
      key: name,
      name,
      colour: colourOf(this.theme, index),
      dash: dashOf(index + Math.floor(index / this.theme.colours.length)), // no two lines look the same
      ...column,
    }));
  }

  column(run: Run, measure: string) {
    const { table, at, beside } = (this.library as Library).measures[measure];
    return this.store(run.id).column(table, at, run.upto, beside);
  }

  // ---- the axis

  // The newest step of the runs.
  get newest() {
    return Math.max(0, ...this.data.runs.map((run) => this.last(run)));
  }

  // The last visible step.
  get end() {
    const { beside } = this.data;
    const later = asked.value?.step ?? 0; // of a question
    return Math.max(1, this.newest, beside ? this.last(beside) : 0, later);
  }

  // The newest step of a run, which can be newer than the page's data.
  last({ id, step, upto }: Run) {
    return upto ?? Math.max(step, this.store(id).tables.steps?.at(-1)?.[0] ?? 0);
  }

  // While a run trains, the axis extends beyond its newest step, so that lines don't shift at every update.
  get axis() {
    if (this.zoomed) return this.zoomed;
    const { end } = this;
    if (this.all.every(({ ended }) => ended)) return { first: 0, last: end };
    const size = 10 ** Math.floor(Math.log10(end));
    return { first: 0, last: ROOMS.map((room) => room * size).find((room) => room >= end) ?? end };
  }

  /** Without arguments: the whole axis. */
  zoom(from: number = 0, to: number = Infinity) {
    const { end } = this;
    const whole = from <= 0 && to >= end;
    const first = Math.max(0, Math.floor(from));
    this.zoomed = whole ? null : { first, last: Math.max(Math.ceil(Math.min(to, Math.max(end, first + 1))), first + 1) };
    this.bar.update();
    this.redraw();
  }

  zoomAround(step: number, factor: number) {
    const { first, last } = this.axis;
    this.zoom(step - (step - first) * factor, step + (last - step) * factor);
  }

  // Steps of changes and of the branch point, with labels of the first run.
  changes() {
    const [{ id, upto }] = this.data.runs;
    const changes = this.single ? (this.store(id).more.changes ?? []) : [];
    return changes.filter(({ step }) => step <= (upto ?? Infinity)).map(({ step, label }, at) => ({ step, label, line: at % LANES }));
  }

  // Number of label rows above the plots.
  get lanes() {
    return Math.min(LANES, this.changes().length);
  }

  redraw() {
    this.size = `${this.root.clientWidth} ${this.panels.map(({ plot }) => plot.clientHeight)}`;
    for (const panel of this.panels) panel.measure();
    for (const panel of this.panels) panel.draw();
    this.tell();
  }

  // ---- the selected step

  // null: the newest step.
  get step() {
    if (this.resting) return this.resting();
    return this.held;
  }

  // The pointer rests here, and new data can change the step under it; null: it has left.
  rest(ask: (() => number | null) | null) {
    this.resting = ask;
    if (ask && this.slide) this.held = null;
    this.point();
  }

  hold(step: number | null) {
    this.held = step;
    if (step !== null) this.resting = null;
    this.point();
  }

  point() {
    cancelAnimationFrame(this.frame);
    this.frame = requestAnimationFrame(() => {
      const { step } = this;
      for (const panel of this.panels) panel.point(step);
      this.tell();
    });
  }

  tell() {
    this.bar.tell(this.step, this.newest);
  }

  clicked(step: number | null) {
    const second = this.opening;
    clearTimeout(second);
    this.opening = 0;
    if (step === null || !this.data.opens) return;
    // If a double click has an action, a click waits until it can't become one.
    if (!this.zoomed) this.open(step);
    else if (!second) {
      this.opening = setTimeout(() => {
        this.opening = 0;
        this.open(step);
      }, AGAIN);
    }
  }

  change(part: Partial<Looks>) {
    Object.assign(this.look, part);
    this.bar.update();
    this.redraw();
  }

  // Selects another example or attention.
  choose(part: Partial<Looks>) {
    Object.assign(this.look, part);
    this.fill();
  }

  download(kind: string, name: string) {
    return download(this, kind, name);
  }
}

const KINDS: Record<string, typeof Examples | typeof Heads> = { examples: Examples, attention: Heads };

// Accuracy at each answer position.
function accuracyOf(store: Store, run: Run, measure: string): Cells {
  const rows = store.rows(measure, run.upto).filter((row) => row.length > 1); // an earlier version didn't measure it
  const values = rows.map((row) => row.slice(1));
  const most = values.reduce((longest, row) => Math.max(longest, row.length), 0);
  return {
    steps: rows.map(([step]) => step),
    rows: values,
    names: Array.from({ length: most }, (_, at) => String(at + 1)),
    cell: (row, position) => typeof row[position] === "number" && { value: row[position] },
    tell: (row, position) => (typeof row[position] === "number" ? `position ${position + 1}: ${percent(row[position])} right` : `position ${position + 1}: not evaluated`),
    sum(row) {
      const tested = row.map((value, position) => [value, position]).filter(([value]) => typeof value === "number");
      const worst = tested.reduce((least, one) => (one[0] < least[0] ? one : least), tested[0] ?? [0, 0]);
      return tested.length ? `lowest: position ${worst[1] + 1}, ${percent(worst[0])} right` : "";
    },
  };
}

// The predictions for one example, token by token, beside the right answer.
function predictionsOf(store: Store, run: Run, example: number): Cells {
  const { tokens = [], examples = [] } = store.more;
  const rows = store.rows("predictions", run.upto).filter((row) => row[1].length); // an earlier version had other examples
  const values = rows.map((row): number[] => row[1][example] ?? []);
  const right = examples[example]?.right ?? [];
  const most = values.reduce((longest, row) => Math.max(longest, row.length), right.length);
  const name = (id: number) => tokens[id] ?? "";
  return {
    steps: rows.map(([step]) => step),
    rows: values,
    names: Array.from({ length: most }, (_, at) => name(right[at]) || "–"),
    cell: (row, position) => (row[position] !== undefined || right[position] !== undefined)
      && { token: name(row[position]), right: row[position] === right[position] },
    tell: (row, position) => `position ${position + 1}: predicted ${name(row[position]) || "nothing"}, expected ${name(right[position]) || "nothing"}`,
    sum: (row) => `${right.filter((id, position) => row[position] === id).length} of ${right.length} tokens right`,
  };
}
