// The function that ran, in a box of constant height, with the statement marked and centred.

import { calm, dress } from "../parts/styles.ts";
import { Shown } from "../parts/shown.ts";
import { Views } from "../parts/views.ts";
import { button, element } from "../parts/words.ts";
import type { Call, Root } from "../parts/views.ts";

export type Statement = { html: string, first: number, lit: [number, number], where: string, function: string };

const views = new Views((root) => build(root));
/** `content` and `rows` are those of the function that is shown, `lit` its marked rows. */
type View = { box: HTMLElement, lines: HTMLElement, where: HTMLElement, name: HTMLElement, all: HTMLElement, content: string,
    rows: HTMLElement[], lit: HTMLElement[], close(): void };

let whole = false; // whether all lines are shown, kept between operations

export const statement = new Shown<Statement>(); // of the current operation, as `shown` in statement.py makes it

// The box. It can be outside the fragment that sets the statement.
export default function ({ parentElement }: Call<null>) {
  views.at(parentElement);
  return views.leave(parentElement);
}

function draw(view: View, { html, first, lit, where, function: name }: Statement) {
  const content = `${first}:${html}`;
  const same = view.content === content;
  if (!same) {
    view.content = content;
    view.rows = html.split("\n").map((line, at) => row(first + at, line));
    view.lines.replaceChildren(...view.rows);
    view.box.setAttribute("aria-label", `Source of ${name || "the statement"}`);
  }
  view.rows.forEach((each: Element, at: number) => {
    const on = first + at >= lit[0] && first + at <= lit[1];
    each.classList.toggle("lit", on);
    each.classList.toggle("begin", first + at === lit[0]);
    on ? each.setAttribute("aria-current", "true") : each.removeAttribute("aria-current");
  });
  view.where.textContent = where;
  view.name.textContent = name;
  view.lit = view.rows.filter((each: Element) => each.classList.contains("lit"));
  arrange(view, same);
}

function build(root: Root) {
  dress(root);
  const lines = element("code", "lines");
  const box = element("div", "box", lines);
  box.tabIndex = 0;
  box.setAttribute("role", "region");
  const where = element("span", "where");
  const name = element("span", "name cut");
  const all = button("small-button", "Show all", () => {
    whole = !whole;
    arrange(view, false);
  });
  const figure = element("figure", "statement", box, element("figcaption", "", where, name, all));
  root.append(figure);
  const close = () => {
    observer.disconnect();
    unwatch();
    figure.remove();
  };
  const view: View = { box, lines, where, name, all, content: "", rows: [], lit: [], close };
  // Line heights change if the box was hidden or its width has changed.
  const observer = new ResizeObserver(() => arrange(view, false));
  observer.observe(lines);
  const unwatch = statement.watch((now) => now && draw(view, now));
  return view;
}

function row(number: number, html: string) {
  const node = element("span", "line");
  node.dataset.number = String(number);
  node.innerHTML = html || "\u200b";
  // Wrapped lines are indented a little more than their first line.
  node.style.setProperty("--in", String(node.textContent.search(/\S|$/) + 2));
  return node;
}

function arrange(view: View, smooth: boolean) {
  view.box.classList.toggle("whole", whole);
  view.all.textContent = whole ? "Show less" : "Show all";
  view.all.setAttribute("aria-expanded", String(whole));
  view.all.classList.toggle("unused", !whole && view.box.scrollHeight <= view.box.clientHeight + 1);
  if (whole || !view.lit.length) return;
  const [top, last] = [view.lit[0].offsetTop, view.lit[view.lit.length - 1]];
  const high = last.offsetTop + last.offsetHeight - top;
  // A statement taller than the box shows its start.
  const above = Math.max(0, (view.box.clientHeight - high) / 2);
  view.box.scrollTo({ top: top - above, behavior: smooth && !calm() ? "smooth" : "auto" });
}
