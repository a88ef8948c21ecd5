// One checkpoint's attention, large: every head, with the tokens it reads and the weight below the pointer.

import baseCss from "../parts/base.css";
import tileCss from "../parts/heatmaps/tile.css";
import pairCss from "./pair.css";
import { attentionOf } from "../parts/attention.ts";
import { readTheme } from "../parts/heatmaps/colours.ts";
import { Group, headsOf } from "../parts/heatmaps/group.ts";
import { fitHeads } from "../parts/heatmaps/layout.ts";
import { component } from "../parts/component.ts";
import { element, write } from "../parts/words.ts";
import type { Theme } from "../parts/heatmaps/colours.ts";
import type { Tensor } from "../parts/heatmaps/message.ts";
import type { Call, Root } from "../parts/component.ts";

const MOST = 30; // pixels of a cell

type Asked = { name: string, stamp: string, input: string };

export default component([baseCss, tileCss, pairCss], (root) => new Pair(root), (pair, { data }: Call<Asked>) => {
  pair.dress();
  pair.ask(data);
});

class Pair {
  root: Root;
  theme: Theme;
  plot = element("div", "plot");
  readout = element("div", "readout", " ", { role: "status" });
  box = element("div", "box", this.plot, this.readout);
  group = new Group(this.plot);
  observer = new ResizeObserver(() => this.layout());
  shown: Tensor | null = null;
  asked: string | null = null; // the last request

  constructor(root: Root) {
    this.root = root;
    this.theme = readTheme(root);
    root.append(this.box);
    this.group.listen(this.plot, () => this.shown && write(this.readout, this.group.words() || " "));
    this.observer.observe(this.box);
  }

  close() {
    this.observer.disconnect();
    this.asked = ""; // ignore later responses
    this.box.remove();
  }

  dress() {
    this.theme = readTheme(this.root);
    if (this.shown) this.group.paint(this.theme, null);
    this.layout();
  }

  async ask({ name, stamp, input }: Asked) {
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
    fitHeads(this.group, this.theme, { width, most: Math.round(MOST * this.theme.scale), across: width < 420 ? 2 : 4 });
  }
}
