// A progress bar with a status and a line of text, updated by the event stream.

import { dressIn } from "../dress.ts";
import { Live } from "./stream.ts";
import { Views } from "../views.ts";
import { element, write } from "../words.ts";
/** @import { Call, Root } from "../views.ts" */

const dress = dressIn("parts/base.css", "parts/live/progress.css");
const views = new Views((root) => new View(root));

/**
 * `field` of the channel has the progress; without one, the channel itself does.
 * @typedef {{ channel: string, at: number, now: Record<string, any>, field?: string, label?: string }} Data
 */

/** @param {Call<Data>} call */
export default function ({ data, parentElement }) {
  const view = views.at(parentElement);
  view.show(data);
  return views.leave(parentElement);
}

class View {
  /** @type {Data} */
  data;

  /** @param {Root} parent */
  constructor(parent) {
    dress(parent);
    this.status = element("span", "status");
    this.text = element("span", "text");
    this.fill = element("i");
    this.bar = Object.assign(element("div", "bar", this.fill), { role: "progressbar", ariaValueMin: "0", ariaValueMax: "100" });
    this.root = element("div", "progress", element("div", "line", this.status, " ", this.text), this.bar);
    this.root.dataset.testid = "progress";
    parent.append(this.root);
    this.live = new Live(() => this.draw());
  }

  /** @param {Data} data */
  show(data) {
    this.data = data;
    this.live.show(data);
    this.draw();
  }

  draw() {
    const { field, label } = this.data;
    const values = field && this.live.isNewer ? this.live.values[field] : this.live.values;
    if (!values) return; // it has ended, and the page will show the result
    const { status = "", text, done, colour = "gray", meaning = "" } = values;
    write(this.status, status);
    this.status.title = meaning;
    write(this.text, text);
    this.status.style.color = `var(--st-${colour}-text-color)`;
    this.status.style.background = `var(--st-${colour}-background-color)`;
    this.status.hidden = !status;
    this.fill.className = done === null ? "unknown" : "";
    this.fill.style.width = done === null ? "" : `${100 * done}%`;
    this.bar.ariaValueNow = done === null ? null : String(Math.round(100 * done));
    this.bar.ariaLabel = label || `${status} ${text}`;
  }

  close() {
    this.live.close();
    this.root.remove();
  }
}
