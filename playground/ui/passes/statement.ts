// The function that ran, in a box of constant height, with the statement marked and centred.

import { calm, mapSheets } from "../parts/styles.ts";
import { Shown } from "../parts/shown.ts";
import { component } from "../parts/component.ts";
import { button, element, remember, remembered } from "../parts/words.ts";
import type { Root } from "../parts/component.ts";

export type Statement = { html: string, first: number, lit: [number, number], where: string, function: string,
    named: [call: string, where: string] | null };

const FOLDED = "playground name of a tensor"; // in sessionStorage: "folded" or "open"

let whole = false; // whether all lines are shown, kept between operations

export const statement = new Shown<Statement>(); // of the current operation, as `shown` in statement.py makes it

// The box. It can be outside the fragment that sets the statement.
export default component(mapSheets, (root) => new StatementBox(root), () => {});

class StatementBox {
  lines = element("code", "lines");
  box = element("div", "box", this.lines, { tabIndex: 0, role: "region" });
  where = element("span", "where");
  name = element("span", "name cut");
  all = button("small-button", "Show all", () => {
    whole = !whole;
    this.arrange(false);
  });
  figure = element("figure", "statement", this.box, element("figcaption", "", this.where, this.name, this.all));
  call = element("code");
  naming = element("span");
  note = element("details", "note", element("summary", "", this.call, this.naming),
    "This only gives the tensor a name. The marked statement computed it.",
    { open: remembered("sessionStorage", FOLDED) !== "folded" });
  content = ""; // of the function that is shown, and its rows
  rows: HTMLElement[] = [];
  lit: HTMLElement[] = [];
  // Line heights change if the box was hidden or its width has changed.
  observer = new ResizeObserver(() => this.arrange(false));
  unwatch: () => void;

  constructor(root: Root) {
    root.append(this.figure);
    this.observer.observe(this.lines);
    this.note.addEventListener("toggle", () => remember("sessionStorage", FOLDED, this.note.open ? "open" : "folded"));
    this.unwatch = statement.watch((now) => now && this.draw(now));
  }

  close() {
    this.observer.disconnect();
    this.unwatch();
    this.figure.remove();
  }

  draw({ html, first, lit, where, function: name, named }: Statement) {
    const content = `${first}:${html}`;
    const same = this.content === content;
    if (!same) {
      this.content = content;
      this.rows = html.split("\n").map((line, at) => row(first + at, line));
      this.lines.replaceChildren(...this.rows);
      this.box.ariaLabel = `Source of ${name || "the statement"}`;
    }
    this.lit = this.rows.slice(Math.max(0, lit[0] - first), lit[1] - first + 1);
    for (const each of this.rows) {
      const on = this.lit.includes(each);
      each.classList.toggle("lit", on);
      each.classList.toggle("begin", each === this.lit[0]);
      each.ariaCurrent = on ? "true" : null;
    }
    this.note.remove();
    if (named) {
      [this.call.textContent, this.naming.textContent] = [named[0], ` in ${named[1]}`];
      this.lit.at(-1)?.after(this.note);
    }
    this.where.textContent = where;
    this.name.textContent = name;
    this.arrange(same);
  }

  arrange(smooth: boolean) {
    const { box, all, lit } = this;
    box.classList.toggle("whole", whole);
    all.textContent = whole ? "Show less" : "Show all";
    all.ariaExpanded = String(whole);
    all.classList.toggle("unused", !whole && box.scrollHeight <= box.clientHeight + 1);
    if (whole || !lit.length) return;
    const [top, last] = [lit[0].offsetTop, lit[lit.length - 1]];
    const high = last.offsetTop + last.offsetHeight - top;
    // A statement taller than the box shows its start.
    const above = Math.max(0, (box.clientHeight - high) / 2);
    box.scrollTo({ top: top - above, behavior: smooth && !calm() ? "smooth" : "auto" });
  }
}

function row(number: number, html: string) {
  const node = element("span", "line");
  node.dataset.number = String(number);
  node.innerHTML = html || "\u200b";
  // Wrapped lines are indented a little more than their first line.
  node.style.setProperty("--in", String(node.textContent.search(/\S|$/) + 2));
  return node;
}
