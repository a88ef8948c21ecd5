// A stage of a training step: its position among all stages, its description, and its result, as large as fits. It also
// marks the part of the diagram.

import pageCss from "../parts/page.css";
import baseCss from "../parts/base.css";
import tileCss from "../parts/heatmaps/tile.css";
import tensorsCss from "../parts/heatmaps/tensors.css";
import slowMotionCss from "./slow_motion.css";
import { readTheme } from "../parts/heatmaps/colours.ts";
import { Group, headsOf } from "../parts/heatmaps/group.ts";
import { fit } from "../parts/heatmaps/layout.ts";
import { legendItems } from "../parts/heatmaps/legend.ts";
import { lit } from "../parts/shown.ts";
import { decode } from "../parts/heatmaps/message.ts";
import { Live } from "../parts/live/stream.ts";
import { component } from "../parts/component.ts";
import { element, summary } from "../parts/words.ts";
import type { Theme } from "../parts/heatmaps/colours.ts";
import type { Tensor } from "../parts/heatmaps/message.ts";
import type { Call, Root } from "../parts/component.ts";

type Data = { channel: string, at: number, now: { message: string } }; // the message in base 64

const sheets = [pageCss, baseCss, tileCss, tensorsCss, slowMotionCss];
export default component(sheets, (root) => new SlowMotion(root), (motion, { data }: Call<Data>) => motion.show(data));

class SlowMotion {
  parent: Root;
  theme: Theme;
  root: HTMLElement;
  observer = new ResizeObserver(() => this.layout());
  shown = ""; // header of the current message
  size = "";
  live = new Live(() => this.draw());
  strip = element("div", "strip");
  words = element("div", "words");
  tensor = element("div", "tensor");
  group = new Group(this.tensor);
  numbers = element("div", "numbers");
  value = element("div", "value cut");
  legend = element("div", "legend wrap");
  figure = element("div", "figure", this.tensor, this.numbers, element("div", "foot", this.value, this.legend));

  constructor(parent: Root) {
    this.parent = parent;
    this.theme = readTheme(parent);
    this.root = parent.querySelector(".slow-motion") as HTMLElement;
    this.root.append(this.strip, this.words, this.figure);
    this.group.listen(this.tensor, () => this.tell());
    this.observer.observe(this.root);
  }

  close() {
    this.live.close();
    this.observer.disconnect();
    lit.set(this, null);
    this.root.replaceChildren();
  }

  show(data: Data) {
    this.live.show(data);
    this.draw();
  }

  draw() {
    const { message } = this.live.values;
    if (message === undefined) return;
    const data = decode(Uint8Array.from(atob(message), (letter) => letter.charCodeAt(0)));
    lit.set(this, data.lit);
    const theme = readTheme(this.parent);
    const shown = JSON.stringify([data.stage, data.strip, data.words, theme]);
    if (shown === this.shown) return;
    Object.assign(this, { shown, theme });
    for (const part of (["strip", "words", "numbers"] as const)) this[part].innerHTML = data[part];
    const [tensor] = data.tensors;
    this.figure.classList.toggle("drawn", Boolean(tensor));
    this.size = "";
    if (tensor) this.fill(tensor, theme);
    this.layout();
  }

  fill(tensor: Tensor, theme: Theme) {
    this.group.fill(tensor, headsOf(tensor), { heads: tensor.heads?.count, columns: tensor.columns.count }, theme, null);
    for (const tile of this.group.tiles) {
      tile.node.tabIndex = -1;
      tile.node.setAttribute("role", "img");
      tile.node.setAttribute("aria-label", summary([tensor.title, tile.grid.title].filter(Boolean).join(", "), tile.grid));
    }
    this.legend.replaceChildren(...legendItems(this.group.grids, [], theme));
  }

  layout() {
    const { clientWidth: width, clientHeight: height } = this.figure;
    const size = `${width} ${height}`;
    if (!width || size === this.size) return;
    this.size = size;
    const stages = this.strip.firstElementChild;
    stages?.classList.remove("short");
    stages?.classList.toggle("short", stages.scrollWidth > stages.clientWidth);
    if (this.tensor.clientWidth) fit(this.group, this.tensor.clientWidth, this.tensor.clientHeight, this.theme);
    this.tell();
  }

  // The value under the pointer, updated while the pointer rests.
  tell() {
    this.value.textContent = this.group.words(" = ");
  }
}
