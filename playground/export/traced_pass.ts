// A traced pass: outline, statement, tensors and the calculation of a cell. What it shows of a file is text, never HTML.

/** An expression of a declaration, see `explain/notation.py`. */
export type Expression =
  | ["number", number]
  | ["name", string]
  | ["read", string, Expression[]]
  | ["operator", string, Expression, Expression]
  | ["negative", Expression]
  | ["choice", Expression, Expression, Expression]
  | ["over", string, string, string, Expression, Expression | null]
  | ["call", string, Expression[]]
  | ["all", Expression[]];

/** How each cell of a tensor is computed. A spread axis has size 1 and serves all values of its letter. */
export type Declared = {
  name: string,
  text: string[],
  lines: [string, Expression][],
  result: Expression,
  cell: string[],
  reads: Record<string, { tensor: number, what: What, letters: string[], spread: boolean[] }>,
};

/** What is read or shown of a tensor. */
export type What = "values" | "gradient";

/** What an operation hands back to an input, its operand `role`; without a declaration, to cells that were copied, or by no known rule. */
export type Backward = { input: number, output: number, role: string, declared: Declared | null };

/** Where each cell of an output is copied from: an index in the flattened sources, end to end; -1 for the constant. */
export type Copied = { sources: number[], origins: string, constant: number | null };

export type Operation = {
  function: string, expression: string, source: number, line: number, last: number,
  calls: [path: string, kind: string, number: number][],
  inputs: number[], outputs: number[], passesOn: boolean,
  declared: Declared | null, copied: (Copied | null)[] | null, backward: Backward[],
};
export type Source = { file: string, name: string, first: number, text: string };
export type Tensor = {
  origin: string, name: string, shape: number[], dtype: string, values: string | null, gradient: string | null,
};
export type Pass = {
  title: string, notes: string[], inputs: Record<string, number>, outputs: Record<string, number>,
  operations: Operation[], tensors: Tensor[], sources: Source[],
};

/** One summand, or one candidate of a maximum, with its index, which counts from 0 as in Python, and its numbers. */
export type Term = { at: number, factors: number[], value: number };
export type Line = { name: string, value: number, terms: Term[], over: string, factors: string[] };
/** Indices in flattened tensors that were read, by what was read: "values 3", "gradient 3". */
export type Reads = Map<string, Set<number>>;
export type Cell = { value: number, lines: Line[], reads: Reads };

/** What one operation has handed back; no cell if the rule isn't known, or if numbers that it reads were left out. */
export type Part = { operation: number, backward: Backward, cell: Cell | null };

/** The gradient of a cell: what each operation has handed back, and the rest of its sum, which no rule explains. */
export type GradientCell = { value: number, parts: Part[], rest: { from: string, value: number } | null, reads: Reads };

const FIRST = (letter: string) => Number(!["b", "v", "0"].includes(letter)); // the lowest index along an axis

const OPERATORS: Record<string, (a: number, b: number) => number> = {
  "+": (a, b) => a + b,
  "-": (a, b) => a - b,
  "*": (a, b) => a * b,
  "/": (a, b) => a / b,
  "//": (a, b) => Math.floor(a / b),
  "%": (a, b) => a - b * Math.floor(a / b),
  "**": (a, b) => a ** b,
  "==": (a, b) => Number(a === b),
  "!=": (a, b) => Number(a !== b),
  "<": (a, b) => Number(a < b),
  "<=": (a, b) => Number(a <= b),
  ">": (a, b) => Number(a > b),
  ">=": (a, b) => Number(a >= b),
};
const CALLS: Record<string, (...numbers: number[]) => number> = {
  exp: Math.exp, log: Math.log, sqrt: Math.sqrt, sin: Math.sin, cos: Math.cos, tanh: Math.tanh,
  Phi: (x) => 0.5 * (1 + erf(x / Math.SQRT2)), max: Math.max, min: Math.min,
};
const REDUCTIONS: Record<string, (numbers: number[]) => number> = {
  sum: (numbers) => numbers.reduce((a, b) => a + b, 0),
  mean: (numbers) => numbers.reduce((a, b) => a + b, 0) / numbers.length,
  max: (numbers) => Math.max(...numbers),
  min: (numbers) => Math.min(...numbers),
  logsumexp: (numbers) => {
    const largest = Math.max(...numbers);
    return largest === -Infinity ? largest : largest + Math.log(numbers.reduce((sum, each) => sum + Math.exp(each - largest), 0));
  },
  any: (numbers) => Number(numbers.some(Boolean)),
};

/** Numbers of tensors, decoded once. */
export class Numbers {
  pass: Pass;
  #values = new Map<string, Float32Array>();

  constructor(pass: Pass) {
    this.pass = pass;
  }

  of(tensor: number, what: What = "values") {
    const text = this.pass.tensors[tensor]![what];
    if (text === null) return null;
    const key = `${what} ${tensor}`;
    const known = this.#values.get(key) ?? new Float32Array(bytes(text));
    this.#values.set(key, known);
    return known;
  }
}

export function bytes(text: string) {
  return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0)).buffer;
}

/** The index in a flattened tensor. */
export function flat(shape: number[], index: number[]) {
  return shape.reduce((at, size, axis) => at * size + index[axis]!, 0);
}

export function unflat(shape: number[], at: number) {
  return shape.map((_, axis) => {
    const inner = shape.slice(axis + 1).reduce((a, b) => a * b, 1);
    return Math.floor(at / inner) % shape[axis]!;
  });
}

/** The cell at `index` of an output, worked out from what it reads; null for an opaque call. */
export function cellOf(numbers: Numbers, operation: Operation, output: number, index: number[]): Cell | null {
  if (operation.declared) return output ? null : new Calculation(numbers, operation.declared, index).cell();
  const copied = operation.copied?.[output];
  return copied ? copiedCell(numbers, copied, flat(numbers.pass.tensors[operation.outputs[output]!]!.shape, index)) : null;
}

function copiedCell(numbers: Numbers, copied: Copied, at: number): Cell | null {
  let origin = new Int32Array(bytes(copied.origins))[at]!;
  if (origin < 0) return { value: copied.constant!, lines: [], reads: new Map() };
  for (const tensor of copied.sources) {
    if (origin < size(numbers.pass, tensor)) {
      const values = numbers.of(tensor);
      return values && { value: values[origin]!, lines: [], reads: new Map([[`values ${tensor}`, new Set([origin])]]) };
    }
    origin -= size(numbers.pass, tensor);
  }
  return null;
}

/** The cell at `index` of a gradient, worked out from what each operation that read the tensor hands back; null without one. */
export function gradientCellOf(numbers: Numbers, tensor: number, index: number[]): GradientCell | null {
  const gradient = numbers.of(tensor, "gradient");
  const { pass } = numbers;
  const at = flat(pass.tensors[tensor]!.shape, index);
  if (!gradient) return null;
  const value = gradient[at]!;
  const parts = pass.operations.flatMap((operation, number) =>
    operation.backward.filter(({ input }) => input === tensor).map((backward): Part =>
      ({ operation: number, backward, cell: handedBack(numbers, operation, backward, at, index) })));
  const reads: Reads = new Map();
  for (const { cell } of parts) for (const [key, cells] of cell?.reads ?? []) reads.set(key, new Set([...reads.get(key) ?? [], ...cells]));
  const known = parts.flatMap(({ cell }) => cell ?? []);
  const from = [...new Set(parts.filter(({ cell }) => !cell).map((part) => `from ${nameOf(pass, part.operation)}`))];
  const rest = value - known.reduce((sum, cell) => sum + cell.value, 0);
  const gradients = [gradient, ...parts.map(({ operation, backward }) => numbers.of(pass.operations[operation]!.outputs[backward.output]!, "gradient") ?? [])];
  const largest = Math.max(...gradients.map(largestOf));
  if (known.length && !from.length && !(Math.abs(rest) > TOLERANCE * largest)) return { value, parts, rest: null, reads };
  if (Object.values(pass.outputs).includes(tensor)) from.push("given by the loss");
  return { value, parts, rest: { from: from.join(" and ") || "in another way, such as through shared memory", value: rest }, reads };
}

/** What an operation hands back to one cell of an input; null if the rule isn't known, or if numbers were left out. */
function handedBack(numbers: Numbers, operation: Operation, { input, output, declared }: Backward, at: number, index: number[]): Cell | null {
  if (declared) {
    const left = Object.values(declared.reads).some(({ tensor, what }) => !numbers.of(tensor, what));
    return left ? null : new Calculation(numbers, declared, index).cell();
  }
  const copied = operation.copied?.[output];
  const tensor = operation.outputs[output]!;
  const gradient = numbers.of(tensor, "gradient");
  if (!copied || !gradient) return null;
  for (const source of copied.sources.slice(0, copied.sources.indexOf(input))) at += size(numbers.pass, source);
  const cells: number[] = [];
  new Int32Array(bytes(copied.origins)).forEach((origin, cell) => origin === at && cells.push(cell));
  const value = cells.reduce((sum, cell) => sum + gradient[cell]!, 0);
  const terms = cells.map((cell, copy) => ({ at: copy, factors: [], value: gradient[cell]! }));
  const lines = cells.length > 1 ? [{ name: "", value, terms, over: "copy", factors: [] }] : [];
  return { value, lines, reads: new Map([[`gradient ${tensor}`, new Set(cells)]]) };
}

function largestOf(numbers: Iterable<number>) {
  let most = 0;
  for (const each of numbers) if (Number.isFinite(each)) most = Math.max(most, Math.abs(each));
  return most;
}

const TOLERANCE = 1e-4; // as in explain/traced_gradients.py

function size(pass: Pass, tensor: number) {
  return pass.tensors[tensor]!.shape.reduce((a, b) => a * b, 1);
}

function nameOf(pass: Pass, operation: number) {
  return `${operation + 1} ${pass.operations[operation]!.function}`;
}

class Calculation {
  reads: Reads = new Map();
  names: Record<string, number> = { inf: Infinity, PAD: 0, eps: 1e-5 };
  numbers: Numbers;
  declared: Declared;

  constructor(numbers: Numbers, declared: Declared, index: number[]) {
    this.numbers = numbers;
    this.declared = declared;
    for (const { tensor, letters, spread } of Object.values(declared.reads)) {
      const { shape } = numbers.pass.tensors[tensor]!;
      letters.forEach((letter, axis) => spread[axis] ? this.names[letter.toUpperCase()] ??= 1 : this.names[letter.toUpperCase()] = shape[axis]!);
    }
    declared.cell.forEach((letter, axis) => letter !== "0" && (this.names[letter] = index[axis]! + FIRST(letter)));
  }

  cell(): Cell {
    const lines: Line[] = [];
    for (const [name, expression] of [...this.declared.lines, ["", this.declared.result] as [string, Expression]]) {
      const value = this.value(expression);
      if (name) this.names[name] = value;
      lines.push({ name, value, ...this.terms(expression) });
    }
    return { value: lines.at(-1)!.value, lines, reads: this.reads };
  }

  value(expression: Expression): number {
    switch (expression[0]) {
      case "number": return expression[1];
      case "name": return this.names[expression[1]]!;
      case "read": return this.read(expression[1], expression[2]);
      case "operator": return OPERATORS[expression[1]]!(this.value(expression[2]), this.value(expression[3]));
      case "negative": return -this.value(expression[1]);
      case "choice": return this.value(this.value(expression[1]) ? expression[2] : expression[3]);
      case "call": return CALLS[expression[1]]!(...expression[2].map((part) => this.value(part)));
      case "all": return Number(expression[1].every((part) => this.value(part)));
      case "over": return REDUCTIONS[expression[1]]!(this.run(expression, (body) => this.value(body)));
    }
  }

  run<T>([, , index, size, body, only]: Expression & { 0: "over" }, each: (body: Expression) => T): T[] {
    const results: T[] = [];
    const first = FIRST(size.toLowerCase());
    for (let at = first; at < first + this.names[size]!; at++) {
      this.names[index] = at;
      if (!only || this.value(only)) results.push(each(body));
    }
    delete this.names[index];
    return results;
  }

  read(role: string, indices: Expression[]) {
    const { tensor, what, letters, spread } = this.declared.reads[role]!;
    const index = indices.map((part, axis) => spread[axis] ? 0 : this.value(part) - FIRST(letters[axis]!));
    const at = flat(this.numbers.pass.tensors[tensor]!.shape, index);
    const key = `${what} ${tensor}`;
    this.reads.set(key, (this.reads.get(key) ?? new Set()).add(at));
    return this.numbers.of(tensor, what)?.[at] ?? NaN;
  }

  /** Terms of the first sum, mean or maximum in an expression. */
  terms(expression: Expression): Pick<Line, "terms" | "over" | "factors"> {
    if (expression[0] === "choice") return this.terms(this.value(expression[1]) ? expression[2] : expression[3]);
    const over = firstOver(expression);
    if (!over) return { terms: [], over: "", factors: [] };
    const leaves = leavesOf(over[4]);
    const terms = this.run(over, (body) => ({
      at: this.names[over[2]]! - FIRST(over[3].toLowerCase()), value: this.value(body), factors: leaves.map((leaf) => this.value(leaf)),
    }));
    return { terms, over: over[2], factors: leaves.map((leaf) => leaf[1] as string) };
  }
}

function parts(expression: Expression): Expression[] {
  return expression.flatMap((part) => {
    if (!Array.isArray(part)) return [];
    return typeof part[0] === "string" ? [part as Expression] : part as Expression[];
  });
}

function firstOver(expression: Expression): (Expression & { 0: "over" }) | null {
  if (expression[0] === "over") return expression;
  for (const part of parts(expression)) {
    const found = firstOver(part);
    if (found) return found;
  }
  return null;
}

function leavesOf(expression: Expression): Expression[] {
  return expression[0] === "read" || expression[0] === "over" ? [expression] : parts(expression).flatMap(leavesOf);
}

function erf(x: number) {
  // Its series, which for |x| < 6 is exact to 1e-12.
  if (Math.abs(x) > 6) return Math.sign(x);
  let term = x;
  let sum = x;
  for (let n = 1; Math.abs(term) > 1e-17 * Math.abs(sum); n++) {
    term *= -x * x / n;
    sum += term / (2 * n + 1);
  }
  return 2 / Math.sqrt(Math.PI) * sum;
}

// --- drawing --------------------------------------------------------------------------------------

const SIDE = 44; // pixels of a cell that has space for its number
const SMALL = 9;
const MANY = 40; // rows or columns, from which on cells are small

type Pinned = { tensor: number, index: number[] };

function element<Tag extends keyof HTMLElementTagNameMap>(tag: Tag, name: string, ...inside: (string | Node)[]) {
  const node = document.createElement(tag);
  if (name) node.className = name;
  node.append(...inside);
  return node;
}

export function shown(value: number) {
  if (!Number.isFinite(value)) return Number.isNaN(value) ? "NaN" : value > 0 ? "∞" : "−∞";
  if (Number.isInteger(value) && Math.abs(value) < 1e6) return String(value);
  const size = Math.abs(value);
  return size >= 1e-3 && size < 1e5 ? value.toPrecision(4).replace(/\.?0+$/, "") : value.toExponential(2);
}

/** A number that fits into a cell. */
function short(value: number) {
  const text = shown(value);
  return text.length <= 7 ? text : Math.abs(value) < 1e-3 || Math.abs(value) >= 1e5 ? value.toExponential(0) : value.toPrecision(3);
}

/** Says what a tensor is: "weight of layers.0", "input x", "result of softmax". */
export function titleOf(pass: Pass, tensor: number) {
  const { origin, name } = pass.tensors[tensor]!;
  if (origin === "operation") {
    const by = pass.operations.findIndex((operation) => operation.outputs.includes(tensor) && !operation.passesOn);
    return by < 0 ? "result" : `result of ${nameOf(pass, by)}`;
  }
  return origin === "constant" ? "constant" : `${origin} ${name}`;
}

/** How much larger than usual the page's text is, as in a presentation. */
export function zoom() {
  return parseFloat(getComputedStyle(document.documentElement).fontSize) / 16;
}

/** Scrolls a box to a part of it, and nothing around the box. */
function reveal(box: HTMLElement, part: HTMLElement) {
  const [outer, inner] = [box.getBoundingClientRect(), part.getBoundingClientRect()];
  box.scrollTop += Math.min(0, inner.top - outer.top) || Math.max(0, inner.bottom - outer.bottom);
}

export class PassView {
  pass: Pass;
  numbers: Numbers;
  at = 0;
  pinned: Pinned | null = null;
  leading = new Map<number, number[]>(); // of each tensor: the indices of the axes before its matrix
  gradients = false;
  outline = element("nav", "outline");
  main: HTMLElement;
  previous = element("button", "", "Previous");
  next = element("button", "", "Next");
  box = element("input", "");
  onGo: (at: number) => void;

  /**
   * @param root what it is drawn in
   * @param at the operation that is shown first, counted from 0
   * @param onGo is called with each operation that is shown
   * @param alone whether it is the whole page, with its heading and landmark
   */
  constructor(pass: Pass, root: HTMLElement, at: number, onGo: (at: number) => void, alone: boolean) {
    this.pass = pass;
    this.numbers = new Numbers(pass);
    this.onGo = onGo;
    this.main = element(alone ? "main" : "div", "steps");
    this.outline.ariaLabel = "Operations";
    this.previous.onclick = () => this.go(this.at - 1);
    this.next.onclick = () => this.go(this.at + 1);
    this.box.type = "checkbox";
    this.box.onchange = () => this.turn();
    const title = element(alone ? "h1" : "h2", "", pass.title);
    root.append(element("header", "", title, ...pass.notes.map((note) => element("p", "note", note))), this.outline, this.main);
    this.drawOutline();
    this.go(at);
  }

  get what(): What {
    return this.gradients ? "gradient" : "values";
  }

  /** Shows gradients or values, if there are gradients. */
  turn() {
    this.gradients = !this.gradients && this.pass.tensors.some((tensor) => tensor.gradient !== null);
    if (this.pinned && !this.pass.operations[this.at]!.outputs.includes(this.pinned.tensor)) this.pinned = null;
    this.draw();
  }

  go(at: number) {
    this.at = Math.max(0, Math.min(this.pass.operations.length - 1, at));
    this.pinned = null;
    this.onGo(this.at);
    for (const link of this.outline.querySelectorAll("a")) {
      const current = Number(link.dataset.at) === this.at;
      link.toggleAttribute("aria-current", current);
      if (current) {
        for (let around = link.closest("details"); around; around = around.parentElement!.closest("details")) around.open = true;
        reveal(this.outline, link);
      }
    }
    this.draw();
  }

  drawOutline() {
    const open: [string, HTMLElement][] = [["", this.outline]];
    this.pass.operations.forEach((operation, at) => {
      const calls = operation.calls.map(([path, kind, number]) => ({ path, kind, number, key: `${path} ${number}` }));
      let depth = 0;
      while (depth < calls.length && open[depth + 1]?.[0] === calls[depth]!.key) depth++;
      open.length = depth + 1;
      for (const { path, kind, number, key } of calls.slice(depth)) {
        const again = number ? ` (call ${number + 1})` : "";
        const outer = calls[calls.findIndex((call) => call.key === key) - 1]?.path;
        const name = outer && path.startsWith(`${outer}.`) ? path.slice(outer.length + 1) : path;
        const group = element("details", "", element("summary", "", name || kind, element("small", "", name ? kind + again : again)));
        group.open = depth < 2 || this.pass.operations.length < 60;
        open.at(-1)![1].append(group);
        open.push([key, group]);
      }
      const link = element("a", operation.passesOn ? "idle" : "", `${at + 1} ${operation.function}`);
      link.href = `#operation=${at + 1}`;
      link.dataset.at = String(at);
      link.addEventListener("click", (event) => {
        event.preventDefault();
        this.go(at);
      });
      open.at(-1)![1].append(link);
    });
  }

  draw() {
    const operation = this.pass.operations[this.at];
    if (!operation) {
      this.main.replaceChildren(element("p", "", "This pass called no torch function."));
      return;
    }
    const focused = (this.main.getRootNode() as Document | ShadowRoot).activeElement;
    this.previous.disabled = !this.at;
    this.next.disabled = this.at === this.pass.operations.length - 1;
    this.box.checked = this.gradients;
    const where = operation.calls.map(([path, kind]) => path || kind).at(-1) ?? "";
    const heading = element("h2", "", `${this.at + 1}. ${operation.function}`, element("small", "", where));
    const bar = element("div", "bar", heading, this.previous, this.next);
    if (this.pass.tensors.some((tensor) => tensor.gradient !== null)) bar.append(element("label", "", this.box, " Show gradients"));
    const shapes = (tensors: number[]) => tensors.map((each) => `(${this.pass.tensors[each]!.shape.join(", ")})`).join(", ");
    const facts = element("p", "facts", `${shapes(operation.inputs) || "no tensor"} → ${shapes(operation.outputs)}`);
    if (operation.passesOn) facts.append(element("em", "", "It returns its input unchanged."));
    else if (!operation.declared && !operation.copied) facts.append(element("em", "", "This call is opaque: only its numbers are known."));
    const { what, pinned } = this;
    const cell = pinned && !this.gradients ? this.cell(operation, pinned) : null;
    const gradient = pinned && this.gradients ? gradientCellOf(this.numbers, pinned.tensor, pinned.index) : null;
    const reads = (gradient ?? cell)?.reads ?? new Map();
    const own: [number, What][] = [...new Set([...operation.outputs, ...operation.inputs])].map((tensor) => [tensor, what]);
    const others = gradient ? [...gradient.reads.keys()].map((key) => key.split(" ")).map(([of, at]): [number, What] => [Number(at), of as What]) : [];
    const further = others.filter(([tensor, of]) => !own.some(([each]) => each === tensor && of === what));
    const after = own.findIndex(([tensor]) => tensor === pinned?.tensor) + 1;
    const tensors = own.toSpliced(after, 0, ...further).map(([tensor, of]) => this.tensor(operation, tensor, of, reads));
    const calculation = this.gradients ? this.derivation(gradient) : this.calculation(operation, cell);
    this.main.replaceChildren(bar, this.source(operation), facts, calculation, element("div", "tensors", ...tensors));
    for (const each of [this.previous, this.next, this.box]) if (each === focused) each.focus({ preventScroll: true });
  }

  source(operation: Operation) {
    const source = this.pass.sources[operation.source]!;
    const list = element("ol", "source");
    list.start = source.first;
    source.text.split("\n").forEach((text, offset) => {
      const line = source.first + offset;
      const row = element("li", line >= operation.line && line <= operation.last ? "ran" : "", text || " ");
      list.append(row);
    });
    requestAnimationFrame(() => {
      const ran = list.querySelector<HTMLElement>(".ran");
      if (ran) reveal(list, ran);
    });
    const head = element("div", "file", source.file ? `${source.file}:${operation.line}` : "", element("code", "", operation.expression));
    list.tabIndex = 0;
    return element("section", "code", head, list);
  }

  cell(operation: Operation, { tensor, index }: Pinned) {
    const output = operation.outputs.indexOf(tensor);
    return output < 0 ? null : cellOf(this.numbers, operation, output, index);
  }

  calculation(operation: Operation, cell: Cell | null) {
    const text = operation.declared?.text ?? (operation.copied ? ["Each cell is a copy of another one."] : []);
    const box = element("section", "cell", ...text.map((line) => element("code", "", line)));
    box.ariaLive = "polite";
    if (!this.pinned) {
      if (text.length) box.append(element("p", "hint", "Select a cell of the result to see the numbers that it was computed from."));
      return box;
    }
    const at = flat(this.pass.tensors[this.pinned.tensor]!.shape, this.pinned.index);
    box.append(element("p", "", ...this.pinnedValue(this.numbers.of(this.pinned.tensor)?.[at])));
    const worked = cell?.lines ?? [];
    box.append(this.lines(worked, "out"));
    return box;
  }

  pinnedValue(value: number | undefined) {
    return [`Cell [${this.pinned!.index.join(", ")}] = `, element("strong", "", shown(value ?? NaN))];
  }

  /** Named values and the result, with the terms of their sums; a result alone stands above. */
  lines(lines: Line[], result: string) {
    if (lines.length < 2 && !lines[0]?.terms.length) return "";
    return element("div", "lines", ...lines.map(({ name, value, terms, over, factors }) => {
      const row = element("p", "", `${name || result} = ${shown(value)}`);
      if (terms.length > 1) {
        const rows = terms.slice(0, 200).map(({ at, factors, value }) =>
          element("tr", "", ...[at, ...factors, value].map((each, column) => element("td", "", column ? shown(each) : String(at)))));
        const heads = [over, ...factors, "term"].map((text) => element("th", "", text));
        row.append(element("div", "terms", element("table", "", element("tr", "", ...heads), ...rows)));
      }
      return row;
    }));
  }

  /** What the gradient of the pinned cell was computed from. */
  derivation(gradient: GradientCell | null) {
    const box = element("section", "cell");
    box.ariaLive = "polite";
    if (!this.pinned || !gradient) {
      box.append(element("p", "hint", "Select a cell to see what its gradient was computed from."));
      return box;
    }
    const at = flat(this.pass.tensors[this.pinned.tensor]!.shape, this.pinned.index);
    const known = gradient.parts.filter(({ cell }) => cell);
    const summands = [...known.map(({ cell }) => cell!.value), ...gradient.rest ? [gradient.rest.value] : []].map(shown);
    const value = element("p", "", ...this.pinnedValue(this.numbers.of(this.pinned.tensor)?.[at]), ", gradient ", element("strong", "", shown(gradient.value)));
    if (summands.length > 1) value.append(` = ${summands.join(" + ").replaceAll("+ -", "− ")}`);
    box.append(value);
    if (known.some(({ backward }) => backward.declared)) {
      box.append(element("p", "hint", "In these formulas, gradient is that of the operation's result, and handed is what this tensor gets."));
    }
    for (const part of known) {
      const { operation, backward, cell } = part;
      const link = element("a", "", nameOf(this.pass, operation));
      link.href = `#operation=${operation + 1}`;
      link.onclick = (event) => {
        event.preventDefault();
        this.go(operation);
      };
      const operand = known.some((other) => other !== part && other.operation === operation) && backward.role;
      box.append(element("p", "", "From ", link, operand ? `, to its operand ${operand}: ` : ": ", element("strong", "", shown(cell!.value))));
      if (backward.declared) {
        box.append(...backward.declared.text.map((line) => element("code", "", line)));
        box.append(this.lines(cell!.lines, backward.declared.name));
      } else {
        const copies = [...cell!.reads.values()][0]!.size;
        box.append(element("p", "", ["No cell of the result is a copy of this one.", "This is the gradient of its copy in the result."][copies]
          ?? `This is the sum of the gradients of its ${copies} copies in the result.`));
        box.append(this.lines(cell!.lines, "sum"));
      }
    }
    if (gradient.rest) {
      const { from, value } = gradient.rest;
      const row = element("p", "", `${from[0]!.toUpperCase()}${from.slice(1)}: `, element("strong", "", shown(value)));
      if (known.length < gradient.parts.length) row.append(element("span", "hint", " The rule of this operation isn't known, or numbers that it reads were left out."));
      box.append(row);
    }
    return box;
  }

  tensor(operation: Operation, tensor: number, what: What, reads: Reads) {
    const { shape, dtype } = this.pass.tensors[tensor]!;
    const result = operation.outputs.includes(tensor) && what === this.what;
    const values = this.numbers.of(tensor, what);
    const figure = element("figure", result ? "result" : "");
    const caption = element("figcaption", "", element("b", "", this.caption(tensor, what, result)), ` (${shape.join(", ")}) ${dtype}`);
    figure.append(caption);
    if (!values) {
      const why = what === "gradient" ? "No gradient reaches it." : "Its numbers were left out: the pass has too many.";
      figure.append(element("p", "hint", why));
      return figure;
    }
    const pinned = what === this.what && this.pinned?.tensor === tensor ? this.pinned : null;
    const lit = reads.get(`${what} ${tensor}`) ?? null;
    const leading = shape.slice(0, -2);
    let chosen = this.leading.get(tensor) ?? leading.map(() => 0);
    if (lit?.size) chosen = unflat(shape, [...lit][0]!).slice(0, -2);
    if (pinned) chosen = pinned.index.slice(0, -2);
    leading.forEach((size, axis) => {
      const select = element("select", "", ...Array.from({ length: size }, (_, at) => element("option", "", String(at))));
      select.ariaLabel = `Index of axis ${axis}`;
      select.value = String(chosen[axis]);
      select.onchange = () => {
        this.leading.set(tensor, chosen.with(axis, Number(select.value)));
        this.pinned = null;
        this.draw();
      };
      caption.append(" ", select);
    });
    const selectable = result || what === "gradient" && [...operation.outputs, ...operation.inputs].includes(tensor);
    figure.append(this.matrix(tensor, what, values, chosen, lit, selectable));
    return figure;
  }

  caption(tensor: number, what: What, result: boolean) {
    if (what === "gradient") return result ? "Gradient of the result" : `Gradient of ${titleOf(this.pass, tensor)}`;
    return result ? "Result" : titleOf(this.pass, tensor);
  }

  matrix(tensor: number, what: What, values: Float32Array, leading: number[], lit: Set<number> | null, selectable: boolean) {
    const { shape } = this.pass.tensors[tensor]!;
    const [rows, columns] = [shape.at(-2) ?? 1, shape.at(-1) ?? 1];
    const begin = leading.reduce((at, index, axis) => at * shape[axis]! + index, 0) * rows * columns;
    const canvas = element("canvas", "");
    const box = element("div", "matrix", canvas);
    this.main.append(box); // only then it has the colours of the theme
    const large = Math.max(rows, columns) < MANY;
    const side = zoom() * (large ? SIDE : SMALL);
    const height = large ? side / 2 : side;
    const scale = devicePixelRatio || 1;
    canvas.width = columns * side * scale;
    canvas.height = rows * height * scale;
    canvas.style.width = `${columns * side}px`;
    const pen = canvas.getContext("2d")!;
    pen.scale(scale, scale);
    const colour = (name: string) => {
      canvas.style.color = `var(${name})`; // the browser then tells the colour of the theme
      return getComputedStyle(canvas).color;
    };
    const colours = { negative: colour("--negative"), positive: colour("--positive"), hidden: colour("--hidden"), ink: colour("--ink"), accent: colour("--accent") };
    const largest = largestOf(values) || 1;
    pen.font = `${10 * zoom()}px ${getComputedStyle(canvas).fontFamily}`;
    pen.textAlign = "center";
    pen.textBaseline = "middle";
    for (let row = 0; row < rows; row++) {
      for (let column = 0; column < columns; column++) {
        const at = begin + row * columns + column;
        const value = values[at]!;
        pen.globalAlpha = Number.isFinite(value) ? 0.85 * Math.abs(value) / largest : 1;
        pen.fillStyle = Number.isFinite(value) ? value < 0 ? colours.negative : colours.positive : colours.hidden;
        pen.fillRect(column * side, row * height, side - 1, height - 1);
        pen.globalAlpha = 1;
        if (large) {
          pen.fillStyle = colours.ink;
          pen.fillText(short(value), (column + 0.5) * side, (row + 0.5) * height);
        }
        const pinned = selectable && this.pinned?.tensor === tensor && flat(shape, this.pinned.index) === at;
        if (pinned || lit?.has(at)) {
          pen.strokeStyle = colours.accent;
          pen.lineWidth = 2;
          pen.strokeRect(column * side + 1, row * height + 1, side - 3, height - 3);
        }
      }
    }
    canvas.role = "img";
    canvas.ariaLabel = `${this.caption(tensor, what, false)}, ${rows} rows, ${columns} columns`;
    if (selectable) this.selectable(canvas, tensor, leading, rows, columns, side, height);
    canvas.style.color = "";
    return box;
  }

  selectable(canvas: HTMLCanvasElement, tensor: number, leading: number[], rows: number, columns: number, side: number, height: number) {
    const { shape } = this.pass.tensors[tensor]!;
    const pin = (row: number, column: number) => {
      if (row < 0 || column < 0 || row >= rows || column >= columns) return;
      this.pinned = { tensor, index: [...leading, row, column].slice(-shape.length || Infinity) };
      if (!shape.length) this.pinned.index = [];
      this.draw();
      this.main.querySelector<HTMLElement>(`[data-tensor="${tensor}"]`)?.focus({ preventScroll: true });
    };
    canvas.tabIndex = 0;
    canvas.dataset.tensor = String(tensor);
    canvas.onclick = (event) => pin(Math.floor(event.offsetY / height), Math.floor(event.offsetX / side));
    canvas.onkeydown = (event) => {
      const step = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] }[event.key];
      if (!step) return;
      event.preventDefault();
      const [row, column] = this.pinned?.tensor === tensor ? [this.pinned.index.at(-2) ?? 0, this.pinned.index.at(-1) ?? 0] : [0, -step[1]!];
      pin(row + step[0]!, column + step[1]!);
    };
  }
}
