// The table of compared runs: select, sort, rename, colour and annotate in place.

import baseCss from "../parts/base.css";
import runsCss from "./runs.css";
import { Acts } from "../parts/acts.ts";
import { stylesOf } from "../parts/styles.ts";
import { Live } from "../parts/live/stream.ts";
import { Views } from "../parts/views.ts";
import { arrange, button, element, percent, whole, write } from "../parts/words.ts";
import type { Call, Root } from "../parts/views.ts";

const dress = stylesOf(baseCss, runsCss);
/** `by` names the field of a row; `most`: the largest value is the best. */
type Column = { by: string, title: string, text?: boolean, form?: (value: any) => string, most?: boolean };
const COLUMNS: Column[] = [
  { by: "name", title: "Run", text: true },
  { by: "status", title: "Status", text: true },
  { by: "steps", title: "Steps to solved", form: whole },
  { by: "seconds", title: "Optimizer seconds to solved", form: (value) => value.toFixed(2) },
  { by: "exact", title: "Best exact match", form: percent, most: true },
  { by: "loss", title: "Latest loss", form: digits },
  { by: "parameters", title: "Parameters", form: whole },
];
const LONGEST = { name: 40, note: 500 };
const views = new Views(build);

/** A row of the table, with the run's values from the event stream. */
type Row = { id: string, name: string, note: string, colour: number | null, channel: string, now: Record<string, any>,
    first: boolean, mine: boolean, shown: boolean, [more: string]: any };
/** At most `most` runs are in the charts; `hidden` is the number of further runs; `problem` is the error of the last text. */
type Data = { rows: Row[], at: number, sort: string, most: number, hidden: number, session: string, heard: number,
    colours: { light: string[], dark: string[] },
    problem: { id: string, verb: string, value: string, sentence: string } | null };
/** The header row of a sweep; `open` is null until a person opens or closes it. */
type Group = { row: HTMLElement, name: HTMLElement, counts: HTMLElement, open: boolean | null };
/** The nodes of a row and, below it, of its details with a form while they are open. */
type Line = { id: string, data: Row, box: HTMLInputElement, name: HTMLElement, first: HTMLElement, difference: HTMLElement,
    note: HTMLElement, badge: HTMLElement, at: HTMLElement, cells: HTMLElement[], main: HTMLElement, inside: HTMLElement,
    details: HTMLElement, form: ReturnType<typeof form> | null };
/** `open` is the run whose details are shown. */
type View = { data: Data, rows: Map<string, Line>, groups: Map<string, Group>, live: Map<string, Live>,
    open: string | null, acts: Acts, frame: number, heads: HTMLElement[], body: HTMLElement, order: HTMLSelectElement, more: HTMLElement, close(): void };

export default function ({ data, parentElement, setStateValue }: Call<Data>) {
  const view = views.at(parentElement);
  view.acts.adopt(data, (message) => setStateValue("acts", message));
  view.data = data;
  listen(view);
  draw(view);
  return views.leave(parentElement);
}

// Live values of a run come from the event stream.
function listen(view: View) {
  const listed = new Set(view.data.rows.map(({ id }) => id));
  for (const [id, live] of view.live) {
    if (listed.has(id)) continue;
    live.close();
    view.live.delete(id);
  }
  for (const { id, channel, now } of view.data.rows) {
    const live = view.live.get(id) ?? new Live(() => later(view));
    view.live.set(id, live);
    live.show({ channel, at: view.data.at, now });
  }
}

// Draws at most once per frame.
function later(view: View) {
  cancelAnimationFrame(view.frame);
  view.frame = requestAnimationFrame(() => draw(view));
}

function act(view: View, verb: string, id: string, value?: unknown) {
  view.acts.add(verb, id, value);
  draw(view);
}

function build(root: Root) {
  dress(root);
  const heads = COLUMNS.map(({ by, title, text }) => {
    const cell = element("th", text ? "text" : "number", button("sort", title, () => act(view, "sort", "", turned(view, by))));
    cell.scope = "col";
    return cell;
  });
  const choice = element("th", "choice", element("span", "unseen", "In the charts"));
  const body = element("tbody");
  const table = element("table", "runs", element("thead", "", element("tr", "", choice, ...heads)), body);
  table.setAttribute("aria-label", "Runs");
  // On a phone a run is a card, without column headers to click.
  const order = element("select");
  order.append(new Option("newest first", ""));
  for (const { by, title } of COLUMNS) order.append(new Option(title, by));
  order.addEventListener("change", () => act(view, "sort", "", order.value));
  const more = button("more", "", () => act(view, "more", ""));
  const box = element("div", "box", element("label", "order", "Sorted by ", order), table, more);
  root.append(box);
  const view: View = {
    ...{ rows: new Map(), groups: new Map(), live: new Map(), open: null, acts: new Acts(), frame: 0, heads, body, order, more },
    data: { rows: [], at: 0, sort: "", most: 0, hidden: 0, session: "", heard: 0, colours: { light: [], dark: [] }, problem: null },
    close() {
      cancelAnimationFrame(view.frame);
      for (const live of view.live.values()) live.close();
      box.remove();
    },
  };
  return view;
}

function turned(view: View, by: string) {
  const now = sorting(view);
  if (now === by) return `-${by}`;
  return now === `-${by}` ? "" : by;
}

function sorting(view: View) {
  return view.acts.pending.findLast(([, verb]) => verb === "sort")?.[3] ?? view.data.sort;
}

// The rows with unconfirmed acts applied.
function expected(view: View): Row[] {
  const rows = view.data.rows.map((row) => {
    const now = view.live.get(row.id)?.values ?? row.now;
    return { ...row, ...now, colour: row.colour ?? now.line_colour };
  });
  const byId: Map<string, Row> = new Map(rows.map((row) => [row.id, row]));
  const fields: Record<string, string> = { show: "shown", colour: "colour", rename: "name", note: "note" };
  for (const [, verb, id, value] of view.acts.pending) {
    const row = byId.get(id);
    if (fields[verb] && row) row[fields[verb]] = value;
  }
  return rows;
}

function draw(view: View) {
  const rows = expected(view);
  const sort = sorting(view);
  const by = sort.replace("-", "");
  const column = COLUMNS.find((each) => each.by === by);
  if (column) rows.sort(comparing(column, sort.startsWith("-")));
  view.heads.forEach((cell, at) => {
    const here = COLUMNS[at].by === by;
    here ? cell.setAttribute("aria-sort", sort.startsWith("-") ? "descending" : "ascending") : cell.removeAttribute("aria-sort");
  });
  view.order.value = by;
  const chosen = rows.filter((row) => row.shown).length;
  const wanted: HTMLElement[] = [];
  for (const row of grouped(view, rows, wanted)) {
    let line = view.rows.get(row.id);
    if (!line) view.rows.set(row.id, (line = plant(view, row)));
    line.data = row;
    fill(view, line, chosen);
    wanted.push(line.main, line.details);
  }
  for (const [id, line] of view.rows) {
    if (line.main.isConnected && !wanted.includes(line.main)) view.rows.delete(id);
  }
  arrange(view.body, wanted);
  view.more.hidden = !view.data.hidden;
  view.more.textContent = `Show ${view.data.hidden} more`;
}

// The visible rows in order: runs of a sweep are grouped below its header, if it is open.
/** @param wanted gets the rows of names on the way */
function* grouped(view: View, rows: Row[], wanted: HTMLElement[]): Generator<Row> {
  const seen = new Set();
  for (const row of rows) {
    if (!row.sweep) yield row;
    if (!row.sweep || seen.has(row.sweep)) continue;
    seen.add(row.sweep);
    const members = rows.filter(({ sweep }) => sweep === row.sweep);
    const group = view.groups.get(row.sweep) ?? groupOf(view, row.sweep);
    if (group.open === null && members.some(({ shown }) => shown)) group.open = true;
    const open = group.open === true;
    write(group.name, `Sweep ${row.sweep}`);
    write(group.counts, ` ${members.length} runs · ${members.filter(({ steps }) => steps !== null).length} solved`);
    group.name.setAttribute("aria-expanded", String(open));
    wanted.push(group.row);
    if (open) yield* members;
  }
}

function groupOf(view: View, sweep: string) {
  const name = button("name", "", () => {
    group.open = name.getAttribute("aria-expanded") !== "true";
    draw(view);
  });
  const counts = element("span");
  const cell = element("td", "", name, counts);
  cell.colSpan = COLUMNS.length + 1;
  const group: Group = { row: element("tr", "sweep", cell), name, counts, open: null };
  view.groups.set(sweep, group);
  return group;
}

function comparing({ by, text, most }: Column, down: boolean): (one: Row, other: Row) => number {
  const sign = (down ? -1 : 1) * (most ? -1 : 1);
  return (one, other) => {
    const [a, b] = [one[by], other[by]];
    if (a === null || b === null) return Number(a === null) - Number(b === null); // missing values come last in both directions
    return sign * (text ? String(a).localeCompare(String(b)) : a - b);
  };
}

function plant(view: View, row: Row): Line {
  const { id } = row;
  const box = element("input");
  box.type = "checkbox";
  box.addEventListener("change", () => act(view, "show", id, box.checked));
  const name = button("name", "", () => {
    view.open = view.open === id ? null : id;
    draw(view);
    if (view.open === id) details.querySelector<HTMLElement>("input, button")?.focus({ preventScroll: true });
  });
  const first = element("span", "tag", "reference");
  first.title = "All differences are relative to this run.";
  const difference = element("div", "difference");
  const note = element("div", "note");
  const badge = element("span", "badge");
  const at = element("span", "at");
  const cells = COLUMNS.slice(2).map(({ by, title }) => {
    const cell = element("td", `number ${by}`);
    cell.dataset.title = title;
    return cell;
  });
  const main = element(
    "tr",
    "run",
    element("td", "choice", element("label", "dot", box)),
    element("td", "what", element("div", "top", name, first), difference, note),
    element("td", "status", badge, at),
    ...cells,
  );
  const inside = element("td");
  inside.colSpan = COLUMNS.length + 1;
  const details = element("tr", "details", inside);
  details.hidden = true;
  details.addEventListener("keydown", (event) => {
    event.stopPropagation(); // letters are text here, not keys of the page
    if (event.key !== "Escape") return;
    view.open = null;
    draw(view);
    name.focus();
  });
  const line: Line = { id, data: row, box, name, first, difference, note, badge, at, cells, main, inside, details, form: null };
  return line;
}

function fill(view: View, line: Line, chosen: number) {
  const row = line.data;
  const open = view.open === line.id;
  const colour = colourOf(view, Number(row.colour));
  line.main.style.setProperty("--run", colour);
  line.main.classList.toggle("open", open);
  line.main.classList.toggle("shown", row.shown);
  line.box.checked = row.shown;
  line.box.disabled = !row.shown && chosen >= view.data.most;
  line.box.title = line.box.disabled ? `${view.data.most} runs is the most that the charts show.` : "In the charts";
  line.box.setAttribute("aria-label", `${row.name} in the charts`);
  write(line.name, row.name);
  line.name.setAttribute("aria-expanded", String(open));
  line.first.hidden = !row.first;
  write(line.difference, row.difference);
  write(line.note, row.note);
  line.note.hidden = !row.note;
  write(line.badge, row.status);
  line.badge.dataset.status = row.status;
  write(line.at, row.ended ? "" : `step ${whole(row.step)}`);
  COLUMNS.slice(2).forEach(({ by, form }, at) => {
    const value = row[by];
    write(line.cells[at], value === null ? "–" : (form?.(value) ?? value));
    line.cells[at].title = row[`${by}_evidence`] ?? "";
  });
  line.details.hidden = !open;
  if (!open) {
    line.inside.replaceChildren();
    line.form = null;
    return;
  }
  line.form ??= form(view, line);
  line.form.update(row);
}

function form(view: View, line: Line) {
  const { id, inside } = line;
  const updates: ((row: Row) => void)[] = [];
  const field = (verb: "rename" | "note", title: string, node: HTMLInputElement | HTMLTextAreaElement) => {
    const problem = element("span", "problem");
    problem.setAttribute("role", "alert");
    node.maxLength = LONGEST[verb === "rename" ? "name" : verb];
    let typed = false; // typed text stays while updates arrive
    node.addEventListener("input", () => (typed = true));
    const done = () => {
      if (typed && node.value !== line.data[verb === "rename" ? "name" : verb]) act(view, verb, id, node.value);
      typed = false;
    };
    node.addEventListener("change", done);
    node.addEventListener("keydown", (event) => {
      if (!(event instanceof KeyboardEvent) || event.key !== "Enter" || event.shiftKey) return;
      event.preventDefault();
      done();
    });
    updates.push((row) => {
      const failure = view.data.problem;
      const wrong = failure && failure.id === id && failure.verb === verb ? failure : null;
      write(problem, wrong?.sentence ?? "");
      if (!typed) node.value = wrong ? wrong.value : row[verb === "rename" ? "name" : verb];
    });
    return element("label", verb, title, node, problem);
  };
  const action = (verb: string, title: string, when: (row: Row) => boolean, help = "") => {
    const node = button(verb, title, () => act(view, verb, id));
    node.title = help;
    updates.push((row) => (node.hidden = !when(row)));
    return node;
  };
  const actions = element(
    "div",
    "actions framed",
    action("open", "Open this run", () => true, "Its own charts, predictions and controls."),
    action("first", "Compare the others with it", (row) => !row.first, "Show differences relative to this run."),
    action("duplicate", "Duplicate with a change", () => true, "Copy its settings to the form below the table."),
    action("stop", "Stop", (row) => row.mine && !row.ended),
    action("delete", "Delete", (row) => row.mine && row.ended, "Can be undone."),
  );
  const fields: HTMLElement[] = [];
  if (line.data.mine) {
    const colours = element("fieldset", "colours", element("legend", "", "Colour"));
    for (let at = 0; at < view.data.colours.light.length; at++) {
      const pick = button("pick", "", () => act(view, "colour", id, at));
      pick.style.setProperty("--run", colourOf(view, at));
      pick.setAttribute("aria-label", `Colour ${at + 1}`);
      updates.push((row) => pick.setAttribute("aria-pressed", String(row.colour === at)));
      colours.append(pick);
    }
    fields.push(field("rename", "Name", element("input")), colours, field("note", "Note", element("textarea")));
  }
  inside.replaceChildren(element("div", "form", ...fields, actions));
  return { update: (row: Row) => updates.forEach((update) => update(row)) };
}

function colourOf(view: View, at: number) {
  const { light, dark } = view.data.colours;
  return `light-dark(${light[at % light.length]}, ${dark[at % dark.length]})`;
}

function digits(value: number) {
  return value !== 0 && Math.abs(value) < 1e-3 ? value.toExponential(1) : value.toPrecision(3);
}
