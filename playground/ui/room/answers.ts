// Answers to a room's questions as people type and read them, and how their counts are drawn.

import type { Question, Result } from "./room_client.ts";

/** A bar of a histogram; `own` has the answer of this seat, `right` the true one. */
export type Bar = { label: string, count: number, share: number, own: boolean, right: boolean };

const AXES = ["Head", "Row", "Column"];

/** Whole seconds until a question closes; null: it doesn't close by itself. `late`: the server's clock is so far ahead. */
export function secondsLeft(ends: number | undefined, late: number, now: number) {
  return ends === undefined ? null : Math.max(0, Math.ceil(ends - now / 1000 - late));
}

/** The number that a person typed, or null. Commas before groups of three digits separate thousands, as the page writes
    them; another comma is the decimal mark. */
export function numberOf(text: string) {
  const plain = text.trim().replaceAll("−", "-");
  const point = plain.replaceAll(",", /^[+-]?[1-9]\d{0,2}(,\d{3})+(\.\d*)?$/.test(plain) ? "" : ".");
  return /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(point) ? Number(point) : null;
}

/** A number as the page writes it, in so many digits. */
export function written(value: number, digits = 12) {
  const amount = Math.abs(value);
  if (value !== 0 && (amount < 1e-4 || amount >= 1e9)) return value.toExponential(2).replace("-", "−");
  return Number(value.toPrecision(digits)).toLocaleString("en-US", { maximumFractionDigits: 12 }).replace("-", "−");
}

/** The axes of a cell's index: name, and the first and last number along it as the page counts them. */
export function axesOf({ shape = [], axes = "" }: Pick<Question, "shape" | "axes">) {
  return shape.map((size, at) => {
    const first = axes[at] === "V" ? 0 : 1; // token ids count from 0
    return { name: AXES[AXES.length - shape.length + at], first, last: first + size - 1 };
  });
}

/** An answer in words. */
export function inWords(question: Question, answer: unknown) {
  if (answer === null || answer === undefined) return "pass";
  if (question.kind === "choice") return question.choices?.[Number(answer)] ?? "";
  if (!Array.isArray(answer)) return written(Number(answer));
  if (question.kind === "point") return `loss ${written(answer[1])} at step ${written(answer[0])}`;
  return axesOf(question).map(({ name, first }, at) => `${name.toLowerCase()} ${answer[at] + first}`).join(", ");
}

/** What the true answer of a question is called. */
export function nameOfTruth({ kind }: Pick<Question, "kind">) {
  return kind === "choice" || kind === "cell" ? "Right answer" : "True value";
}

/** The true value in words; of a cell, it comes as indices from 0. */
export function truthInWords(question: Question) {
  const { kind, truth = "" } = question;
  return kind === "cell" && truth ? inWords(question, truth.split(" ").map(Number)) : truth;
}

/** The bars of a revealed question. */
export function bars(question: Question, own: unknown): Bar[] {
  const { result, truth = "" } = question;
  const is = (answer: unknown, other: unknown) => answer !== undefined && answer !== null && String(answer) === String(other);
  const all = !result ? [] : question.kind === "choice" ? ofChoices(question, result)
    : question.kind === "number" ? ofNumbers(result, own, numberOf(truth.replaceAll(",", "")))
    : (result.positions ?? []).map(([at, count]) => ({
      label: inWords(question, at), count, own: question.kind === "cell" && is(own, at), right: question.kind === "cell" && truth === at.join(" "),
    }));
  const most = Math.max(1, ...all.map(({ count }) => count));
  return all.map((bar) => ({ ...bar, share: bar.count / most }));

  function ofChoices({ choices = [] }: Question, { choices: counts = [] }: Result) {
    return choices.map((label, at) => ({ label, count: counts[at] ?? 0, own: is(own, at), right: label === truth }));
  }
}

function ofNumbers({ values = [], numbers }: Result, own: unknown, right: number | null) {
  if (!numbers) {
    const missing = right !== null && values.length && !values.some(([value]) => value === right) ? [[right, 0]] : [];
    return [...values, ...missing].toSorted(([one], [other]) => one - other)
      .map(([value, count]) => ({ label: written(value), count, own: value === own, right: value === right }));
  }
  const [low, high, counts] = numbers;
  const width = (high - low) / counts.length;
  // The last bin has its upper end, as the server counts.
  const binOf = (value: unknown) => typeof value !== "number" || value < low || value > high ? -1
    : Math.min(counts.length - 1, Math.trunc(counts.length * ((value - low) / (high - low))));
  const digits = Math.min(12, Math.max(3, 1 + Math.ceil(Math.log10(Math.max(-low, high, width) / width)))); // that tell bins apart
  return counts.map((count, at) => ({
    label: `${written(low + at * width, digits)} to ${written(low + (at + 1) * width, digits)}`,
    count, own: binOf(own) === at, right: binOf(right) === at,
  }));
}
