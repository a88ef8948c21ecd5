// The window of the lesson plan: rename, move, delete, present and share its views.

import { MAX_TITLE, add, change, linkOf, LONG_PLAN, onOtherTab, rename, undo, undoable, views } from "./lesson_plan.ts";
import { arrange, button, element, write } from "../parts/words.ts";
import type { View } from "./lesson_plan.ts";

const EMPTY = "No views yet. “Add to plan” is in Share on every page; the key A does the same, also while you present.";

/** What the window needs of the page. */
export type Around = {
  pages(): string[],
  present(view: View): void,
  share(link: string): void,
  here(): { title: string, address: string }, // the view that the page shows
};

type Row = { node: HTMLLIElement, name: HTMLInputElement };

export class PlanPanel {
  around: Around;
  rows: Map<string, Row> = new Map();
  list = element("ol", "views");
  note = element("p", "note", { role: "status" });
  present = button("main", "Present", () => this.start(this.plan[0]));
  share = button("", "Share plan", () => this.toLink());
  undo = button("", "Undo", () => this.act(undo, "Undone."));
  clear = button("", "Clear", () => this.act(() => change(this.pages, () => []), "The plan is empty now."));
  dialog: HTMLDialogElement;

  constructor(around: Around) {
    this.around = around;
    const shut = button("close", "✕", () => this.dialog.close(), { ariaLabel: "Close", title: "Close (Esc)" });
    const more = button("", "Add this view", () => this.addHere());
    this.dialog = element("dialog", "plan",
      element("header", "", element("h2", "", "Lesson plan"), shut), this.note, this.list,
      element("div", "wrap", this.present, this.share, more, this.undo, this.clear), { ariaLabel: "Lesson plan" });
    this.dialog.addEventListener("click", ({ target, clientX, clientY }) => {
      const { left, right, top, bottom } = this.dialog.getBoundingClientRect();
      const inside = clientX >= left && clientX <= right && clientY >= top && clientY <= bottom;
      if (target === this.dialog && !inside) this.dialog.close();
    });
    this.dialog.addEventListener("keydown", (event) => event.stopPropagation()); // keys must not act on the page
    onOtherTab(() => this.dialog.open && this.draw());
  }

  get pages() {
    return this.around.pages();
  }

  get plan() {
    return views(this.pages);
  }

  open(note = "") {
    this.draw(note);
    if (!this.dialog.open) this.dialog.showModal();
  }

  draw(note = "") {
    const { plan } = this;
    const nodes = plan.map((view, index) => {
      const row = this.rows.get(view.id) ?? this.row(view);
      this.rows.set(view.id, row);
      row.name.ariaLabel = `Name of view ${index + 1}`;
      if (!row.name.matches(":focus")) row.name.value = view.title;
      return row.node;
    });
    arrange(this.list, nodes);
    write(this.note, note || (plan.length ? "" : EMPTY));
    for (const each of [this.present, this.share, this.clear]) each.disabled = !plan.length;
    this.undo.hidden = !undoable();
  }

  row({ id, title }: View): Row {
    const move = (by: number) => this.act(() => change(this.pages, (plan) => moved(plan, id, by)));
    const name = element("input", "", { type: "text", value: title, maxLength: MAX_TITLE });
    const icon = (text: string, label: string, act: () => void) => button("", text, act, { ariaLabel: `${label}: ${title}`, title: label });
    const node = element("li", "", name,
      icon("▶", "Present from here", () => this.start(this.plan.find((view) => view.id === id))),
      icon("↑", "Move up", () => move(-1)), icon("↓", "Move down", () => move(1)),
      icon("✕", "Delete", () => this.act(() => change(this.pages, (plan) => plan.filter((view) => view.id !== id)), "Deleted.")));
    name.addEventListener("input", () => rename(this.pages, id, name.value));
    return { node, name };
  }

  act(by: () => void, note = "") {
    by();
    this.draw(note);
    const { activeElement } = document;
    if (!this.dialog.contains(activeElement) || activeElement === this.dialog) this.dialog.querySelector<HTMLElement>(".close")?.focus();
  }

  addHere() {
    const { title, address } = this.around.here();
    const problem = add(this.pages, title, address);
    this.draw(problem || `Added: ${title}`);
  }

  start(view: View | undefined) {
    if (!view) return this.draw(); // deleted in another tab
    this.dialog.close();
    this.around.present(view);
  }

  async toLink() {
    const link = await linkOf(this.plan);
    if (link === null) return this.draw(LONG_PLAN);
    this.dialog.close();
    this.around.share(link);
  }
}

function moved(plan: View[], id: string, by: number) {
  const at = plan.findIndex((view) => view.id === id);
  if (at < 0 || !plan[at + by]) return plan;
  const list = [...plan];
  [list[at], list[at + by]] = [list[at + by], list[at]];
  return list;
}
