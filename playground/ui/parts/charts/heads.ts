// Attention weights of the selected example at the selected step: a heatmap for each head.

import { Latest, ask } from "../ask.ts";
import { Panel } from "./chart.ts";
import { nearest } from "./chart_store.ts";
import { Group, headsOf } from "../heatmaps/group.ts";
import { fitHeads } from "../heatmaps/layout.ts";
import { decode } from "../heatmaps/message.ts";
import { element, write } from "../words.ts";
import type { Decoded } from "../heatmaps/message.ts";
import type { PanelData } from "./chart.ts";
import type { Store } from "./chart_store.ts";
import type { Board, Run } from "./charts.ts";

const PATIENCE = 10_000; // milliseconds
const KEPT = 300;
const MOST = 26; // pixels of a cell

async function fetched(address: string, wanted: () => boolean) {
  try {
    const answer = await ask(address, PATIENCE, wanted);
    if (answer.ok) return decode(new Uint8Array(await answer.arrayBuffer()));
    return { problem: answer.status === 429 ? await answer.text() : "" };
  } catch {
    return { problem: "" }; // the server doesn't respond
  }
}

export class Heads extends Panel {
  choice = element("select", "taps", { ariaLabel: "Which attention" });
  group = new Group(this.plot);
  empty = element("div", "empty", "Attention heads appear once the run has saved a step.");
  shown: Decoded | null = null;
  themed = ""; // key of the theme
  kept: number[] = []; // steps with stored weights
  run: Run | null = null;
  latest = new Latest<Decoded | { problem: string }>(KEPT, fetched);
  width = 0;
  height = 0;
  address: string | null = null; // of the last request

  constructor(board: Board, panel: PanelData) {
    super(board, panel);
    this.plot.classList.add("heads");
    Object.assign(this.plot, { role: "group", ariaLabel: "Attention weights" });
    this.choice.addEventListener("change", () => board.choose({ tap: this.choice.value }));
    this.title.after(this.choice);
    this.plot.append(this.empty);
    this.group.listen(this.plot, () => this.tell());
  }

  close() {
    this.latest.forget();
    this.node.remove();
  }

  fill(run: Run, store: Store) {
    const { attentions = [], kept = [] } = store.more;
    this.run = run;
    this.kept = kept.filter((step) => step <= (run.upto ?? Infinity));
    const text = JSON.stringify(attentions);
    if (this.choice.dataset.shown !== text) {
      this.choice.dataset.shown = text;
      this.choice.replaceChildren(...attentions.map(({ tap, title }) => new Option(title, tap)));
    }
    this.choice.value = this.board.attention?.tap ?? "";
  }

  measure() {
    this.width = this.plot.clientWidth;
    this.height = this.plot.clientHeight;
  }

  draw() {
    if (this.shown) this.layout();
    this.point(this.board.step);
  }

  // The nearest step with kept weights; step 0 always has them.
  point(step: number | null) {
    const { board } = this;
    if (!this.run || !board.attention) return;
    const steps = this.kept[0] === 0 ? this.kept : [0, ...this.kept];
    const query = new URLSearchParams({
      step: String(steps[nearest(steps, step)]), example: String(board.example), tap: board.attention.tap,
    });
    const address = new URL(`./runs/${encodeURIComponent(this.run.id)}/attention?${query}`, document.baseURI).href;
    if (address === this.address) return;
    this.address = address;
    this.latest.ask(address, (answer) => this.show(answer));
  }

  show(answer: Decoded | { problem: string }) {
    if (!("tensors" in answer)) {
      this.address = null; // the next selected step sends a new request
      this.legend.textContent = answer.problem;
      return;
    }
    this.shown = answer;
    this.empty.hidden = true;
    const [tensor] = answer.tensors;
    this.group.fill(tensor, headsOf(tensor), {}, this.board.theme, null);
    this.step.textContent = `step ${answer.step.toLocaleString("en-US")}`;
    this.layout();
  }

  // The largest cells with all heads visible.
  layout() {
    const { board } = this;
    const { theme } = board;
    if (!this.width) return;
    if (this.themed !== board.themeKey) {
      this.themed = board.themeKey;
      this.group.paint(theme, null);
    }
    const most = board.slide ? Math.round(3 * MOST * theme.scale) : MOST;
    fitHeads(this.group, theme, { width: this.width, height: this.height, most });
    this.tell();
  }

  // The weight under the pointer, updated when the step changes.
  tell() {
    let text = this.group.words();
    if (!text && this.shown) text = `example ${this.board.example + 1}, with the model's own predictions`;
    write(this.legend, text);
  }

  // As an image inside another SVG.
  toSVG() {
    const origin = this.plot.getBoundingClientRect();
    return this.group.tiles.map(({ canvas, title }) => {
      const box = canvas.getBoundingClientRect();
      const head = title.getBoundingClientRect();
      return `<text x="${head.left - origin.left}" y="${head.top - origin.top + head.height / 2}" dominant-baseline="central" `
        + `font-size="12" font-weight="600" fill="${this.board.theme.ink}">${title.textContent}</text>`
        + `<image href="${canvas.toDataURL()}" x="${box.left - origin.left}" y="${box.top - origin.top}" `
        + `width="${box.width}" height="${box.height}"/>`;
    }).join("");
  }

  // Whether it can be downloaded.
  get picture() {
    return this.plot;
  }
}
