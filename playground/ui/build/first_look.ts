// A trained model answers the visitor's input: tokens appear one by one, each with its cross-attention.

import baseCss from "../parts/base.css";
import firstLookCss from "./first_look.css";
import { Latest } from "../parts/ask.ts";
import { attentionOf } from "../parts/attention.ts";
import { calm } from "../parts/styles.ts";
import { component } from "../parts/component.ts";
import { button, drawing, element, label, percent, write } from "../parts/words.ts";
import { decode } from "../parts/heatmaps/message.ts";
import type { Tensor } from "../parts/heatmaps/message.ts";
import type { Call, Root } from "../parts/component.ts";

const TYPED = 300; // milliseconds after the last key
const TOKEN = 550; // milliseconds for each token
const FAINT = 0.02; // weights below are not drawn

type Data = { name: string, stamp: string, input: string, stops: Record<string, string> };

export default component([baseCss, firstLookCss], (root) => new FirstLook(root), (look, { data, setTriggerValue }: Call<Data>) => {
  look.open = (tap) => setTriggerValue("stop", { tap, input: look.answered });
  look.learn = () => setTriggerValue("lesson", true);
  look.show(data);
});

// Every symbol of this model is one digit: spaces and commas between them make no difference.
function spaced(text: string) {
  return [...text.replace(/[\s,]/g, "")].join(" ");
}

function meanOverHeads({ values, heads, rows, columns }: Tensor, row: number) {
  const count = heads?.count ?? 1;
  return Array.from({ length: columns.count }, (_, column) => {
    let sum = 0;
    for (let head = 0; head < count; head++) sum += values[(head * rows.count + row) * columns.count + column];
    return sum / count;
  });
}

class FirstLook {
  stops: HTMLElement;
  plot: HTMLElement;
  status: HTMLElement;
  input: HTMLInputElement;
  questions: Latest<Tensor | Awaited<ReturnType<typeof attentionOf>>>;
  lines: SVGSVGElement | undefined;
  open: (tap: string) => void = () => {};
  learn = () => {};
  data: Data | null = null;
  answered = ""; // the input whose answer is shown
  timer = 0;
  typing = 0;
  read: HTMLElement[] = [];
  written: HTMLElement[] = [];

  constructor(root: Root) {
    const find = (name: string) => root.querySelector(name) as HTMLElement;
    find(".first").hidden = false; // its styles are loaded
    this.stops = find(".stops");
    find(".lesson").addEventListener("click", () => this.learn());
    this.plot = find(".plot");
    this.status = find(".status");
    this.input = find("input") as HTMLInputElement;
    this.input.addEventListener("input", () => {
      clearTimeout(this.typing);
      this.typing = setTimeout(() => this.ask(), TYPED);
    });
    this.questions = new Latest(20, (input, wanted) => {
      const { name, stamp } = this.data as Data;
      return attentionOf(name, { stamp, input }, wanted).then((answer) => answer.tensor ?? answer);
    });
  }

  close() {
    clearTimeout(this.timer);
    clearTimeout(this.typing);
    this.questions.forget();
  }

  show(data: Data) {
    if (this.data) return;
    this.data = data;
    // What the page opened with isn't asked for again, nor written again; see opening.ts.
    const opening: HTMLElement | null = document.querySelector("#opening .look");
    this.stops.replaceChildren(...Object.entries(data.stops).map(([title, tap], at) =>
      button("stop", `${at + 1} ${title}`, () => this.open(tap))));
    this.input.value = this.answered = data.input;
    if (!opening?.dataset.weights) return this.ask();
    const [weights] = decode(Uint8Array.from(atob(opening.dataset.weights), (sign) => sign.charCodeAt(0))).tensors;
    this.draw(weights, true);
  }

  ask() {
    const input = spaced(this.input.value);
    this.plot.classList.remove("old");
    if (!input) return write(this.status, "");
    this.questions.ask(input, (answer) => {
      if (!("values" in answer)) {
        this.rest();
        this.plot.classList.add("old");
        write(this.status, answer.problem || "The server does not answer. Type again to retry.");
        return;
      }
      this.answered = input;
      this.draw(answer);
    });
  }

  /** @param tensor rows are what the decoder reads: BOS and its answer; columns are the input */
  draw(tensor: Tensor, atOnce = false) {
    clearTimeout(this.timer);
    const { rows, columns } = tensor;
    const length = rows.count - 1;
    this.read = Array.from({ length: columns.count }, (_, at) => element("span", "token", label(columns, at)));
    this.written = Array.from({ length }, (_, at) => {
      const token = button("token", label(rows, at + 1), () => this.look(tensor, at));
      for (const sign of ["pointerenter", "focus"]) token.addEventListener(sign, () => this.look(tensor, at));
      return token;
    });
    this.lines = drawing("svg", { viewBox: `0 0 ${columns.count} 1`, preserveAspectRatio: "none", "aria-hidden": "true" });
    this.plot.style.setProperty("--columns", String(columns.count));
    this.plot.replaceChildren(
      element("div", "row", ...this.read),
      this.lines,
      element("div", "row", ...this.written),
    );
    const answer = this.written.map((token) => token.textContent).join(" ");
    this.plot.setAttribute("aria-label", `Answer: ${answer}`);
    if (calm() || atOnce || !length) {
      if (length) this.look(tensor, 0);
      return;
    }
    this.plot.classList.add("writing");
    this.write(tensor, 0);
  }

  // One token after the other, once: a longer animation would need a button that stops it.
  write(tensor: Tensor, at: number) {
    this.mark(tensor, at);
    this.written[at].classList.add("there");
    if (at + 1 < this.written.length) this.timer = setTimeout(() => this.write(tensor, at + 1), TOKEN);
    else this.plot.classList.remove("writing");
  }

  // Shows the whole answer at once.
  rest() {
    clearTimeout(this.timer);
    this.plot.classList.remove("writing");
  }

  look(tensor: Tensor, at: number) {
    this.rest();
    this.mark(tensor, at);
  }

  // Row `at` of the weights is the position that predicts token `at` of the answer.
  mark(tensor: Tensor, at: number) {
    const weights = meanOverHeads(tensor, at);
    const most = weights.indexOf(Math.max(...weights));
    this.read.forEach((token, column) => {
      token.style.setProperty("--weight", String(weights[column]));
      token.classList.toggle("most", column === most);
    });
    this.written.forEach((token, row) => token.classList.toggle("shown", row === at));
    this.lines?.replaceChildren(...weights.flatMap((weight, column) => {
      if (weight < FAINT) return [];
      const line = drawing("path", { d: `M${at + 0.5} 1 C${at + 0.5} 0.4 ${column + 0.5} 0.6 ${column + 0.5} 0` });
      line.style.setProperty("--weight", String(weight));
      return [line];
    }));
    const heads = tensor.heads?.count ?? 1;
    write(this.status, `When the model predicts “${this.written[at].textContent}”, ${percent(weights[most])} of its attention to the input goes to the marked `
      + `“${this.read[most].textContent}” (cross-attention, mean of ${heads} heads).`);
  }
}
