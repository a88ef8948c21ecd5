// Has a part of the page drawn again when what it shows no longer holds: once for each state of the server's. Texts on
// the page that a channel tells are kept up to date without that.

import { Fields } from "./stream.js";
import { Views } from "./views.js";
import { write } from "./words.js";

const LATE = 1000; // milliseconds after which news that may be older than the drawing count, too
const AGAIN = 5000; // until the same is asked for once more

const views = new Views(() => new View());

export default function ({ data, parentElement, setTriggerValue }) {
  const view = views.at(parentElement);
  view.show(data, () => setTriggerValue("changed", true));
  return views.leave(parentElement);
}

class View {
  asked = "";

  show(data, ask) {
    if (data.again !== undefined) {
      this.close();
      this.data = null;
      this.repeat(ask, 1000 * data.again);
      return;
    }
    if (this.data?.channel !== data.channel) {
      this.close();
      this.fields = new Fields(data.channel, () => this.check());
    }
    this.soonest = performance.now() + 1000 * data.wait;
    Object.assign(this, { data, ask, drawn: performance.now(), asked: "" });
    this.check();
  }

  // What a message says that was read before the page was drawn, the page knows better.
  check() {
    clearTimeout(this.timer);
    const { shown, at, texts } = this.data;
    const { values } = this.fields;
    if (!this.fields.at) return;
    if (this.fields.at > at) for (const [name, where] of Object.entries(texts)) tell(where, values[name]);
    const now = JSON.stringify(Object.keys(shown).map((name) => values[name] ?? null));
    if (now === JSON.stringify(Object.values(shown)) || now === this.asked) return;
    const late = this.fields.at <= at ? this.drawn + LATE : 0;
    const rest = Math.max(late, this.soonest) - performance.now();
    if (rest > 0) {
      this.timer = setTimeout(() => this.check(), rest);
      return;
    }
    this.asked = now;
    this.timer = setTimeout(() => {
      this.asked = "";
      this.check();
    }, AGAIN);
    this.ask();
  }

  // Asks, and once more later should that not be heard.
  repeat(ask, after) {
    this.timer = setTimeout(() => {
      ask();
      this.repeat(ask, AGAIN);
    }, after);
  }

  close() {
    clearTimeout(this.timer);
    this.fields?.close();
  }
}

function tell(where, text) {
  const node = document.querySelector(where);
  if (node && text !== undefined) write(node, text);
}
