// Held-out inputs and the model's predictions at the selected step. One example is selected for the other panels.

import { Panel } from "./chart.ts";
import { nearest } from "./chart_store.ts";
import { OwnInput } from "./own_input.ts";
import { joined, pieces, prose, replaced } from "./prose.ts";
import { button, element, visible } from "../words.ts";
import type { PanelData } from "./chart.ts";
import type { Store } from "./chart_store.ts";
import type { Board, Run } from "./charts.ts";

const RUNS_ON = 2; // tokens kept past the right answer when a longer prediction is cut

export class Examples extends Panel {
  own = new OwnInput(this.board);
  list = element("div", "list", { role: "radiogroup", ariaLabel: "Selected example" });
  rows: ReturnType<Examples["row"]>[] = [];
  predictions: any[][] = [];
  steps: number[] = [];
  reads: string[][] = [];
  right: string[][] = [];
  open = false; // whether a task has no unique right answer
  running = false; // whether tokens are the characters of a text
  named: (ids: number[]) => string[] = () => [];

  constructor(board: Board, panel: PanelData) {
    super(board, panel);
    this.plot.classList.add("answers");
    this.plot.append(this.own.node, this.list);
  }

  close() {
    this.own.close();
    this.node.remove();
  }

  fill(run: Run, store: Store) {
    const { tokens = [], end, examples = [], open = false, kept = [] } = store.more;
    this.own.fill(run, kept.filter((step) => step <= (run.upto ?? Infinity)));
    this.open = open;
    this.running = run.running;
    this.node.classList.toggle("running", this.running);
    this.legend.textContent = !this.running ? run.how : `${run.how} · underlined: ${open ? "not as in the text" : "wrong"}`;
    this.predictions = store.rows("predictions", run.upto);
    this.steps = this.predictions.map(([step]) => step);
    this.named = (ids) => ids.filter((id) => id !== end).map((id) => tokens[id]);
    this.reads = examples.map(({ reads }) => this.named(reads));
    this.right = examples.map(({ right }) => this.named(right));
    while (this.rows.length > examples.length) this.rows.pop()?.node.remove();
    while (this.rows.length < examples.length) this.rows.push(this.row(this.rows.length));
  }

  row(at: number) {
    const [reads, says, wanted, verdict] = ["reads", "says", "wanted", "verdict"].map((name) => element("span", name));
    const node = button("example", element("small", "", "input"), () => this.board.choose({ example: at }), { role: "radio" });
    const whose = element("small", "whose");
    node.append(reads, element("small", "", "output"), says, verdict, whose, wanted);
    this.list.append(node);
    return { node, reads, says, whose, wanted, verdict };
  }

  measure() {}

  draw() {
    this.point(this.board.step);
  }

  point(step: number | null) {
    if (this.running) this.own.point();
    const at = nearest(this.steps, step);
    this.step.textContent = at < 0 ? "" : `step ${this.steps[at].toLocaleString("en-US")}`;
    this.rows.forEach((row, index) => {
      const right = this.right[index];
      const predicted = this.predictions[at]?.[1][index];
      const says = predicted ? this.named(predicted) : null;
      const whole = says?.length === right.length && says.every((token, position) => token === right[position]);
      const tokens = !says ? [] : compared(says, right);
      const show = this.running ? prose : boxes;
      show(row.reads, plain(this.reads[index]));
      show(row.says, tokens);
      show(row.wanted, this.running ? plain(right) : []);
      row.whose.textContent = this.open ? "text" : "right";
      row.whose.hidden = row.wanted.hidden = !this.running;
      row.node.ariaLabel = this.running ? this.heard(index, tokens) : null;
      row.verdict.textContent = !says || this.open ? "" : whole ? "✓" : "✕";
      row.verdict.title = !says || this.open ? "" : whole ? "all correct" : "has errors";
      row.node.setAttribute("aria-checked", String(index === this.board.example));
    });
  }

  // What a screen reader says of a running text, whose marks are not heard.
  heard(index: number, tokens: string[][]) {
    const right = tokens.filter(([, kind]) => !kind).length;
    const brackets = right < tokens.length ? ", with wrong characters in brackets" : "";
    const says = pieces(tokens).map(([text, kind]) => (kind ? `[${text}]` : text)).join("");
    return `Input: ${joined(this.reads[index])}. Output${brackets}: ${says || "none yet"}. `
      + `${this.open ? "In the text" : "Right"}: ${joined(this.right[index])}.`;
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

function plain(tokens: string[]) {
  return tokens.map((token) => [token, ""]);
}

function boxes(node: HTMLElement, tokens: string[][]) {
  replaced(node, "toks", tokens, () => tokens.map(([token, kind]) => {
    const span = element("span", `tok ${kind}`, token ? visible(token) : "\u00a0");
    if (kind === "more") span.title = `${token.slice(1)} more tokens`;
    return span;
  }));
}
