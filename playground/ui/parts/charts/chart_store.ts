// Measures of runs from the event stream, which sends only new rows, or of a checkpoint from one response.

import { ask } from "../ask.ts";
import { listen } from "../live/stream.ts";

const PATIENCE = 10_000; // milliseconds
const GONE = "This run no longer exists.";
const SILENT = "Server not responding. Retrying ...";

const stores: Map<string, Store> = new Map(); // by run, shared by all charts of the page

/** The store of a run; `changed` is called for each update, until `leave(changed)`. */
export function storeOf(id: string, changed: () => void) {
  let store = stores.get(id);
  if (!store) stores.set(id, (store = new Store()));
  if (!store.users.size) store.unlisten = listen(`curves/${id}`, (message) => store.take(message));
  store.users.add(changed);
  return store;
}

/** The measures of a checkpoint of the library, which are constant. */
export function storeOfCheckpoint(name: string, changed: () => void) {
  const store = new Store();
  store.users.add(changed);
  store.fetch(new URL(`./library/${encodeURIComponent(name)}/curves`, document.baseURI));
  return store;
}

/**
 * The values of a measure by step; of an evaluation also the number of inputs that were `tested`, and the ends of the
 * 95 % interval, if there is one.
 */
type Column = { steps: number[], values: number[], tested?: number[], low?: number[], high?: number[] };
/**
 * Data besides the tables: the run's step, token names and EOS, examples as lists of tokens, attentions and steps with
 * stored weights, mid-run changes, and for each grouped measure the attention ("": none) and the name of each group.
 */
type More = { step?: number, ended?: boolean, tokens?: string[], end?: number, kept?: number[], attention?: string,
    open?: boolean, examples?: { reads: number[], right: number[] }[], attentions?: { tap: string, title: string, heads: number }[],
    changes?: { step: number, label: string }[], groups?: Record<string, [tap: string, name: string][]> };

export class Store {
  version = 0;
  tables: Record<string, any[][]> = {}; // rows start with their step
  more: More = {};
  problem = "";
  users: Set<() => void> = new Set();
  unlisten: (() => void) | null = null;
  #columns: Map<string, Column> = new Map();

  leave(changed: () => void) {
    this.users.delete(changed);
    if (!this.users.size) this.unlisten?.();
  }

  async fetch(address: URL) {
    try {
      const answer = await ask(address, PATIENCE);
      if (answer.ok) return this.take(await answer.json());
      this.problem = await answer.text();
    } catch {
      this.problem = SILENT;
    }
    for (const changed of this.users) changed();
  }

  take({ channel: _channel, version, gone, tables = {}, ...more }: { channel: string, version: number, gone?: boolean,
    tables?: Record<string, { all: boolean, gone: number[], rows: any[][] }> } & More) {
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

  /** The rows of a table up to the step `upto`; null: all. */
  rows(table: string, upto: number | null | undefined) {
    const all = this.tables[table] ?? [];
    const end = upto ?? Infinity;
    return (all.at(-1)?.[0] ?? 0) <= end ? all : all.filter(([step]) => step <= end);
  }

  /** The measured values of a column up to the step `upto`; null: all. `beside` has the indices of what belongs to them,
   * the same at each call. */
  column(table: string, at: number, upto: number | null | undefined, beside: Record<string, number> = {}): Column {
    const key = `${table} ${at}`;
    let all = this.#columns.get(key);
    if (!all) {
      const rows = (this.tables[table] ?? []).filter((row) => row[at] !== null && row[at] !== undefined);
      const indices = Object.entries({ steps: 0, values: at, ...beside });
      all = Object.fromEntries(indices.map(([name, index]) => [name, rows.map((row) => row[index])])) as Column;
      this.#columns.set(key, all);
    }
    const last = upto ?? Infinity;
    if ((all.steps.at(-1) ?? 0) <= last) return all;
    const end = after(all.steps, last);
    return Object.fromEntries(Object.entries(all).map(([name, column]) => [name, column.slice(0, end)])) as Column;
  }
}

/** Number of the ascending `steps` that are at most `step`. */
export function after(steps: number[], step: number) {
  let low = 0;
  let high = steps.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (steps[middle] <= step) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Index of the step nearest to `step`, the earlier of two; -1 if there are none. null: the newest. */
export function nearest(steps: number[], step: number | null) {
  if (step === null || !steps.length) return steps.length - 1;
  const next = after(steps, step);
  if (next === 0) return 0;
  if (next === steps.length) return next - 1;
  return steps[next] - step < step - steps[next - 1] ? next : next - 1;
}

/** An exponential moving average with time constant `over` steps, with bias correction. */
export function smoothed({ steps, values }: Column, over: number) {
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
