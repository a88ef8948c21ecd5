// All operations of a pass as a tree. Only the current sublayer is unfolded, and in it the current expert; manual folding
// lasts until the current operation enters the group.

import { calm, mapSheets } from "../parts/styles.ts";
import { claim } from "../parts/shortcuts.ts";
import { go } from "../parts/map/follow.ts";
import { lit, siblings } from "../parts/shown.ts";
import { component } from "../parts/component.ts";
import { button, element } from "../parts/words.ts";
import type { Lit } from "../parts/shown.ts";
import type { Call, Root } from "../parts/component.ts";

const PHONE_WIDTH = 640;
const SUBLAYER = 3; // depth of a sublayer of a layer
/** An operation or a group of operations from architecture.py; `role` names the colour of its letter. */
type Part = { label: string, name: string, parts?: Part[], letter?: string, role?: string };
type Data = { parts: Part[], colours: Record<string, string> };
/**
 * A node of the tree: a group has `nodes` in a `list`, an operation is the one `at` an index and `off` where it has no
 * gradient. `open` is what a person has chosen, or null.
 */
type Node = { label: string, name: string, parent: Node | Top, item: HTMLElement, row: HTMLElement, depth: number,
    open: boolean | null, list?: HTMLElement, nodes?: Node[], at?: number, off?: boolean };
type Top = { depth: number, list: HTMLElement, nodes: Node[], parent?: undefined };
const kept: { all: boolean, shut: boolean | null } = { all: false, shut: null }; // kept between pages: all sublayers unfolded; the box closed

export default component(mapSheets, (root) => new Outline(root), (outline, { data }: Call<Data>) => outline.show(data));

class Outline {
  root: Root;
  total = element("span", "soft");
  title = button("title", "All operations ", () => {
    kept.shut = !kept.shut;
    this.draw();
    this.reveal();
  });
  all = button("small-button", "Unfold all", () => {
    kept.all = !kept.all;
    for (const node of groups(this.top)) node.open = null;
    this.draw();
    this.reveal();
  });
  tree = element("ul", "tree", { role: "tree", ariaLabel: "All operations of this pass" });
  box = element("section", "outline", element("header", "", this.title, this.all), this.tree);
  top: Top = { depth: 0, list: this.tree, nodes: [] };
  leaves: Map<string, Node> = new Map();
  byItem: WeakMap<Element, Node> = new WeakMap();
  planted = "";
  lit: Node | null | undefined = null; // undefined where it has to be shown again
  within: Set<Node> = new Set(); // the groups around it
  backward: string | null = null;
  stop: Node | null = null; // of the Tab key
  unwatch = () => {};

  constructor(root: Root) {
    this.root = root;
    kept.shut ??= innerWidth < PHONE_WIDTH;
    this.title.append(this.total);
    root.append(this.box);
    this.tree.addEventListener("click", (event) => {
      const target = event.target as Element;
      const item = target.closest("[role=treeitem]");
      const node = item && this.byItem.get(item);
      if (!node) return;
      this.setStop(node);
      target.closest(".chevron") ? this.toggle(node) : enter(node);
    });
    this.tree.addEventListener("keydown", (event) => this.press(event));
  }

  close() {
    this.unwatch();
    siblings.set(this, null);
    this.box.remove();
  }

  show(data: Data) {
    const text = JSON.stringify(data);
    if (this.planted !== text) this.plant(data);
    this.planted = text;
    this.unwatch();
    this.unwatch = lit.watch((now) => this.light(now));
    siblings.set(this, (name) => {
      const leaf = this.leaves.get(name);
      return leaf ? seen(leaf.parent).filter((node) => !node.nodes && !node.off) : [];
    });
  }

  plant({ parts, colours }: Data) {
    this.leaves.clear();
    const grow: (parent: Node | Top, part: Part) => Node = (parent, { label, name, parts: inner, letter, role }) => {
      const row = element("div", "row", element("span", "chevron"), element("span", "label", label));
      const depth = parent.depth + 1;
      const item = element("li", "", row, { role: "treeitem", ariaLabel: label, ariaLevel: String(depth), tabIndex: -1 });
      const node: Node = { label, name, parent, item, row, depth, open: null };
      item.style.setProperty("--depth", String(depth - 1));
      this.byItem.set(item, node);
      if (inner) {
        node.list = element("ul", "", { role: "group" });
        node.nodes = inner.map((each) => grow(node, each));
        node.list.append(...node.nodes.map((each) => each.item));
        item.append(node.list);
      } else {
        node.at = this.leaves.size;
        this.leaves.set(name, node);
        if (letter) {
          const sign = element("span", "letter", letter, { ariaHidden: "true" });
          sign.style.background = role ? colours[role] : "";
          row.append(sign);
        }
      }
      return node;
    };
    this.top.nodes = parts.map((each) => grow(this.top, each));
    this.lit = this.backward = null;
    this.tree.replaceChildren(...this.top.nodes.map((node) => node.item));
    this.setStop(this.top.nodes[0]);
    this.draw();
  }

  isOpen(node: Node) {
    if (node.open !== null) return node.open;
    return kept.all || (node.depth < SUBLAYER && node.nodes?.some((each) => each.nodes)) || this.within.has(node);
  }

  light(lit: Lit | null) {
    const leaf = lit?.lit ? this.leaves.get(lit.lit) : null;
    this.turn(lit?.without ?? null);
    if (this.lit === (leaf ?? null)) return;
    const before = this.within;
    this.lit = leaf ?? null;
    this.within = new Set();
    for (let node: Node | Top | undefined = leaf?.parent; node?.parent; node = node.parent) {
      this.within.add(node);
      if (node.open === false && !before.has(node)) node.open = null; // entering a folded group unfolds it
    }
    this.draw();
    if (leaf && !this.tree.contains(this.root.activeElement ?? null)) this.setStop(leaf);
    this.reveal();
  }

  // Backward: the last operation comes first, and `without` are the indices of operations without a gradient.
  turn(without: number[] | null) {
    const text = JSON.stringify(without);
    if (this.backward === text) return;
    const reverse = ({ list, nodes = [] }: Node | Top) => {
      const items = nodes.map((each) => each.item);
      list?.append(...(without ? items.reverse() : items));
      nodes.filter((each) => each.nodes).forEach(reverse);
    };
    reverse(this.top);
    const off = new Set(without);
    for (const leaf of this.leaves.values()) {
      leaf.off = leaf.at !== undefined && off.has(leaf.at);
      leaf.item.ariaDisabled = leaf.off ? "true" : null;
    }
    this.total.textContent = without ? `${this.leaves.size - off.size}, backward` : String(this.leaves.size);
    this.backward = text;
    this.lit = undefined; // the layout changed: scroll to it again
  }

  // Updates folds, marks and labels.
  draw() {
    this.box.classList.toggle("shut", Boolean(kept.shut));
    this.title.ariaExpanded = String(!kept.shut);
    this.all.textContent = kept.all ? "Fold to sublayers" : "Unfold all";
    this.all.ariaPressed = String(kept.all);
    for (const node of groups(this.top)) {
      node.item.ariaExpanded = String(Boolean(this.isOpen(node)));
      node.item.classList.toggle("within", this.within.has(node));
    }
    for (const leaf of this.leaves.values()) leaf.item.ariaCurrent = leaf === this.lit ? "step" : null;
    if (!this.stop || !this.visible().includes(this.stop)) this.setStop(this.lit ?? this.top.nodes[0]);
  }

  // Scrolls the box, never the page, so that the marked item is visible.
  reveal() {
    if (!this.lit || kept.shut) return;
    const { tree } = this;
    const row = this.lit.row.getBoundingClientRect();
    const box = tree.getBoundingClientRect();
    const margin = Math.min(2.5 * row.height, box.height / 3);
    if (row.top >= box.top + margin && row.bottom <= box.bottom - margin) return;
    const top = tree.scrollTop + row.top - box.top - (box.height - row.height) / 2;
    tree.scrollTo({ top, behavior: calm() ? "auto" : "smooth" });
  }

  toggle(node: Node) {
    if (!node.nodes) return;
    node.open = !this.isOpen(node);
    this.draw();
  }

  // Visible items in order.
  visible(node: Node | Top = this.top): Node[] {
    return seen(node).flatMap((each) => [each, ...(each.nodes && this.isOpen(each) ? this.visible(each) : [])]);
  }

  // One item is the tab stop.
  setStop(node: Node) {
    if (this.stop) this.stop.item.tabIndex = -1;
    node.item.tabIndex = 0;
    this.stop = node;
  }

  press(event: KeyboardEvent) {
    const node = this.byItem.get(event.target as Element);
    if (!node || event.ctrlKey || event.altKey || event.metaKey || event.shiftKey) return;
    const all = this.visible();
    const at = all.indexOf(node);
    const open = node.nodes && this.isOpen(node);
    const acts: Record<string, () => Node | void> = {
      ArrowDown: () => all[at + 1],
      ArrowUp: () => all[at - 1],
      Home: () => all[0],
      End: () => all[all.length - 1],
      ArrowRight: () => (node.nodes && !open ? this.toggle(node) : seen(node)[0]),
      ArrowLeft: () => (open ? this.toggle(node) : node.parent.parent ? node.parent : undefined),
      Enter: () => enter(node),
      " ": () => (node.nodes ? this.toggle(node) : enter(node)),
    };
    if (!Object.hasOwn(acts, event.key)) return;
    claim(event);
    const next = acts[event.key]();
    if (!next) return;
    this.setStop(next);
    next.item.focus({ preventScroll: true });
    const row = next.row.getBoundingClientRect();
    const box = this.tree.getBoundingClientRect();
    if (row.top < box.top) this.tree.scrollTop += row.top - box.top;
    if (row.bottom > box.bottom) this.tree.scrollTop += row.bottom - box.bottom;
  }
}

function groups(node: Node | Top): Node[] {
  return (node.nodes ?? []).flatMap((each) => (each.nodes ? [each, ...groups(each)] : []));
}

function enter(node: Node) {
  if (node.off) return;
  const first = node.nodes ? leavesOf(node).find((each) => !each.off) : node;
  if (first) go({ name: first.name });
}

// The operations of a node, as they are shown.
function leavesOf(node: Node): Node[] {
  return node.nodes ? seen(node).flatMap(leavesOf) : [node];
}

function seen({ list, nodes = [] }: Node | Top) {
  return [...(list?.children ?? [])].flatMap((item) => nodes.find((each) => each.item === item) ?? []);
}
