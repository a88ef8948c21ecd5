// Has a part of the page drawn again when what it shows no longer holds: once for each state of the server's.

import { Fields } from "./stream.js";
import { Views } from "./views.js";

const LATE = 1000; // milliseconds after which news that may be older than the drawing count, too
const AGAIN = 5000; // until a drawing that has not come is asked for once more
const QUIET = 200; // after the end of a drawing, which another one may follow
const LOOK = 50; // between two looks at whether the page is being drawn

const views = new Views(() => new View());

export default function ({ data, parentElement, setTriggerValue }) {
  const view = views.at(parentElement);
  view.show(data, () => setTriggerValue("changed", true));
  return views.leave(parentElement);
}

function isDrawing() {
  const app = document.querySelector("[data-test-script-state]");
  return app !== null && app.dataset.testScriptState !== "notRunning";
}

class View {
  asked = false; // whether a drawing is on its way
  busy = -QUIET; // when the page was last seen being drawn

  show(data, ask) {
    this.ask = ask;
    if (data.at === this.data?.at) return; // the same drawing once more, as after each request
    if (this.data?.channel !== data.channel) {
      this.close();
      this.fields = new Fields(data.channel, () => this.check());
    }
    Object.assign(this, { data, drawn: performance.now(), asked: false });
    this.check();
  }

  // What a message says that was read before the page was drawn, the page knows better.
  check() {
    if (this.asked) return;
    clearTimeout(this.timer);
    const { shown, at } = this.data;
    const { values } = this.fields;
    if (!this.fields.at) return;
    const now = JSON.stringify(Object.keys(shown).map((name) => values[name] ?? null));
    if (now === JSON.stringify(Object.values(shown))) return;
    const time = performance.now();
    const age = time - this.drawn;
    if (this.fields.at <= at && age < LATE) return this.later(LATE - age);
    if (isDrawing()) this.busy = time;
    if (time - this.busy < QUIET) return this.later(LOOK); // what an act has changed its drawing shows
    this.asked = true;
    this.later(AGAIN);
    this.ask();
  }

  later(time) {
    this.timer = setTimeout(() => {
      this.asked = false;
      this.check();
    }, time);
  }

  close() {
    clearTimeout(this.timer);
    this.fields?.close();
  }
}
