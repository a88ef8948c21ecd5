// Redraws a fragment when its data are outdated, once for each state of the server. Texts from a channel are updated
// without a redraw.

import { Fields } from "./stream.ts";
import { SCRIPT_STATE } from "../streamlit_dom.ts";
import { component } from "../component.ts";
import type { Call } from "../component.ts";
import { write } from "../words.ts";

const LATE = 1000; // milliseconds after which an update that may be older than the drawing counts, too
const AGAIN = 5000; // milliseconds until a missing redraw is requested again
const QUIET = 200; // milliseconds after the end of a script run, which another one may follow
const LOOK = 50; // milliseconds between two checks whether a script is running

/**
 * `shown` is what the drawing shows of each channel, by field; `at` the time at which it was read; `wait` seconds until
 * the next drawing may come, `again` seconds until one is due; `texts` where a field stands on the page, by its name.
 */
type Data = { at: number, wait: number, again?: number, shown?: Record<string, Record<string, unknown>>,
    texts?: Record<string, string> };

export default component([], () => new Changes(), (changes, { data, setTriggerValue }: Call<Data>) =>
  changes.show(data, () => setTriggerValue("changed", true)));

function isDrawing() {
  const app = document.querySelector(`[${SCRIPT_STATE}]`);
  return app !== null && app.getAttribute(SCRIPT_STATE) !== "notRunning";
}

class Changes {
  followed: Map<string, Fields> = new Map(); // by channel
  data!: Data;
  ask!: () => void;
  timer = 0;
  drawn = 0;
  asked = false; // whether a redraw is pending
  reported: WeakSet<Fields> = new WeakSet(); // channels without a source for which a redraw was requested
  busy = -QUIET; // time at which a script was last seen running

  show(data: Data, ask: () => void) {
    this.ask = ask;
    if (data.at === this.data?.at) return; // the same drawing again, as after each request
    const { shown = {}, again } = data;
    for (const [channel, fields] of this.followed) {
      if (channel in shown) continue;
      fields.close();
      this.followed.delete(channel);
    }
    for (const channel of Object.keys(shown)) {
      if (!this.followed.has(channel)) this.followed.set(channel, new Fields(channel, () => this.check()));
    }
    Object.assign(this, { data, drawn: performance.now(), asked: false });
    clearTimeout(this.timer);
    again === undefined ? this.check() : this.repeat(1000 * again);
  }

  // Channels that differ from the drawing, or whose source is gone.
  get news() {
    return Object.entries(this.data.shown ?? {}).flatMap(([channel, shown]) => {
      const fields = this.followed.get(channel);
      if (!fields) return [];
      if (fields.gone) return this.reported.has(fields) ? [] : [fields];
      const current = Object.keys(shown).map((name) => fields.values[name] ?? null);
      return fields.at && JSON.stringify(current) !== JSON.stringify(Object.values(shown)) ? [fields] : [];
    });
  }

  check() {
    const { at, wait, texts = {} } = this.data;
    for (const fields of this.followed.values()) {
      if (!fields.gone) this.reported.delete(fields);
      if (fields.at > at) for (const [name, where] of Object.entries(texts)) tell(where, fields.values[name]);
    }
    if (this.asked) return;
    clearTimeout(this.timer);
    const { news } = this;
    if (!news.length) return;
    const time = performance.now();
    // Ignore messages that are older than the drawing.
    const older = news.every((fields) => fields.at <= at);
    const rest = this.drawn + Math.max(older ? LATE : 0, 1000 * wait) - time;
    if (rest > 0) return this.later(rest);
    if (isDrawing()) this.busy = time;
    if (time - this.busy < QUIET) return this.later(LOOK); // the redraw of an act shows its changes
    this.asked = true;
    this.later(AGAIN);
    for (const fields of news) if (fields.gone) this.reported.add(fields);
    this.ask();
  }

  later(time: number) {
    this.timer = setTimeout(() => {
      this.asked = false;
      this.check();
    }, time);
  }

  // Requests a redraw, and again later if there is no response.
  repeat(time: number) {
    this.timer = setTimeout(() => {
      this.ask();
      this.repeat(AGAIN);
    }, time);
  }

  close() {
    clearTimeout(this.timer);
    for (const fields of this.followed.values()) fields.close();
  }
}

// A field that has ended is null. What stands on the page may already be the drawing that says so: it stays.
function tell(where: string, text: string | null | undefined) {
  const node = document.querySelector(where);
  if (node && typeof text === "string") write(node, text);
}
