// A progress bar with a status and a line of text, updated by the event stream.

import baseCss from "../base.css";
import progressCss from "./progress.css";
import { stylesOf } from "../styles.ts";
import { Live } from "./stream.ts";
import { Views } from "../views.ts";
import { element, write } from "../words.ts";
import type { Call, Root } from "../views.ts";

const dress = stylesOf(baseCss, progressCss);
const views = new Views((root) => new View(root));

/** `field` of the channel has the progress; without one, the channel itself does. */
type Data = { channel: string, at: number, now: Record<string, any>, field?: string, label?: string };

export default function ({ data, parentElement }: Call<Data>) {
  const view = views.at(parentElement);
  view.show(data);
  return views.leave(parentElement);
}

class View {
  status: HTMLSpanElement;
  text: HTMLSpanElement;
  fill: HTMLElement;
  bar: HTMLDivElement & { role: string; ariaValueMin: string; ariaValueMax: string; };
  root: HTMLDivElement;
  live: Live;
  data!: Data;

  constructor(parent: Root) {
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

  show(data: Data) {
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
