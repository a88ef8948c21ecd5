// The table of compared runs: select, sort, rename, colour and annotate in place.

import baseCss from "../parts/base.css";
import runsCss from "./runs.css";
import { Acts } from "../parts/acts.ts";
import { Live } from "../parts/live/stream.ts";
import { component } from "../parts/component.ts";
import { arrange, button, element, percent, whole, write } from "../parts/words.ts";
import type { Call, Root } from "../parts/component.ts";

/** `by` names the field of a row; `most`: the largest value is the best. */
type Column = { by: string, title: string, text?: boolean, form?: (value: any) => string, most?: boolean };
const COLUMNS: Column[] = [
  { by: "name", title: "Run", text: true },
  { by: "status", title: "Status", text: true },
  { by: "steps", title: "Steps to solved", form: whole },
  { by: "seconds", title: "Seconds to solved, without tests", form: (value) => value.toFixed(2) },
  { by: "exact", title: "Best exact match", form: percent, most: true },
  { by: "loss", title: "Latest loss", form: digits },
  { by: "parameters", title: "Parameters", form: whole },
];
const LONGEST = { name: 40, note: 500 };

/** A row of the table, with the run's values from the event stream. */
type Row = { id: string, name: string, note: string, colour: number | null, channel: string, now: Record<string, any>,
    first: boolean, mine: boolean, shown: boolean, [more: string]: any };
/** At most `most` runs are in the charts; `hidden` is the number of further runs; `problem` is the error of the last text. */
type Data = { rows: Row[], at: number, sort: string, most: number, hidden: number, session: string, heard: number,
    colours: { light: string[], dark: string[] },
    problem: { id: string, verb: string, value: string, sentence: string } | null };
/** The header row of a sweep; `open` is null until a person opens or closes it. */
type Group = { row: HTMLElement, name: HTMLElement, counts: HTMLElement, open: boolean | null };

export default component([baseCss, runsCss], (root) => new Runs(root), (runs, { data, setStateValue }: Call<Data>) => {
  runs.acts.adopt(data, (message) => setStateValue("acts", message));
  runs.data = data;
  runs.listen();
  runs.draw();
});

class Runs {
  data!: Data;
  lines: Map<string, Line> = new Map(); // by run, as the next one
  live: Map<string, Live> = new Map();
  groups: Map<string, Group> = new Map(); // by sweep
  open: string | null = null; // the run whose details are shown
  acts = new Acts();
  frame = 0;
  heads = COLUMNS.map(({ by, title, text }) =>
    element("th", text ? "" : "number", button("sort", title, () => this.act("sort", "", this.turned(by))), { scope: "col" }));
  body = element("tbody");
  // On a phone a run is a card, without column headers to click.
  order = element("select", "", new Option("newest first", ""), ...COLUMNS.map(({ by, title }) => new Option(title, by)));
  more = button("more", "", () => this.act("more", ""));
  box = element("div", "box", element("label", "order large", "Sorted by ", this.order));

  constructor(root: Root) {
    const choice = element("th", "choice", element("span", "unseen", "In the charts"));
    const table = element("table", "runs", element("thead", "", element("tr", "", choice, ...this.heads)), this.body, { ariaLabel: "Runs" });
    this.order.addEventListener("change", () => this.act("sort", "", this.order.value));
    this.box.append(table, this.more);
    root.append(this.box);
  }

  close() {
    cancelAnimationFrame(this.frame);
    for (const live of this.live.values()) live.close();
    this.box.remove();
  }

  // Live values of a run come from the event stream, and are drawn at most once per frame.
  listen() {
    const listed = new Set(this.data.rows.map(({ id }) => id));
    for (const [id, live] of this.live) {
      if (listed.has(id)) continue;
      live.close();
      this.live.delete(id);
    }
    for (const { id, channel, now } of this.data.rows) {
      const live = this.live.get(id) ?? new Live(() => {
        cancelAnimationFrame(this.frame);
        this.frame = requestAnimationFrame(() => this.draw());
      });
      this.live.set(id, live);
      live.show({ channel, at: this.data.at, now });
    }
  }

  act(verb: string, id: string, value?: unknown) {
    this.acts.add(verb, id, value);
    this.draw();
  }

  turned(by: string) {
    return this.sort === by ? `-${by}` : this.sort === `-${by}` ? "" : by;
  }

  get sort(): string {
    return this.acts.pending.findLast(([, verb]) => verb === "sort")?.[3] ?? this.data.sort;
  }

  // The rows with unconfirmed acts applied.
  get rows(): Row[] {
    const rows = this.data.rows.map((row) => {
      const now = this.live.get(row.id)?.values ?? row.now;
      return { ...row, ...now, colour: row.colour ?? now.line_colour };
    });
    const byId: Map<string, Row> = new Map(rows.map((row) => [row.id, row]));
    const fields: Record<string, string> = { show: "shown", colour: "colour", rename: "name", note: "note" };
    for (const [, verb, id, value] of this.acts.pending) {
      const row = byId.get(id);
      if (fields[verb] && row) row[fields[verb]] = value;
    }
    return rows;
  }

  draw() {
    const { rows, sort } = this;
    const by = sort.replace("-", "");
    const column = COLUMNS.find((each) => each.by === by);
    if (column) rows.sort(comparing(column, sort.startsWith("-")));
    const direction = sort.startsWith("-") ? "descending" : "ascending";
    this.heads.forEach((cell, at) => (cell.ariaSort = COLUMNS[at] === column ? direction : null));
    this.order.value = by;
    const full = rows.filter((row) => row.shown).length >= this.data.most;
    const wanted: HTMLElement[] = [];
    for (const row of this.grouped(rows, wanted)) {
      const line = this.lines.get(row.id) ?? new Line(this, row.id);
      this.lines.set(row.id, line);
      line.fill(row, full);
      wanted.push(line.main, line.details);
    }
    for (const [id, line] of this.lines) {
      if (line.main.isConnected && !wanted.includes(line.main)) this.lines.delete(id);
    }
    arrange(this.body, wanted);
    this.more.hidden = !this.data.hidden;
    this.more.textContent = `Show ${this.data.hidden} more`;
  }

  // The visible rows in order: runs of a sweep are grouped below its header, if it is open.
  /** @param wanted gets the rows of names on the way */
  *grouped(rows: Row[], wanted: HTMLElement[]): Generator<Row> {
    const seen = new Set();
    for (const row of rows) {
      if (!row.sweep) yield row;
      if (!row.sweep || seen.has(row.sweep)) continue;
      seen.add(row.sweep);
      const members = rows.filter(({ sweep }) => sweep === row.sweep);
      const group = this.groups.get(row.sweep) ?? this.groupOf(row.sweep);
      if (group.open === null && members.some(({ shown }) => shown)) group.open = true;
      write(group.counts, ` ${members.length} runs · ${members.filter(({ steps }) => steps !== null).length} solved`);
      group.name.ariaExpanded = String(group.open === true);
      wanted.push(group.row);
      if (group.open) yield* members;
    }
  }

  groupOf(sweep: string) {
    const name = button("name", `Sweep ${sweep}`, () => {
      group.open = !group.open;
      this.draw();
    });
    const counts = element("span");
    const cell = element("td", "", name, counts, { colSpan: COLUMNS.length + 1 });
    const group: Group = { row: element("tr", "sweep", cell), name, counts, open: null };
    this.groups.set(sweep, group);
    return group;
  }

  colour(at: number) {
    const { light, dark } = this.data.colours;
    return `light-dark(${light[at % light.length]}, ${dark[at % dark.length]})`;
  }
}

function comparing({ by, text, most }: Column, down: boolean): (one: Row, other: Row) => number {
  const sign = (down ? -1 : 1) * (most ? -1 : 1);
  return (one, other) => {
    const [a, b] = [one[by], other[by]];
    if (a === null || b === null) return Number(a === null) - Number(b === null); // missing values come last in both directions
    return sign * (text ? String(a).localeCompare(String(b)) : a - b);
  };
}

/** A row of the table and, below it, its details with a form while they are open. */
class Line {
  runs: Runs;
  id: string;
  row!: Row;
  box = element("input", "", { type: "checkbox", onchange: () => this.runs.act("show", this.id, this.box.checked) });
  name = button("name", "", () => {
    this.turn(this.runs.open !== this.id);
    if (this.runs.open === this.id) this.details.querySelector<HTMLElement>("input, button")?.focus({ preventScroll: true });
  });
  first = element("span", "tag", "reference", { title: "All differences are relative to this run." });
  difference = element("div", "difference");
  note = element("div", "note");
  badge = element("span", "badge");
  at = element("span", "at");
  cells = COLUMNS.slice(2).map(({ by, title }) => {
    const cell = element("td", `number ${by}`);
    cell.dataset.title = title;
    return cell;
  });
  main = element(
    "tr",
    "run",
    element("td", "choice", element("label", "dot", this.box)),
    element("td", "what", element("div", "top wrap", this.name, this.first), this.difference, this.note),
    element("td", "status", this.badge, this.at),
    ...this.cells,
  );
  inside = element("td", "", { colSpan: COLUMNS.length + 1 });
  details = element("tr", "details", this.inside);
  updates: ((row: Row) => void)[] = []; // of the form, while it is open

  constructor(runs: Runs, id: string) {
    this.runs = runs;
    this.id = id;
    this.details.addEventListener("keydown", (event) => {
      event.stopPropagation(); // letters are text here, not keys of the page
      if (event.key !== "Escape") return;
      this.turn(false);
      this.name.focus();
    });
  }

  turn(open: boolean) {
    this.runs.open = open ? this.id : null;
    this.runs.draw();
  }

  /** @param full no more runs fit into the charts */
  fill(row: Row, full: boolean) {
    this.row = row;
    const { runs, main, box } = this;
    const open = runs.open === this.id;
    main.style.setProperty("--run", runs.colour(Number(row.colour)));
    main.classList.toggle("open", open);
    main.classList.toggle("shown", row.shown);
    box.checked = row.shown;
    box.disabled = !row.shown && full;
    box.title = box.disabled ? `${runs.data.most} runs is the most that the charts show.` : "In the charts";
    box.ariaLabel = `${row.name} in the charts`;
    write(this.name, row.name);
    this.name.ariaExpanded = String(open);
    this.first.hidden = !row.first;
    write(this.difference, row.difference);
    write(this.note, row.note);
    this.note.hidden = !row.note;
    write(this.badge, row.status);
    this.badge.dataset.status = row.status;
    write(this.at, row.ended ? "" : `step ${whole(row.step)}`);
    COLUMNS.slice(2).forEach(({ by, form }, at) => {
      const value = row[by];
      write(this.cells[at], value === null ? "–" : [form?.(value) ?? value, row[`${by}_of`]].filter(Boolean).join(" "));
      this.cells[at].title = row[`${by}_evidence`] ?? "";
    });
    this.details.hidden = !open;
    if (open === !this.updates.length) open ? this.inside.append(this.form()) : this.inside.replaceChildren();
    if (!open) this.updates = [];
    for (const update of this.updates) update(row);
  }

  form() {
    const { runs, id } = this;
    const action = (verb: string, title: string, when: (row: Row) => boolean, help = "") => {
      const node = button(verb, title, () => runs.act(verb, id), { title: help });
      this.updates.push((row) => (node.hidden = !when(row)));
      return node;
    };
    const actions = element(
      "div",
      "actions framed wrap",
      action("open", "Open this run", () => true, "Its own charts, predictions and controls."),
      action("first", "Compare the others with it", (row) => !row.first, "Show differences relative to this run."),
      action("duplicate", "Duplicate with a change", () => true, "Copy its settings to the form below the table."),
      action("stop", "Stop", (row) => row.mine && !row.ended),
      action("delete", "Delete", (row) => row.mine && row.ended, "Can be undone."),
    );
    if (!this.row.mine) return element("div", "form", actions);
    const picks = runs.data.colours.light.map((_, at) => {
      const pick = button("pick", "", () => runs.act("colour", id, at), { ariaLabel: `Colour ${at + 1}` });
      pick.style.setProperty("--run", runs.colour(at));
      this.updates.push((row) => (pick.ariaPressed = String(row.colour === at)));
      return pick;
    });
    const colours = element("fieldset", "colours", element("legend", "", "Colour"), ...picks);
    return element("div", "form", this.field("rename", "Name", element("input")), colours, this.field("note", "Note", element("textarea")), actions);
  }

  field(verb: "rename" | "note", title: string, node: HTMLInputElement | HTMLTextAreaElement) {
    const { runs, id } = this;
    const name = verb === "rename" ? "name" : verb;
    const problem = element("span", "problem", { role: "alert" });
    node.maxLength = LONGEST[name];
    let typed = false; // typed text stays while updates arrive
    node.addEventListener("input", () => (typed = true));
    const done = () => {
      if (typed && node.value !== this.row[name]) runs.act(verb, id, node.value);
      typed = false;
    };
    node.addEventListener("change", done);
    node.addEventListener("keydown", (event) => {
      if (!(event instanceof KeyboardEvent) || event.key !== "Enter" || event.shiftKey) return;
      event.preventDefault();
      done();
    });
    this.updates.push((row) => {
      const failure = runs.data.problem;
      const wrong = failure && failure.id === id && failure.verb === verb ? failure : null;
      write(problem, wrong?.sentence ?? "");
      if (!typed) node.value = wrong ? wrong.value : row[name];
    });
    return element("label", verb, title, node, problem);
  }
}

function digits(value: number) {
  return value !== 0 && Math.abs(value) < 1e-3 ? value.toExponential(1) : value.toPrecision(3);
}
