// A progress bar with a status and a line of text, updated by the event stream.

import baseCss from "../base.css";
import progressCss from "./progress.css";
import { Live } from "./stream.ts";
import { component } from "../component.ts";
import { element, write } from "../words.ts";
import type { Call, Root } from "../component.ts";

/** `field` of the channel has the progress; without one, the channel itself does. */
type Data = { channel: string, at: number, now: Record<string, any>, field?: string, label?: string };

export default component([baseCss, progressCss], (root) => new Progress(root), (progress, { data }: Call<Data>) => progress.show(data));

class Progress {
  status = element("span", "status", { ariaLive: "polite" }); // "solved" is heard
  text = element("span", "text");
  fill = element("i");
  bar = element("div", "bar", this.fill, { role: "progressbar", ariaValueMin: "0", ariaValueMax: "100" });
  root = element("div", "progress", element("div", "line", this.status, " ", this.text), this.bar);
  live = new Live(() => this.draw());
  data!: Data;

  constructor(parent: Root) {
    this.root.dataset.testid = "progress";
    parent.append(this.root);
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
