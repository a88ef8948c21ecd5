// The host's window for questions: those of the open lesson, or one from what the page shows.

import { room, send } from "./room_client.ts";
import { curve, output } from "../parts/shown.ts";
import { axesOf } from "./answers.ts";
import { arrange, button, element, remember, remembered, write } from "../parts/words.ts";
import type { Curve, Output } from "../parts/shown.ts";

type Kind = "choice" | "number" | "cell" | "point";
type Fields = Record<string, unknown>;

const KEPT = "playground room asked"; // in sessionStorage: { code, n, fields } of the last question that this tab asked
const MAX_TEXT = 200; // characters, as in room_question.py
const MAX_CHOICE = 40;
const MAX_CHOICES = 5;
const KINDS: [Kind, string][] = [["choice", "Choices"], ["number", "A number"], ["cell", "A cell"], ["point", "A point of the loss"]];
const SECONDS: [string, string][] = [["0", "No limit"], ["30", "30 s"], ["60", "60 s"], ["90", "90 s"]];
const ACCORDING: Record<Kind, string> = { choice: "Which …?", number: "How many …?", cell: "Where …?", point: "Where …?" };

/** What this tab asked as question `n` of a room, or null. */
export function askedAs(code: string, n: number): Fields | null {
  try {
    const kept = JSON.parse(remembered("sessionStorage", KEPT) ?? "{}");
    return kept.code === code && kept.n === n ? kept.fields : null;
  } catch {
    return null;
  }
}

export class AskPanel {
  kind: Kind = "choice";
  lessonList = element("ol", "lesson-questions");
  lesson = element("section", "", element("h3", "", "Questions of this lesson"), this.lessonList);
  seconds = choice("Time to answer", "room-seconds", SECONDS, "60", () => {});
  kinds = choice("Kind of answer", "room-kind", KINDS, this.kind, (kind) => this.choose(kind as Kind));
  text = element("textarea", "", { rows: 2, maxLength: MAX_TEXT });
  choices = Array.from({ length: MAX_CHOICES }, (_, at) => {
    const input = element("input", "", { type: "text", maxLength: MAX_CHOICE, ariaLabel: `Choice ${at + 1}` });
    const right = element("input", "", { type: "radio", name: "room-right", ariaLabel: `Choice ${at + 1} is right` });
    return { input, right, row: element("div", "row", input, element("label", "", right, " right")) };
  });
  none = element("input", "", { type: "radio", name: "room-right", checked: true });
  ofChoices = element("fieldset", "", element("legend", "", "Choices, 2 to 5"), ...this.choices.map(({ row }) => row),
    element("label", "row", this.none, " none is marked as right"));
  truth = element("input", "", { type: "text", maxLength: MAX_CHOICE });
  ofNumber = element("div", "", element("label", "", element("span", "", "True value, if it is known"), this.truth));
  step = element("input", "", { type: "number", min: "0", step: "1", oninput: () => this.choose("point") });
  ofPoint = element("label", "", element("span", "", "At step"), this.step);
  source = element("p", "source");
  why = element("textarea", "", { rows: 2, maxLength: MAX_TEXT });
  problem = element("p", "problem", { role: "alert" });
  send = element("button", "main", "Ask the room", { type: "submit" });
  form = element("form", "", element("h3", "", "Your own question"), this.kinds.node, this.source,
    element("label", "", element("span", "", "Question"), this.text), this.ofChoices, this.ofPoint, this.ofNumber,
    element("label", "", element("span", "", "Why? Shown with the answer; may be empty"), this.why), this.problem, this.send, { noValidate: true });
  dialog: HTMLDialogElement;

  constructor() {
    const shut = button("close", "✕", () => this.dialog.close(), { ariaLabel: "Close", title: "Close (Esc)" });
    this.dialog = element("dialog", "room-ask", element("header", "", element("h2", "", "Ask the room"), shut),
      this.seconds.node, this.lesson, this.form, { ariaLabel: "Ask the room" });
    this.dialog.addEventListener("keydown", (event) => event.stopPropagation()); // keys must not act on the page
    this.form.addEventListener("submit", (event) => {
      event.preventDefault();
      void this.ask(this.own());
    });
  }

  /** Opens the window; what was typed is still there. */
  open(problem = "") {
    this.listLesson();
    this.choose(this.kind);
    write(this.problem, problem);
    if (this.dialog.open) return;
    this.dialog.showModal();
    this.seconds.node.querySelector<HTMLInputElement>("input:checked")?.focus(); // not the button that closes
  }

  /** Asks the question of a lesson that an element of the page stands for. */
  askLesson({ dataset: { lesson, block, seed } }: HTMLElement) {
    return this.ask({ of: { lesson, block: Number(block), seed: Number(seed) }, seconds: Number(this.seconds.value()) });
  }

  /** Asks the room; what the server refuses is shown here, and nothing that was typed is lost. */
  async ask(fields: Fields) {
    this.send.disabled = true;
    const done = await send("ask", fields);
    this.send.disabled = false;
    if (!done.ok) return this.open(done.why);
    remember("sessionStorage", KEPT, JSON.stringify({ code: room.value?.code, n: done.fields.question, fields }));
    this.dialog.close();
  }

  listLesson() {
    const found = [...document.querySelectorAll<HTMLElement>("[data-lesson][data-block]")];
    this.lesson.hidden = !found.length;
    arrange(this.lessonList, found.map((of) => element("li", "", button("", of.dataset.title ?? "", () => void this.askLesson(of)))));
  }

  choose(kind: Kind) {
    this.kind = kind;
    this.ofChoices.hidden = kind !== "choice";
    this.ofPoint.hidden = kind !== "point";
    const from = kind === "number" ? cellShown() : null;
    this.ofNumber.hidden = kind !== "number" || from !== null;
    const run = curve.value;
    if (kind === "point" && run && !this.step.value && !this.step.matches(":focus")) this.step.value = String(later(run.step));
    const [words, example, possible] = this.about(kind, from);
    write(this.source, words);
    this.source.hidden = !words;
    this.text.placeholder = example;
    this.send.disabled = !possible;
  }

  // What the question is about, an example of its text, and whether it can be asked.
  about(kind: Kind, from: Output | null): [words: string, example: string, possible: boolean] {
    if (kind === "choice") return ["", ACCORDING.choice, true];
    if (kind === "number") {
      return from ? [`The true value is that of the cell that you keep: ${from.title}, ${where(from)}.`, `Which value has ${from.title} at ${where(from)}?`, true]
        : ["To ask for a value on the page, click a cell of an operation to keep it.", ACCORDING.number, true];
    }
    if (kind === "cell") {
      const shown = output.value && output.value.shape.length >= 2 ? output.value : null;
      return shown ? [`A cell of the output: ${shown.title}. The right cell is the one with the largest value.`, `Where is the largest value of ${shown.title}?`, true]
        : ["Open an operation first, such as the attention weights in Step through.", ACCORDING.cell, false];
    }
    const run = curve.value;
    return run ? [`The run ${run.name} is at step ${run.step.toLocaleString("en-US")}. Reveal the question when it is at the step below.`,
      `Where will the loss be at step ${Number(this.step.value).toLocaleString("en-US")}?`, true]
      : ["Open a run on the Train page first.", ACCORDING.point, false];
  }

  // The question as it is typed; an empty text is the example.
  own(): Fields {
    const { kind } = this;
    const run = curve.value as Curve;
    const from = kind === "number" ? cellShown() : kind === "cell" ? output.value : null;
    const typed = this.text.value.trim();
    const text = typed || (kind === "choice" || (kind === "number" && !from) ? "" : this.text.placeholder);
    const fields: Fields = { kind, text, why: this.why.value.trim(), seconds: Number(this.seconds.value()) };
    if (kind === "choice") {
      const filled = this.choices.filter(({ input }) => input.value.trim());
      fields.choices = filled.map(({ input }) => input.value.trim());
      fields.truth = filled.find(({ right }) => right.checked)?.input.value.trim() ?? "";
    } else if (kind === "number" && !from) fields.truth = this.truth.value.trim();
    else if (kind === "number") fields.of = { walk: from?.walk, operation: from?.operation, at: String(from?.cell) };
    else if (kind === "cell") fields.of = { walk: from?.walk, operation: from?.operation };
    else fields.of = { run: run?.run, step: Math.round(Number(this.step.value)), measure: "loss" };
    return fields;
  }
}

// The operation shown, if one of its cells is kept.
function cellShown() {
  return output.value?.cell ? output.value : null;
}

function where({ cell, shape, axes }: Output) {
  return axesOf({ shape, axes }).map(({ name, first }, at) => `${name.toLowerCase()} ${(cell?.[at] ?? 0) + first}`).join(", ");
}

// Twice as many steps, in one digit.
function later(step: number) {
  const size = 10 ** Math.floor(Math.log10(Math.max(50, 2 * step)));
  return Math.ceil(Math.max(50, 2 * step) / size) * size;
}

function choice(legend: string, name: string, all: [value: string, words: string][], chosen: string, act: (value: string) => void) {
  const inputs = all.map(([value]) => element("input", "", { type: "radio", name, value, checked: value === chosen }));
  for (const input of inputs) input.addEventListener("change", () => act(input.value));
  const node = element("fieldset", "chips", element("legend", "", legend),
    ...inputs.map((input, at) => element("label", "", input, element("span", "", all[at][1]))));
  return { node, value: () => inputs.find(({ checked }) => checked)?.value ?? chosen };
}
