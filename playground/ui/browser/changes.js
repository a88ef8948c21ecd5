// Has a part of the page drawn again when what it shows no longer holds: once for each state of the server's.

import { Fields } from "./stream.js";
import { Views } from "./views.js";

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
    if (this.data?.channel !== data.channel) {
      this.close();
      this.fields = new Fields(data.channel, () => this.check());
    }
    Object.assign(this, { data, ask, drawn: performance.now(), asked: "" });
    this.check();
  }

  // What a message says that was read before the page was drawn, the page knows better.
  check() {
    clearTimeout(this.timer);
    const { shown, at } = this.data;
    const { values } = this.fields;
    if (!this.fields.at) return;
    const now = JSON.stringify(Object.keys(shown).map((name) => values[name] ?? null));
    if (now === JSON.stringify(Object.values(shown)) || now === this.asked) return;
    const age = performance.now() - this.drawn;
    if (this.fields.at <= at && age < LATE) {
      this.timer = setTimeout(() => this.check(), LATE - age);
      return;
    }
    this.asked = now;
    this.timer = setTimeout(() => {
      this.asked = "";
      this.check();
    }, AGAIN);
    this.ask();
  }

  close() {
    clearTimeout(this.timer);
    this.fields?.close();
  }
}
