// Held-out inputs and the model's predictions at the selected step. One example is selected for the other panels.

import { Panel } from "./chart.ts";
import { nearest } from "./chart_store.ts";
import { button, element, visible } from "../words.ts";
import type { PanelData } from "./chart.ts";
import type { Store } from "./chart_store.ts";
import type { Board, Run } from "./charts.ts";

const RUNS_ON = 2; // tokens kept past the right answer when a longer prediction is cut

export class Examples extends Panel {
  rows: ReturnType<Examples["row"]>[] = [];
  predictions: any[][] = [];
  steps: number[] = [];
  right: string[][] = [];
  open = false; // whether a task has no unique right answer
  named: (ids: number[]) => string[] = () => [];

  constructor(board: Board, panel: PanelData) {
    super(board, panel);
    this.plot.classList.add("answers");
    Object.assign(this.plot, { role: "radiogroup", ariaLabel: "Selected example" });
  }

  close() {
    this.node.remove();
  }

  fill(run: Run, store: Store) {
    const { tokens = [], end, examples = [], open = false } = store.more;
    this.open = open;
    this.legend.textContent = run.how;
    this.predictions = store.rows("predictions", run.upto);
    this.steps = this.predictions.map(([step]) => step);
    this.named = (ids) => ids.filter((id) => id !== end).map((id) => tokens[id]);
    this.right = examples.map(({ right }) => this.named(right));
    while (this.rows.length > examples.length) this.rows.pop()?.node.remove();
    while (this.rows.length < examples.length) this.rows.push(this.row(this.rows.length));
    this.rows.forEach((row, at) => write(row.reads, this.named(examples[at].reads).map((token) => [token, ""])));
  }

  row(at: number) {
    const [reads, says, verdict] = ["toks", "toks", "verdict"].map((name) => element("span", name));
    const node = button("example", element("small", "", "input"), () => this.board.choose({ example: at }), { role: "radio" });
    node.append(reads, element("small", "", "output"), says, verdict);
    this.plot.append(node);
    return { node, reads, says, verdict };
  }

  measure() {}

  draw() {
    this.point(this.board.step);
  }

  point(step: number | null) {
    const at = nearest(this.steps, step);
    this.step.textContent = at < 0 ? "" : `step ${this.steps[at].toLocaleString("en-US")}`;
    this.rows.forEach((row, index) => {
      const right = this.right[index];
      const predicted = this.predictions[at]?.[1][index];
      const says = predicted ? this.named(predicted) : null;
      const whole = says?.length === right.length && says.every((token, position) => token === right[position]);
      write(row.says, !says ? [] : this.open ? says.map((token) => [token, ""]) : compared(says, right));
      row.verdict.textContent = !says || this.open ? "" : whole ? "✓" : "✕";
      row.verdict.title = !says || this.open ? "" : whole ? "all correct" : "has errors";
      row.node.setAttribute("aria-checked", String(index === this.board.example));
    });
  }
}

// Each position with its error: [token, "", "wrong" or "missing"]. A cut ends in ["+3", "more"].
export function compared(says: string[], right: string[]) {
  const more = says.length - right.length - RUNS_ON;
  const shown = more > 1 ? says.slice(0, -more) : says;
  const tokens = Array.from({ length: Math.max(shown.length, right.length) }, (_, at) => [
    shown[at] ?? "",
    shown[at] === right[at] ? "" : shown[at] === undefined ? "missing" : "wrong",
  ]);
  return more > 1 ? [...tokens, [`+${more}`, "more"]] : tokens;
}

function write(node: HTMLElement, tokens: string[][]) {
  const text = JSON.stringify(tokens);
  if (node.dataset.shown === text) return;
  node.dataset.shown = text;
  node.replaceChildren(...tokens.map(([token, kind]) => {
    const span = element("span", `tok ${kind}`, token ? visible(token) : "\u00a0");
    if (kind === "more") span.title = `${token.slice(1)} more tokens`;
    return span;
  }));
}
