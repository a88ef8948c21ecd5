// What runs have measured, as the server tells it: each answer brings only what has come since the last one.

import { ask } from "./ask.js";

const PATIENCE = 10_000; // milliseconds

export class Store {
  version = 0;
  tables = {};
  more = {}; // what came beside the tables
  stamp = null; // what the page said of the run when this was asked for
  problem = "";
  #columns = new Map();

  // `shelf` is where the server keeps it: among the runs or, once it is a checkpoint, in the library.
  constructor(id, shelf = "runs") {
    this.id = id;
    this.shelf = shelf;
  }

  // Asks for what is new; false if nothing is, or if the server does not answer.
  async refresh(stamp) {
    const address = new URL(`./${this.shelf}/${encodeURIComponent(this.id)}/curves?have=${this.version}`, document.baseURI);
    try {
      const answer = await ask(address, PATIENCE);
      if (!answer.ok) {
        this.problem = await answer.text();
        if (answer.status === 410) this.stamp = stamp; // it will not come back: do not ask again
        return false;
      }
      const { version, tables, ...more } = await answer.json();
      this.stamp = stamp;
      this.problem = "";
      const changes = JSON.stringify(more.changes);
      if (version === this.version && changes === this.changes) return false;
      this.version = version;
      this.changes = changes;
      for (const [name, { all, gone, rows }] of Object.entries(tables)) {
        const before = all ? [] : (this.tables[name] ?? []);
        const left = new Set(gone);
        this.tables[name] = [...(left.size ? before.filter((_, at) => !left.has(at)) : before), ...rows];
      }
      this.more = { ...this.more, ...more };
      this.#columns.clear();
      return true;
    } catch {
      this.problem = "The server does not answer; the charts go on when it does.";
      return false;
    }
  }

  // The rows of a table; `upto` leaves out what comes after that step, null nothing.
  rows(table, upto) {
    const all = this.tables[table] ?? [];
    return !all.length || all.at(-1)[0] <= (upto ?? Infinity) ? all : all.filter(([step]) => step <= upto);
  }

  // The measured values of a column, { steps, values }; `upto` leaves out what comes after that step, null nothing.
  column(table, at, upto) {
    const key = `${table} ${at}`;
    let all = this.#columns.get(key);
    if (!all) {
      const rows = (this.tables[table] ?? []).filter((row) => row[at] !== null && row[at] !== undefined);
      all = { steps: rows.map((row) => row[0]), values: rows.map((row) => row[at]) };
      this.#columns.set(key, all);
    }
    if (!all.steps.length || all.steps.at(-1) <= (upto ?? Infinity)) return all;
    const end = after(all.steps, upto);
    return { steps: all.steps.slice(0, end), values: all.values.slice(0, end) };
  }
}

// How many of the ascending `steps` are not beyond `step`.
export function after(steps, step) {
  let low = 0;
  let high = steps.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (steps[middle] <= step) low = middle + 1;
    else high = middle;
  }
  return low;
}

// The place of the step nearest to `step`, the earlier of two; -1 where there are none. null stands for the newest.
export function nearest(steps, step) {
  if (step === null || !steps.length) return steps.length - 1;
  const next = after(steps, step);
  if (next === 0) return 0;
  if (next === steps.length) return next - 1;
  return steps[next] - step < step - steps[next - 1] ? next : next - 1;
}

// A running mean in which a value `over` steps old weighs 1/e of a new one; the beginning is not pulled to zero.
export function smoothed({ steps, values }, over) {
  if (!over) return values;
  let sum = 0;
  let weight = 0;
  let before = steps[0];
  return values.map((value, at) => {
    const fades = Math.exp((before - steps[at]) / over);
    before = steps[at];
    sum = sum * fades + value;
    weight = weight * fades + 1;
    return sum / weight;
  });
}
