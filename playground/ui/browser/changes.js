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
  followed = new Map(); // channel -> Fields

  show(data, ask) {
    for (const [channel, fields] of this.followed) {
      if (channel in data.shown) continue;
      fields.close();
      this.followed.delete(channel);
    }
    for (const channel of Object.keys(data.shown)) {
      if (!this.followed.has(channel)) this.followed.set(channel, new Fields(channel, () => this.check()));
    }
    Object.assign(this, { data, ask, drawn: performance.now(), asked: "" });
    this.check();
  }

  // The channels that tell something else than what is shown.
  get news() {
    const news = [];
    for (const [channel, shown] of Object.entries(this.data.shown)) {
      const fields = this.followed.get(channel);
      const told = fields.gone ? null : Object.keys(shown).map((name) => fields.values[name] ?? null);
      const changed = JSON.stringify(told) !== JSON.stringify(Object.values(shown));
      if (fields.at && changed) news.push({ channel, fields, told });
    }
    return news;
  }

  // What a message says that was read before the page was drawn, the page knows better.
  check() {
    clearTimeout(this.timer);
    const { news } = this;
    const now = JSON.stringify(news.map(({ channel, told }) => [channel, told]));
    if (!news.length || now === this.asked) return;
    const age = performance.now() - this.drawn;
    if (age < LATE && news.every(({ fields }) => fields.at <= this.data.at)) {
      this.timer = setTimeout(() => this.check(), LATE - age);
      return;
    }
    this.asked = now;
    this.timer = setTimeout(() => {
      this.asked = "";
      this.check();
    }, AGAIN);
    for (const { fields } of news) if (fields.gone) fields.at = 0; // asked for once, whatever is drawn
    this.ask();
  }

  close() {
    clearTimeout(this.timer);
    for (const fields of this.followed.values()) fields.close();
  }
}
