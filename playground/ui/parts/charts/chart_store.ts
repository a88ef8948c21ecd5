// Measures of runs from the event stream, which sends only new rows, or of a checkpoint from one response.

import { ask } from "../ask.ts";
import { listen } from "../live/stream.ts";

const PATIENCE = 10_000; // milliseconds
const GONE = "This run no longer exists.";
const SILENT = "Server not responding. Retrying ...";

/** @type {Map<string, Store>} */
const stores = new Map(); // by run, shared by all charts of the page

/**
 * The store of a run; `changed` is called for each update, until `leave(changed)`.
 * @param {string} id
 * @param {() => void} changed
 */
export function storeOf(id, changed) {
  let store = stores.get(id);
  if (!store) stores.set(id, (store = new Store()));
  if (!store.users.size) store.unlisten = listen(`curves/${id}`, (message) => store.take(message));
  store.users.add(changed);
  return store;
}

/**
 * The measures of a checkpoint of the library, which are constant.
 * @param {string} name
 * @param {() => void} changed
 */
export function storeOfCheckpoint(name, changed) {
  const store = new Store();
  store.users.add(changed);
  store.fetch(new URL(`./library/${encodeURIComponent(name)}/curves`, document.baseURI));
  return store;
}

/**
 * The values of a measure by step; of an evaluation also the number of inputs that were `tested`, and the ends of the
 * 95 % interval, if there is one.
 * @typedef {{ steps: number[], values: number[], tested?: number[], low?: number[], high?: number[] }} Column
 */
/**
 * Data besides the tables: the run's step, token names and EOS, examples as lists of tokens, attentions and steps with
 * stored weights, mid-run changes, and for each grouped measure the attention ("": none) and the name of each group.
 * @typedef {{ step?: number, ended?: boolean, tokens?: string[], end?: number, kept?: number[], attention?: string,
 *   open?: boolean, examples?: { reads: number[], right: number[] }[], attentions?: { tap: string, title: string, heads: number }[],
 *   changes?: { step: number, label: string }[], groups?: Record<string, [tap: string, name: string][]> }} More
 */

export class Store {
  version = 0;
  /** @type {Record<string, any[][]>} */
  tables = {}; // rows start with their step
  /** @type {More} */
  more = {};
  problem = "";
  /** @type {Set<() => void>} */
  users = new Set();
  /** @type {(() => void) | null} */
  unlisten = null;
  /** @type {Map<string, Column>} */
  #columns = new Map();

  /** @param {() => void} changed */
  leave(changed) {
    this.users.delete(changed);
    if (!this.users.size) this.unlisten?.();
  }

  /** @param {URL} address */
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

  /**
   * @param {{ channel: string, version: number, gone?: boolean,
   *   tables?: Record<string, { all: boolean, gone: number[], rows: any[][] }> } & More} message
   */
  take({ channel: _channel, version, gone, tables = {}, ...more }) {
    this.problem = gone ? GONE : "";
    this.version = version;
    for (const [name, { all, gone: indices, rows }] of Object.entries(tables)) {
      const before = all ? [] : (this.tables[name] ?? []);
      const left = new Set(indices);
      this.tables[name] = [...(left.size ? before.filter((_, at) => !left.has(at)) : before), ...rows];
    }
    this.more = { ...this.more, ...more };
    this.#columns.clear();
    for (const changed of this.users) changed();
  }

  /**
   * The rows of a table up to the step `upto`; null: all.
   * @param {string} table
   * @param {number | null | undefined} upto
   */
  rows(table, upto) {
    const all = this.tables[table] ?? [];
    const end = upto ?? Infinity;
    return (all.at(-1)?.[0] ?? 0) <= end ? all : all.filter(([step]) => step <= end);
  }

  /**
   * The measured values of a column up to the step `upto`; null: all. `beside` has the indices of what belongs to them.
   * @param {string} table
   * @param {number} at
   * @param {number | null | undefined} upto
   * @param {Record<string, number>} [beside]
   * @returns {Column}
   */
  column(table, at, upto, beside = {}) {
    const key = `${table} ${at}`;
    let all = this.#columns.get(key);
    if (!all) {
      const rows = (this.tables[table] ?? []).filter((row) => row[at] !== null && row[at] !== undefined);
      const indices = Object.entries({ steps: 0, values: at, ...beside });
      all = /** @type {Column} */ (Object.fromEntries(indices.map(([name, index]) => [name, rows.map((row) => row[index])])));
      this.#columns.set(key, all);
    }
    const last = upto ?? Infinity;
    if ((all.steps.at(-1) ?? 0) <= last) return all;
    const end = after(all.steps, last);
    return /** @type {Column} */ (Object.fromEntries(Object.entries(all).map(([name, column]) => [name, column.slice(0, end)])));
  }
}

/**
 * Number of the ascending `steps` that are at most `step`.
 * @param {number[]} steps
 * @param {number} step
 */
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

/**
 * Index of the step nearest to `step`, the earlier of two; -1 if there are none. null: the newest.
 * @param {number[]} steps
 * @param {number | null} step
 */
export function nearest(steps, step) {
  if (step === null || !steps.length) return steps.length - 1;
  const next = after(steps, step);
  if (next === 0) return 0;
  if (next === steps.length) return next - 1;
  return steps[next] - step < step - steps[next - 1] ? next : next - 1;
}

/**
 * An exponential moving average with time constant `over` steps, with bias correction.
 * @param {Column} column
 * @param {number} over
 */
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
