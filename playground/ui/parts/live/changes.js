// Has a part of the page drawn again when what it shows no longer holds: once for each state of the server's. Texts on
// the page that a channel tells are kept up to date without that.

import "./focus.js";
import { Fields } from "./stream.js";
import { SCRIPT_STATE } from "../streamlit_dom.js";
import { Views } from "../views.js";
/** @import { Call } from "../views.js" */
import { write } from "../words.js";

const LATE = 1000; // milliseconds after which news that may be older than the drawing count, too
const AGAIN = 5000; // until a drawing that has not come is asked for once more
const QUIET = 200; // after the end of a drawing, which another one may follow
const LOOK = 50; // between two looks at whether the page is being drawn

const views = new Views(() => new View());

/**
 * `shown` is what the drawing shows of each channel, by field; `at` the time at which it was read; `wait` seconds until
 * the next drawing may come, `again` seconds until one is due; `texts` where a field stands on the page, by its name.
 * @typedef {{ at: number, wait: number, again?: number, shown?: Record<string, Record<string, unknown>>,
 *   texts?: Record<string, string> }} Data
 */

/** @param {Call<Data>} call */
export default function ({ data, parentElement, setTriggerValue }) {
  const view = views.at(parentElement);
  view.show(data, () => setTriggerValue("changed", true));
  return views.leave(parentElement);
}

function isDrawing() {
  const app = document.querySelector(`[${SCRIPT_STATE}]`);
  return app !== null && app.getAttribute(SCRIPT_STATE) !== "notRunning";
}

class View {
  /** @type {Map<string, Fields>} */
  followed = new Map(); // by channel
  /** @type {Data} */
  data;
  /** @type {() => void} */
  ask;
  timer = 0;
  drawn = 0;
  asked = false; // whether a drawing is on its way
  busy = -QUIET; // when the page was last seen being drawn

  /** @param {Data} data @param {() => void} ask */
  show(data, ask) {
    this.ask = ask;
    if (data.at === this.data?.at) return; // the same drawing once more, as after each request
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

  // What is known of the channels that tell something else than what is shown.
  get news() {
    return Object.entries(this.data.shown ?? {}).flatMap(([channel, shown]) => {
      const fields = this.followed.get(channel);
      if (!fields) return [];
      const told = fields.gone ? null : Object.keys(shown).map((name) => fields.values[name] ?? null);
      return fields.at && JSON.stringify(told) !== JSON.stringify(Object.values(shown)) ? [fields] : [];
    });
  }

  check() {
    const { at, wait, texts = {} } = this.data;
    for (const fields of this.followed.values()) {
      if (fields.at > at) for (const [name, where] of Object.entries(texts)) tell(where, fields.values[name]);
    }
    if (this.asked) return;
    clearTimeout(this.timer);
    const { news } = this;
    if (!news.length) return;
    const time = performance.now();
    // What a message says that was read before the page was drawn, the page knows better.
    const older = news.every((fields) => fields.at <= at);
    const rest = this.drawn + Math.max(older ? LATE : 0, 1000 * wait) - time;
    if (rest > 0) return this.later(rest);
    if (isDrawing()) this.busy = time;
    if (time - this.busy < QUIET) return this.later(LOOK); // what an act has changed its drawing shows
    this.asked = true;
    this.later(AGAIN);
    for (const fields of news) if (fields.gone) fields.at = 0; // asked for once, whatever is drawn
    this.ask();
  }

  /** @param {number} time */
  later(time) {
    this.timer = setTimeout(() => {
      this.asked = false;
      this.check();
    }, time);
  }

  // Asks, and once more later should that not be heard.
  /** @param {number} time */
  repeat(time) {
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

/** @param {string} where @param {string | undefined} text */
function tell(where, text) {
  const node = document.querySelector(where);
  if (node && text !== undefined) write(node, text);
}
