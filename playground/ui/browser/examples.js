// Held-out inputs and what the model says to them at the step that is pointed at; one of them is looked at closer.

import { panelFrame } from "./chart.js";
import { nearest } from "./chart_store.js";
import { element, visible } from "./words.js";

export class Examples {
  rows = [];

  constructor(board, panel) {
    this.board = board;
    this.panel = panel;
    Object.assign(this, panelFrame(panel));
    this.plot.classList.add("answers");
    this.plot.setAttribute("role", "radiogroup");
    this.plot.setAttribute("aria-label", "The example that is looked at closer");
  }

  close() {
    this.node.remove();
  }

  fill(run, store) {
    this.legend.textContent = run.how;
    this.said = store.tables.said ?? [];
    this.examples = store.more.examples ?? run.examples ?? [];
    this.newest = run.examples ?? [];
    while (this.rows.length > this.examples.length) this.rows.pop().node.remove();
    while (this.rows.length < this.examples.length) this.rows.push(this.row(this.rows.length));
    this.rows.forEach((row, at) => write(row.reads, this.examples[at].reads.map((token) => [token, ""])));
    if (!this.empty) this.plot.append((this.empty = element("div", "empty", "They come with the first test.")));
    this.empty.hidden = this.examples.length > 0;
  }

  row(at) {
    const node = element("button", "example");
    node.setAttribute("role", "radio");
    const reads = element("span", "toks");
    const says = element("span", "toks");
    const verdict = element("span", "verdict");
    node.append(element("small", "", "reads"), reads, element("small", "", "says"), says, verdict);
    node.addEventListener("click", () => this.board.choose(at));
    this.plot.append(node);
    return { node, reads, says, verdict };
  }

  draw() {
    this.point(this.board.step);
  }

  point(step) {
    const at = nearest(this.said.map((row) => row[0]), step);
    this.step.textContent = at < 0 ? "" : `step ${this.said[at][0].toLocaleString("en-US")}`;
    this.rows.forEach((row, place) => {
      const { right } = this.examples[place];
      const says = at < 0 ? (this.newest[place]?.says ?? []) : this.said[at][1][place];
      write(row.says, compared(says, right));
      const whole = says.length === right.length && says.every((token, index) => token === right[index]);
      row.verdict.textContent = whole ? "✓" : "✕";
      row.verdict.title = whole ? "entirely right" : "not right";
      const chosen = place === this.board.look.example;
      row.node.setAttribute("aria-checked", String(chosen));
    });
  }
}

// Each place with what is wrong there: [token, "", "wrong" or "missing"].
function compared(says, right) {
  return Array.from({ length: Math.max(says.length, right.length) }, (_, at) => [
    says[at] ?? "",
    says[at] === right[at] ? "" : says[at] === undefined ? "missing" : "wrong",
  ]);
}

function write(node, tokens) {
  const text = JSON.stringify(tokens);
  if (node.dataset.shown === text) return;
  node.dataset.shown = text;
  node.replaceChildren(...tokens.map(([token, kind]) => element("span", `tok ${kind}`, token ? visible(token) : "\u00a0")));
}
