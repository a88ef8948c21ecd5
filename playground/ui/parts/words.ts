// Formats of numbers, positions and labels; helpers to create nodes, and to remember a word in this browser.

import type { Matrix, Side, Span } from "./heatmaps/message.ts";

/**
 * @param name its class
 * @param inside what is in it, and properties that it gets
 */
export function element<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag, name = "", ...inside: (string | Node | Partial<HTMLElementTagNameMap[Tag]> | false | null | undefined)[]
) {
  const node = document.createElement(tag);
  if (name) node.className = name;
  for (const each of inside) if (each) typeof each === "string" || each instanceof Node ? node.append(each) : Object.assign(node, each);
  return node;
}

/** A button with this class and content. */
export function button(name: string, inside: string | Node, act: (event: Event) => void, more: Partial<HTMLButtonElement> = {}) {
  const node = element("button", name, inside, { type: "button", ...more });
  node.addEventListener("click", act);
  return node;
}

/** A hidden input for files; `click()` opens the browser's dialog. */
export function chooser(accept: string, take: (files: File[]) => void) {
  const input = element("input", "", { type: "file", accept, hidden: true });
  input.addEventListener("change", () => {
    take([...(input.files ?? [])]);
    input.value = ""; // allow choosing the same file again
  });
  return input;
}

/** A wide part that can be scrolled by keyboard. */
export function scrolling(name: string, label: string, ...inside: Node[]) {
  return element("div", name, ...inside, { tabIndex: 0, role: "region", ariaLabel: label });
}

/** An element of a drawing. */
export function drawing<Tag extends keyof SVGElementTagNameMap>(tag: Tag, attributes: Record<string, string | number>, ...inside: (string | Node)[]) {
  const node = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, String(value));
  node.append(...inside);
  return node;
}

/** The 2D context of a canvas. */
export function penOf(canvas: HTMLCanvasElement, settings?: CanvasRenderingContext2DSettings) {
  return canvas.getContext("2d", settings) as CanvasRenderingContext2D;
}

/** What this browser remembers under a name, or null; without storage nothing. */
export function remembered(where: "localStorage" | "sessionStorage", name: string) {
  try {
    return window[where].getItem(name);
  } catch {
    return null;
  }
}

/** Without storage it holds for this page only. */
export function remember(where: "localStorage" | "sessionStorage", name: string, text: string) {
  try {
    window[where].setItem(name, text);
  } catch {
    // a browser without storage
  }
}

// A place at the top of the page for a message, hidden while it is empty.
export function notices() {
  const node = element("div", "playground-notice", { role: "status" });
  document.body.append(node);
  return node;
}

// Sets a text only if it changes, to keep a selection.
export function write(node: Node, text: string) {
  if (node.textContent !== text) node.textContent = text;
}

// Sets the children of a node without moving existing ones, since a moved node loses the focus.
export function arrange(parent: HTMLElement, wanted: Node[]) {
  const { children } = parent;
  if (children.length === wanted.length && wanted.every((node, at) => children[at] === node)) return;
  const focused = (parent.getRootNode() as Document | ShadowRoot).activeElement;
  parent.replaceChildren(...wanted);
  if (focused instanceof HTMLElement && parent.contains(focused)) focused.focus({ preventScroll: true });
}

export function size(node: HTMLElement, width: number, height: number) {
  node.style.width = `${width}px`;
  node.style.height = `${height}px`;
}

// White space as visible characters.
export function visible(label: string) {
  const text = label.replaceAll("\n", "↵").replaceAll("\t", "⇥");
  return text.trim() ? text : text.replaceAll(" ", "␣");
}

const BRIEF = ["", "causal", "padding", "both", "window"];
const CAUSES = ["", "causal mask", "padding", "causal mask and padding", "window"];

// Spoken value of a cell: four decimals, and why it is hidden.
export function exact(grid: Matrix, index: number) {
  const value = grid.values[index];
  const cause = grid.hidden?.[index] ?? 0;
  if (grid.kind === "mask") return value ? "allowed" : `blocked${cause ? ` (${CAUSES[cause]})` : ""}`;
  if (cause || value === -Infinity) return `${decimal(value)} (masked${cause ? `: ${CAUSES[cause]}` : ""})`;
  return grid.whole ? String(value) : decimal(value);
}

// The same for a table, whose heading explains masked cells.
export function tabular(grid: Matrix, index: number) {
  const cause = grid.hidden?.[index] ?? 0;
  const text = grid.kind === "mask" ? (grid.values[index] ? "allowed" : "blocked")
    : grid.whole ? String(grid.values[index]) : decimal(grid.values[index]);
  return cause ? `${text} (${BRIEF[cause]})` : text;
}

export function decimal(value: number | null) {
  if (value === -Infinity || value === null) return "-∞";
  if (value === 0) return "0";
  const amount = Math.abs(value);
  return amount >= 1e5 || amount < 1e-3 ? value.toExponential(4) : value.toFixed(4);
}

// A fraction in percent, never rounded to 0 % or 100 % unless exact, as in common/numbers.py.
export function percent(value: number | null | undefined) {
  if (typeof value !== "number" || Number.isNaN(value)) return "not measured";
  for (let digits = 1; digits <= 5; digits++) {
    const text = (100 * value).toFixed(digits);
    if ((Number(text) > 0 && Number(text) < 100) || value <= 0 || value >= 1) return `${text.replace(/\.0$/, "")} %`;
  }
  return value > 0.5 ? "almost 100 %" : "almost 0 %";
}

export function whole(value: number) {
  return Math.round(value).toLocaleString("en");
}

// As many digits as fit into a cell of a heatmap.
export function short(grid: { whole?: boolean }, value: number) {
  const amount = Math.abs(value);
  if (grid.whole || value === 0) return String(value);
  if (amount >= 1e4 || amount < 5e-3) return value.toExponential(0);
  return value.toFixed(amount < 9.995 ? 2 : amount < 99.95 ? 1 : 0);
}

// Displayed index along an axis: from 1, token ids from 0.
function counted(side: Side, at: number) {
  return side.first + at + (side.axis === "V" ? 0 : 1);
}

// Label along an axis: the name of a token, or a number.
export function label(side: Side, at: number) {
  if (!side.axis) return "";
  const name = side.names?.names[side.first + at - side.names.first];
  return name === undefined ? String(counted(side, at)) : visible(name);
}

// Position of a row or column: 'row "3" (T 1)', or "D 13" without names.
export function position(word: string, side: Side, at: number) {
  if (!side.axis) return "";
  const index = counted(side, at);
  return side.names ? `${word} “${label(side, at)}” (${side.axis} ${index})` : `${side.axis} ${index}`;
}

// The visible range of a fold: "heads 1–4 of 16"; "" if all is shown.
export function range(word: string, { first, count, size }: Span, from: number) {
  return count < size ? `${word} ${first + from}–${first + count - 1 + from} of ${size}` : "";
}

export function clip(pen: CanvasRenderingContext2D, text: string, room: number) {
  if (pen.measureText(text).width <= room + 1) return text;
  let length = text.length - 1;
  while (length > 0 && pen.measureText(`${text.slice(0, length)}…`).width > room) length--;
  return length > 0 ? `${text.slice(0, length)}…` : "";
}

// Accessible description of a heatmap.
export function summary(name: string, grid: Matrix) {
  const side = (count: number, word: string, axis: string) => `${count} ${word}${count === 1 ? "" : "s"}${axis && ` (${axis})`}`;
  const values = Array.from(grid.values);
  const finite = values.filter(Number.isFinite);
  const low = finite.reduce((least, value) => Math.min(least, value), Infinity);
  const high = finite.reduce((most, value) => Math.max(most, value), -Infinity);
  const masked = grid.kind === "mask" ? 0
    : values.reduce((sum, value, at) => sum + Number(value === -Infinity || (grid.hidden?.[at] ?? 0) > 0), 0);
  const content = grid.kind === "mask" ? `${finite.filter(Boolean).length} of ${grid.values.length} cells allowed`
    : grid.kind === "tokens" ? "tokens"
    : finite.length ? `values from ${decimal(low)} to ${decimal(high)}` : "no values";
  const sides = `${side(grid.rows, "row", grid.row.axis)} by ${side(grid.columns, "column", grid.column.axis)}`;
  return `${name}: ${sides}, ${content}${masked ? `, ${masked} masked` : ""}.`;
}
