// The calculation of a cell, below the tensors: its expression with numbers, and every term.

import { boxOf, draw, measure, newTile, paintCells, place } from "../../parts/heatmaps/tile.ts";
import { button, decimal, element, remember, remembered, scrolling } from "../../parts/words.ts";
import type { Theme } from "../../parts/heatmaps/colours.ts";
import type { Matrix, Side } from "../../parts/heatmaps/message.ts";
import type { Tile } from "../../parts/heatmaps/tile.ts";
import type { Calculation, Line, Strip } from "./cells.ts";

const SPOKEN_AFTER = 400; // milliseconds of rest before a cell is announced to screen readers
const PHONE_WIDTH = 640;
const FOLDED = "playground worked cell"; // in sessionStorage: "folded" or "open"
const CHUNK = 9; // characters of one number in the list of terms
const VISIBLE = 1e-4; // relative difference that shows in the digits of a number
const DIFFERENT = 1e-2; // relative difference that rounding can't explain
const OTHER = "The model's own number differs from this calculation, by more than rounding.";
const ROUNDED = "The model computes with about 7 digits (float32). This calculation uses 16, so small numbers can differ.";

const UNNAMED: Side = { axis: "", labels: "", names: null, first: 0, count: 1, size: 1 };

/** A parameter of which a calculation can show numbers. */
export type Parameter = { name: string, title: string };

const lineOf: WeakMap<Element, Line> = new WeakMap(); // by the list of its terms

export class Expression {
  root: HTMLElement;
  onFold: () => void;
  open: (operation: string) => void;
  operation = ""; // that is shown
  where = element("div", "where");
  folder = button("folder", "", () => this.fold(!this.folded), { ariaKeyShortcuts: "e", ariaLabel: "Calculation of the cell" });
  folded = innerWidth <= PHONE_WIDTH; // it would leave no space for the tensors
  strips = element("div", "strips");
  lines = element("div", "lines wrap");
  live = element("div", "live unseen", { ariaLive: "polite" });
  tiles: Tile<Matrix>[] = [];
  theme!: Theme;
  parameters: Parameter[] = [];
  cell: Calculation | null = null;
  speaking: number | undefined;
  hint = ""; // text without a selected cell

  /** @param onFold after a person has folded or unfolded it; `open` opens an operation */
  constructor(root: HTMLElement, onFold: () => void, open: (operation: string) => void) {
    this.root = root;
    this.onFold = onFold;
    this.open = open;
    const kept = remembered("sessionStorage", FOLDED);
    if (kept) this.folded = kept === "folded";
    root.setAttribute("aria-label", "How the cell was computed");
    root.append(element("div", "head", this.folder, this.where), this.strips, this.lines, this.live);
    this.showFolded();
  }

  /** @param folded only the cell and its value are shown */
  fold(folded: boolean) {
    this.folded = folded;
    remember("sessionStorage", FOLDED, folded ? "folded" : "open");
    this.showFolded();
    this.onFold();
  }

  showFolded() {
    const { folder, folded } = this;
    this.root.classList.toggle("folded", folded);
    folder.textContent = folded ? "▸" : "▾";
    folder.title = `${folded ? "Show" : "Hide"} the calculation. Key e`;
    folder.ariaExpanded = String(!folded);
  }

  // Reserves height for the calculations of this operation.
  expect(operation: string, parameters: Parameter[], theme: Theme) {
    this.operation = operation;
    this.theme = theme;
    this.parameters = parameters;
    this.strips.classList.toggle("none", !parameters.length);
    while (this.tiles.length < parameters.length) {
      const tile = newTile<Matrix>(this.strips);
      tile.node.removeAttribute("role");
      tile.node.tabIndex = -1;
      tile.scroller.tabIndex = 0;
      this.tiles.push(tile);
    }
    while (this.tiles.length > parameters.length) this.tiles.pop()?.node.remove();
    this.clear();
  }

  clear() {
    this.cell = null;
    this.root.classList.remove("waiting");
    this.where.replaceChildren(element("span", "hint", this.hint));
    this.lines.replaceChildren();
    this.showStrips([]);
    this.speak("");
  }

  // Shows the cell's name and value; the expression follows.
  point(where: string, value: string, locked: boolean, unlock = () => {}) {
    const parts = [element("span", "position cut", where), element("b", "value", where && value ? ` = ${value}` : value)];
    if (locked) parts.push(button("unlock", "Unpin", unlock, { title: "Escape" }));
    this.where.replaceChildren(...parts);
    this.root.classList.add("waiting");
  }

  // Updates the value of the cell whose expression is shown.
  value(where: string, value: string) {
    this.point(where, value, false);
    this.root.classList.remove("waiting");
  }

  // Without an expression: a cell of an input, or of a gradient.
  bare(words: string) {
    this.cell = null;
    this.root.classList.remove("waiting");
    this.lines.replaceChildren();
    this.showStrips([]);
    this.speak(words);
  }

  // `own` is the model's number, if it is shown.
  tell(cell: Calculation, words: string, own?: number) {
    this.root.classList.remove("waiting");
    if (this.cell === cell) return; // already shown, perhaps scrolled
    this.cell = cell;
    if (cell.problem) {
      this.lines.replaceChildren(element("p", "problem", cell.problem));
      this.showStrips([]);
      return;
    }
    const [result, ...before] = [...cell.lines].reverse();
    // Conditions are after the numbers.
    const lines = before.reverse().sort((one, other) => Number(isYesOrNo(one)) - Number(isYesOrNo(other)));
    const nodes = [result, ...lines].map(lineNode);
    if (cell.curve) nodes.push(curve(...cell.curve));
    const elsewhere = cell.readers?.filter(([, name]) => name !== this.operation) ?? [];
    if (elsewhere.length) {
      const also = elsewhere.length < (cell.readers?.length ?? 0);
      const links = elsewhere.map(([title, name]) => button("", title, () => this.open(name)));
      nodes.push(element("p", "readers small soft", also ? "Also handed back by" : "Handed back by", ...links));
    }
    if (cell.remark) nodes.push(element("p", "small soft", cell.remark));
    const difference = Math.abs(Number(own) - Number(result.value));
    const largest = Math.max(...[own, result.value, ...result.terms.map((term) => term.at(-1))].map((each) => Math.abs(Number(each))));
    if (difference > DIFFERENT * largest) nodes.push(element("p", "small soft", OTHER));
    else if (difference > VISIBLE * Math.abs(Number(result.value))) nodes.push(element("p", "small soft", ROUNDED));
    this.lines.replaceChildren(...nodes);
    this.showStrips(cell.strips);
    this.speak(words && `${words} = ${spoken(result)}`);
  }

  speak(words: string) {
    if (!words || words === this.live.textContent) return;
    clearTimeout(this.speaking);
    this.speaking = setTimeout(() => (this.live.textContent = words), SPOKEN_AFTER);
  }

  showStrips(strips: Strip[]) {
    const shown = this.tiles.filter((tile, at) => {
      const { name, title } = this.parameters[at];
      const strip = strips.find((each) => each.tensor === name);
      tile.title.textContent = strip ? strip.title : title;
      tile.node.classList.toggle("empty", !strip);
      if (!strip) return false;
      const most = Math.max(...strip.values.map(Math.abs)) || 1;
      const count = strip.values.length;
      tile.grid = {
        strip: true, kind: "signed", title: strip.title, rows: 1, columns: count, values: Float32Array.from(strip.values),
        row: UNNAMED, column: UNNAMED, marked: null, coloured: true, most, whole: false, hidden: null,
      };
      measure(tile, this.theme);
      tile.axes = "";
      tile.node.style.flex = count > 1 ? "1 1 0" : "none";
      paintCells(tile, this.theme);
      return true;
    });
    // Set all widths before drawing, because they share the space.
    for (const tile of shown) place(tile, boxOf(tile, 0, Infinity), Infinity, 0);
    for (const tile of shown) {
      place(tile, tile.box, Infinity, 0);
      tile.scroller.scrollLeft = 0;
      draw(tile, this.theme);
    }
  }

  // During Compute slowly: the first `count` terms of `line`, and their result so far.
  progress(line: Line, count: number, sofar: string) {
    const lists: NodeListOf<HTMLElement> = this.lines.querySelectorAll(".terms");
    const list = [...lists].find((each) => lineOf.get(each) === line);
    if (!list) return;
    this.root.classList.add("making");
    list.style.setProperty("--done", `${(count + 1) * CHUNK}ch`);
    list.classList.add("growing");
    const text = list.querySelector("pre");
    const letter = text && list.clientWidth && text.offsetWidth / ((line.terms.length + 1) * CHUNK);
    list.scrollLeft = Math.max(0, (count + 2) * CHUNK * (letter ?? 0) - list.clientWidth);
    const value = this.where.querySelector(".value");
    if (value) value.textContent = line.name ? ` · ${line.name} so far ${sofar}` : ` = ${sofar} so far`;
  }

  grown() {
    this.root.classList.remove("making");
    for (const list of this.lines.querySelectorAll(".growing")) list.classList.remove("growing");
  }
}

function isYesOrNo(line: Line) {
  return line.terms.length > 0 && line.terms.every((term) => term.every((value) => value === 0 || value === 1));
}

function lineNode(line: Line, at: number) {
  const node = element("div", "line");
  const maths = scrolling("maths", `Expression ${line.name || at + 1}`);
  // Both are markup generated by the server from its own declarations.
  for (const [name, markup] of [["symbolic", line.symbolic], ["numbers", line.numbers]]) {
    const part = element("span", name);
    part.innerHTML = markup;
    maths.append(name === "numbers" ? "=" : "", part);
  }
  node.append(maths);
  // Its name in words, if the letter doesn't explain it.
  if (line.name && !maths.textContent.startsWith(line.name)) maths.prepend(element("span", "name", line.name));
  if (line.terms.length) node.append(termList(line));
  return node;
}

// Every term as a column of numbers: index, factors and product. A single text node, so that a thousand terms are as
// fast as ten.
function termList(line: Line) {
  const factors = line.terms[0].length - 1;
  const row = (name: string, numbers: string[]) => [name, ...numbers].map((text) => text.padStart(CHUNK)).join("");
  const rows = [row(line.over, line.terms.map((_, at) => String(line.indices?.[at] ?? at + 1)))];
  const products = isProduct(line);
  for (let factor = 0; factor < factors; factor++) {
    rows.push(row(factor && products ? "×" : "", line.terms.map((term) => brief(term[factor]))));
  }
  if (factors !== 1 || line.terms.some((term) => term[0] !== term[1])) {
    const rounded = line.terms.some((term) => term.some((value) => Number(brief(value)) !== value));
    rows.push(row(!products ? "→" : rounded ? "≈" : "=", line.terms.map((term) => brief(term[factors]))));
  }
  const list = scrolling("terms", `${line.terms.length} terms${line.name && ` of ${line.name}`}`, element("pre", "", rows.join("\n")));
  lineOf.set(list, line);
  return list;
}

// Whether the terms are products.
function isProduct(line: Line) {
  return line.terms.every((term) => {
    const made = term.slice(0, -1).reduce((product: number, factor) => product * Number(factor), 1);
    return term.length > 2 && Math.abs(made - Number(term.at(-1))) <= 1e-6 * Math.max(1, Math.abs(made));
  });
}

function brief(value: number | null) {
  const text = decimal(value);
  return text.length < CHUNK ? text : Number(value).toExponential(1);
}

function spoken(line: Line) {
  const count = line.terms.length;
  if (count < 2) return decimal(line.value);
  return `${decimal(line.value)}, sum of ${count} ${isProduct(line) ? "products" : "terms"}`;
}

// The activation's curve and the point on it.
function curve(name: string, x: number) {
  const gelu = (at: number) => (at / 2) * (1 + erf(at / Math.SQRT2));
  const swish = (at: number) => at / (1 + Math.exp(-at));
  const [title, f] = { relu: ["ReLU", (at: number) => Math.max(0, at)], gelu: ["GELU", gelu], swish: ["Swish", swish] }[name] as [string, typeof gelu];
  const reach = Math.max(3, Math.ceil(Math.abs(x)));
  const top = reach;
  const bottom = -reach / 4;
  const [wide, high] = [160, 100];
  const px = (at: number) => ((at + reach) / (2 * reach)) * wide;
  const py = (at: number) => high - ((at - bottom) / (top - bottom)) * high;
  const points = Array.from({ length: 81 }, (_, i) => -reach + (2 * reach * i) / 80);
  const path = points.map((at, i) => `${i ? "L" : "M"}${px(at).toFixed(1)} ${py(f(at)).toFixed(1)}`).join("");
  const figure = element("div", "curve");
  figure.innerHTML = `<svg viewBox="-6 -6 ${wide + 12} ${high + 12}" role="img"
    aria-label="${name} at ${decimal(x)} is ${decimal(f(x))}">
    <path class="axis" d="M0 ${py(0)}H${wide}M${px(0)} 0V${high}"/><path class="graph" d="${path}"/>
    <path class="drop" d="M${px(x)} ${py(0)}V${py(f(x))}H${px(0)}"/>
    <circle cx="${px(x)}" cy="${py(f(x))}" r="4.5"/></svg>`;
  figure.append(element("span", "", `${title}(${decimal(x)}) ${[x, f(x)].every((each) => Number(decimal(each)) === each) ? "=" : "≈"} ${decimal(f(x))}`));
  return figure;
}

// Error at most 1.5e-7 (Abramowitz and Stegun, 7.1.26), far below a pixel.
function erf(x: number) {
  const t = 1 / (1 + 0.3275911 * Math.abs(x));
  const tail = t * (0.254829592 + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429))));
  return Math.sign(x) * (1 - tail * Math.exp(-x * x));
}
