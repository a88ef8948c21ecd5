// What runs have measured: by the event stream, which brings only what is new, or by one answer for a checkpoint.

import { ask } from "../ask.js";
import { listen } from "../live/stream.js";

const PATIENCE = 10_000; // milliseconds
const GONE = "This run is not here any more.";
const SILENT = "The server does not answer; the charts go on when it does.";

const stores = new Map(); // by channel: one for all charts of the page

// The store of a run; `changed` is called whenever something comes, until `leave(changed)`.
export function storeOf(id, changed) {
  let store = stores.get(id);
  if (!store) stores.set(id, (store = new Store()));
  if (!store.users.size) store.unlisten = listen(`curves/${id}`, (message) => store.take(message));
  store.users.add(changed);
  return store;
}

// What a checkpoint of the library has measured, which does not change.
export function storeOfCheckpoint(name, changed) {
  const store = new Store();
  store.users.add(changed);
  store.fetch(new URL(`./library/${encodeURIComponent(name)}/curves`, document.baseURI));
  return store;
}

class Store {
  version = 0;
  tables = {};
  more = {}; // what came beside the tables
  problem = "";
  users = new Set();
  unlisten = null;
  #columns = new Map();

  leave(changed) {
    this.users.delete(changed);
    if (!this.users.size) this.unlisten?.();
  }

  async fetch(address) {
    try {
      const answer = await ask(address, PATIENCE);
      if (answer.ok) return this.take(await answer.json());
      this.problem = await answer.text();
    } catch {
      this.problem = SILENT;
    }
    for (const changed of this.users) changed();
  }

  take({ channel: _channel, version, gone, tables = {}, ...more }) {
    this.problem = gone ? GONE : "";
    this.version = version;
    for (const [name, { all, gone: places, rows }] of Object.entries(tables)) {
      const before = all ? [] : (this.tables[name] ?? []);
      const left = new Set(places);
      this.tables[name] = [...(left.size ? before.filter((_, at) => !left.has(at)) : before), ...rows];
    }
    this.more = { ...this.more, ...more };
    this.#columns.clear();
    for (const changed of this.users) changed();
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
