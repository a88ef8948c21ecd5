// What the page shows, for all of its components: one sets a part of it, others watch it.

type Watcher<Value> = (value: Value | null) => void;

export class Shown<Value> {
  value: Value | null = null;
  #by: object | null = null;
  #watchers: Set<Watcher<Value>> = new Set();

  /** Calls `watcher` with the value, now and at each change; returns a function that ends it. */
  watch(watcher: Watcher<Value>) {
    this.#watchers.add(watcher);
    watcher(this.value);
    return () => void this.#watchers.delete(watcher);
  }

  /** Sets the value for `who`; null removes it, unless somebody else has set one since. Returns whether it did. */
  set(who: object, value: Value | null) {
    if (!value && this.#by !== who) return false;
    this.#by = value && who;
    this.value = value;
    for (const watcher of this.#watchers) watcher(value);
    return true;
  }
}

/**
 * What is lit: in the picture parts of the model, in the outline an operation; `without` are operations that have no
 * gradient, where one goes backward.
 */
export type Lit = { lit?: string, part?: string, parts?: string[], whole?: boolean, along?: string, joined?: boolean,
    stack?: string, layer?: number, without?: number[] | null };
/** The current operation: its marks, its name, its breadcrumbs as [label, name of the operation], whether it is the first or
    last one, and the short tour. */
export type Walk = Lit & { lit: string, crumbs: [label: string, name: string][], first?: boolean, last?: boolean, stops?: [title: string, name: string, sentence: string][] };
/** A slide of the presenter view. */
export type Slide = { name: string, title: string, parts: string[], panels: string[], shrinks: boolean };
/** The output of the current operation: its forward pass, name and title, the letters of its axes and their sizes, and
    its locked cell. Indices count from 0. */
export type Output = { walk: string, operation: string, title: string, axes: string, shape: number[], cell: number[] | null };
/** A run whose loss is charted, at its newest step. */
export type Curve = { run: string, name: string, step: number };
/**
 * A question about an operation's output, or about a point [step, loss] of the chart of the loss. With `pick`, a click
 * there answers it; `hides`: its values are hidden until the answer is revealed; `marks` are answers to show there.
 */
export type Asked = { kind: "output" | "point", panel?: string, operation?: string, shape?: number[], step?: number, hides: boolean,
    pick: ((at: number[]) => void) | null, marks: AskedMark[] };
/** An own answer, those of others, or the true one. */
export type AskedMark = { at: number[], text: string, name: "own" | "given" | "true" };

export const lit = new Shown<Lit>();
export const walk = new Shown<Walk & { host: Element }>(); // `host` is the component that draws the operation
export const siblings = new Shown<(name: string) => { label: string, name: string }[]>(); // the operations beside one
export const slide = new Shown<Slide>();
/** Shows what these query parameters say without a script run; resolves to whether that was possible. */
export const opener = new Shown<(words: URLSearchParams) => Promise<boolean>>();
export const output = new Shown<Output>();
export const curve = new Shown<Curve>();
export const asked = new Shown<Asked>();
export const turned = new Shown<{ name: string }>(); // the slide that another device of the presenter shows
export const slides = new Shown<Slide[]>(); // of the page, on it or not
