// One checkpoint's attention, large: every head, with the tokens it reads and the weight below the pointer.

import baseCss from "../parts/base.css";
import tileCss from "../parts/heatmaps/tile.css";
import pairCss from "./pair.css";
import { attentionOf } from "../parts/attention.ts";
import { readTheme } from "../parts/heatmaps/colours.ts";
import { stylesOf } from "../parts/styles.ts";
import { Group, headsOf } from "../parts/heatmaps/group.ts";
import { fitHeads } from "../parts/heatmaps/layout.ts";
import { Views } from "../parts/views.ts";
import { element } from "../parts/words.ts";
import type { Theme } from "../parts/heatmaps/colours.ts";
import type { Tensor } from "../parts/heatmaps/message.ts";
import type { Call, Root } from "../parts/views.ts";

const dress = stylesOf(baseCss, tileCss, pairCss);
const GAP = 14; // pixels between heads
const MOST = 30; // pixels of a cell
const views = new Views((root) => new View(root));

export default function ({ data, parentElement }: Call<{ name: string, stamp: string, input: string }>) {
  const view = views.at(parentElement);
  view.dress();
  view.ask(data);
  return views.leave(parentElement);
}

class View {
  theme: Theme;
  host: HTMLElement;
  box: HTMLDivElement;
  plot: HTMLDivElement;
  readout: HTMLDivElement;
  group: Group;
  observer: ResizeObserver;
  shown: Tensor | null = null;
  asked: string | null = null; // the last request

  constructor(root: Root) {
    dress(root);
    this.theme = readTheme(root.host ?? root);
    this.host = root.host ?? root;
    this.box = element("div", "box");
    this.plot = element("div", "plot");
    this.readout = element("div", "readout", " ");
    this.readout.setAttribute("role", "status");
    this.box.append(this.plot, this.readout);
    root.append(this.box);
    this.group = new Group(this.plot);
    this.plot.addEventListener("pointermove", (event) => this.look(event));
    this.plot.addEventListener("pointerleave", () => this.look(null));
    this.observer = new ResizeObserver(() => this.layout());
    this.observer.observe(this.box);
  }

  close() {
    this.observer.disconnect();
    this.asked = ""; // ignore later responses
    this.box.remove();
  }

  dress() {
    this.theme = readTheme(this.host);
    if (this.shown) this.group.paint(this.theme, null);
    this.layout();
  }

  async ask({ name, stamp, input }: { name: string, stamp: string, input: string }) {
    const asked = JSON.stringify([name, stamp, input]);
    if (asked === this.asked) return;
    this.asked = asked;
    const { tensor, problem, later } = await attentionOf(name, { stamp, input }, () => this.asked === asked);
    if (this.asked !== asked) return; // a newer request is pending
    if (later) this.asked = null; // requested again at the next draw
    this.plot.hidden = !tensor;
    this.shown = tensor;
    this.readout.textContent = tensor ? " " : problem || "Server not responding. Change the input to try again.";
    if (!tensor) return;
    this.group.fill(tensor, headsOf(tensor), {}, this.theme, null);
    this.layout();
  }

  // Four heads in a row, two on a phone.
  layout() {
    const width = this.box.clientWidth;
    if (!width || !this.shown) return;
    fitHeads(this.group, this.theme, { width, gap: GAP, most: Math.round(MOST * this.theme.scale), across: width < 420 ? 2 : 4 });
  }

  look(event: PointerEvent | null) {
    const text = this.group.point(event && { x: event.clientX, y: event.clientY }) || " ";
    if (this.shown && this.readout.textContent !== text) this.readout.textContent = text;
  }
}
