// The charts of a page, on one axis of training steps: to point at a step in one of them is to point at it in all.

import { Chart, figure, ownStyle } from "./chart.js";
import { download } from "./chart_export.js";
import { nearest, Store } from "./chart_store.js";
import { chartTheme, colourOf, dashOf } from "./chart_theme.js";
import { Examples } from "./examples.js";
import { onSlide } from "./stage.js";
import { toolbar } from "./toolbar.js";
import { element } from "./words.js";

const CLOSING = 500; // milliseconds
const AGAIN = 250; // in which a second click makes a double click of the first
const ROOMS = [1, 1.5, 2, 3, 4, 5, 6, 8, 10];

const sheet = new CSSStyleSheet();
await fetch(new URL("charts.css", import.meta.url)).then(async (answer) => sheet.replaceSync(await answer.text()));

// How charts are looked at in this tab; it outlasts a visit to another page.
const looks = { log: false, smoothing: 0, example: 0 };
const boards = new WeakMap();
let library = null; // a promise, the same for all

// The program that draws, and what there is to draw.
function load({ program, specs }) {
  library ??= Promise.all([
    import(new URL(`./${program}`, document.baseURI)),
    fetch(new URL(`./${specs}`, document.baseURI)).then((answer) => answer.json()),
  ]).then(
    ([{ vegaEmbed }, told]) => ({ embed: vegaEmbed, ...told }),
    (error) => {
      library = null;
      throw error;
    },
  );
  return library;
}

export default function ({ data, parentElement, setStateValue, setTriggerValue }) {
  const board = boards.get(parentElement) ?? new Board(parentElement);
  boards.set(parentElement, board);
  board.open = (step) => setTriggerValue("step", step);
  board.observe = (on) => setStateValue("observe", on);
  const turn = ++board.turn;
  board.show(data);
  // Streamlit may clean up just before it draws the same again, or late, when a newer call has come: neither is the end.
  return () => setTimeout(() => {
    if (board.turn !== turn) return;
    board.close();
    boards.delete(parentElement);
  }, CLOSING);
}

class Board {
  turn = 0;
  stores = new Map(); // by id of the run
  panels = [];
  look = looks;
  resting = null; // asks for the step below the resting pointer
  held = null; // the step that a key or a finger chose
  zoomed = null; // { first, last }
  library = null;
  busy = false;

  constructor(parent) {
    this.host = parent.host ?? parent;
    parent.adoptedStyleSheets = [sheet];
    this.root = parent.querySelector(".charts");
    this.bar = toolbar(this);
    this.grid = element("div", "grid");
    this.root.append(this.bar.node, this.grid);
    this.observer = new ResizeObserver(() => this.redraw());
    this.observer.observe(this.grid);
    this.unwatch = onSlide((slide) => this.present(slide));
  }

  present(slide) {
    this.slide = slide;
    this.choosePanels();
    if (!this.library || !this.shown) return;
    this.dress();
    this.shown === null ? this.refresh() : this.redraw();
  }

  // In the presenter view those of the slide; else all.
  choosePanels() {
    this.grid.classList.toggle("presented", this.slide !== null);
    for (const { node, panel } of this.panels) node.classList.toggle("shown", !!this.slide?.panels.includes(panel.name));
  }

  close() {
    this.turn = -1;
    this.observer.disconnect();
    this.unwatch();
    for (const panel of this.panels) panel.close();
    this.root.replaceChildren();
  }

  // ---- what is known

  async show(data) {
    this.data = data;
    try {
      this.library ??= await load(data);
    } catch {
      this.bar.say("The program that draws the charts did not come; it is asked for again with the next step.");
      return;
    }
    this.dress();
    await this.refresh();
  }

  // Asks for what is new of every run, one after another; what the page says meanwhile is asked for in the next round.
  async refresh() {
    if (this.busy) return;
    this.busy = true;
    let news = this.shown !== this.data;
    for (let again = true; again && this.turn >= 0; ) {
      const waiting = this.data.runs.filter(({ id, stamp }) => this.store(id).stamp !== stamp);
      again = waiting.length > 0;
      const answers = await Promise.all(waiting.map(({ id, stamp }) => this.store(id).refresh(stamp)));
      news ||= answers.some(Boolean);
      if (waiting.some(({ id, stamp }) => this.store(id).stamp !== stamp)) again = false; // it did not answer
    }
    this.busy = false;
    if (this.turn < 0) return;
    this.shown = this.data;
    this.bar.say(this.data.runs.map(({ id }) => this.store(id).problem).find(Boolean) ?? "");
    if (news) this.fill();
  }

  store(id) {
    if (!this.stores.has(id)) this.stores.set(id, new Store(id));
    return this.stores.get(id);
  }

  dress() {
    const theme = chartTheme(this.host, this.library.colours);
    const key = JSON.stringify(theme);
    if (key === this.themeKey) return;
    this.theme = theme;
    this.themeKey = key;
    for (const [name, value] of Object.entries({ right: theme.right.fill, wrong: theme.wrong.fill, miss: theme.wrong.ink })) {
      this.root.style.setProperty(`--${name}`, value);
    }
    this.shown = null;
  }

  get single() {
    return this.data.runs.length === 1;
  }

  // Which panels there are, and what is in them.
  fill() {
    const wanted = this.wanted();
    const names = wanted.map(({ name }) => name).join(" ") + this.single;
    if (names !== this.names) {
      this.names = names;
      for (const panel of this.panels) panel.close();
      this.panels = wanted.map((panel) => (panel.kind === "examples" ? new Examples(this, panel) : new Chart(this, panel)));
      this.grid.replaceChildren(...this.panels.map(({ node }) => node));
      this.grid.dataset.count = String(wanted.length);
      this.choosePanels();
    }
    for (const panel of this.panels) this.give(panel);
    this.bar.update();
    this.redraw();
  }

  wanted() {
    const { panels, compared } = this.library;
    const has = (name, at) => this.data.runs.some(({ id, upto }) => this.store(id).column(name, at, upto ?? Infinity).steps.length);
    return (this.single ? panels : compared).filter((panel) => {
      if (this.data.panels.length && !this.data.panels.includes(panel.name)) return false;
      if (panel.name === "gradient_norm") return has(...COLUMNS.gradient_norm) || this.data.observed;
      return this.single ? true : panel.kind === "lines";
    });
  }

  give(panel) {
    const { kind, measures } = panel.panel;
    if (kind === "examples") return panel.fill(this.data.runs[0], this.store(this.data.runs[0].id));
    if (this.single) {
      const [run] = this.data.runs;
      const shown = measures.filter(([name]) => run.forced || !name.startsWith("teacher_forced"));
      panel.setLines(shown.map(([key, name], at) => ({
        key, name, ...ownStyle(this.theme, at), ...this.column(run, key),
      })));
    } else {
      const [[key]] = measures;
      panel.setLines(this.data.runs.map((run, at) => ({
        key: run.id, name: run.name, colour: colourOf(this.theme, run.colour), dash: dashOf(at), ...this.column(run, key),
      })));
    }
  }

  column(run, measure) {
    return this.store(run.id).column(...COLUMNS[measure], run.upto ?? Infinity);
  }

  // ---- the axis

  // The newest step of all runs.
  get newest() {
    return Math.max(1, ...this.data.runs.map(({ step }) => step));
  }

  // While a run goes on, the axis ends somewhere beyond it, so that what is drawn does not creep.
  get axis() {
    if (this.zoomed) return this.zoomed;
    const { newest } = this;
    if (this.data.runs.every(({ ended }) => ended)) return { first: 0, last: newest };
    const size = 10 ** Math.floor(Math.log10(newest));
    return { first: 0, last: ROOMS.map((room) => room * size).find((room) => room >= newest) };
  }

  zoom(from, to) {
    const { newest } = this;
    const whole = from === undefined || (from <= 0 && to >= newest);
    const first = Math.max(0, Math.floor(from));
    this.zoomed = whole ? null : { first, last: Math.max(Math.ceil(Math.min(to, Math.max(newest, first + 1))), first + 1) };
    this.bar.update();
    this.redraw();
  }

  zoomAround(step, factor) {
    const { first, last } = this.axis;
    this.zoom(step - (step - first) * factor, step + (last - step) * factor);
  }

  changes() {
    if (!this.single) return [];
    return (this.data.runs[0].changes ?? []).map(({ step, label }, at) => ({ step, label, line: at % 4 }));
  }

  redraw() {
    if (!this.library || !this.shown) return;
    for (const panel of this.panels) panel.draw();
    this.tell();
  }

  // ---- the step that is pointed at

  // null stands for the newest one.
  get step() {
    if (this.resting) return this.resting();
    return this.held;
  }

  // The pointer rests here, and what is below it may change with what comes; null: it has left.
  rest(ask) {
    this.resting = ask;
    this.point();
  }

  hold(step) {
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

  clicked(step) {
    clearTimeout(this.opening);
    if (step === null || !this.data.opens) return;
    // Where a double click means something, a click waits until it cannot be one.
    if (!this.zoomed) this.open(step);
    else if (!this.opening) this.opening = setTimeout(() => this.open(step), AGAIN);
  }

  change(part) {
    Object.assign(this.look, part);
    this.bar.update();
    this.redraw();
  }

  choose(example) {
    this.look.example = example;
    this.fill();
  }

  download(kind, name) {
    return download(this, kind, name);
  }
}

// Where a measure stands: its table and its place in a row.
const COLUMNS = {
  loss: ["steps", 1],
  learning_rate: ["steps", 2],
  gradient_norm: ["steps", 3],
  validation_loss: ["tests", 1],
  exact_match: ["tests", 2],
  token_accuracy: ["tests", 3],
  teacher_forced_exact_match: ["tests", 4],
  teacher_forced_token_accuracy: ["tests", 5],
};
