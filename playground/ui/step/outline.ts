// All operations of a pass as a tree. Only the current sublayer is unfolded; manual folding lasts until the current
// operation enters the group.

import { calm, dress } from "../parts/styles.ts";
import { go } from "../parts/map/follow.ts";
import { lit, siblings } from "../parts/shown.ts";
import { Views } from "../parts/views.ts";
import { button, element } from "../parts/words.ts";
import type { Lit } from "../parts/shown.ts";
import type { Call, Root } from "../parts/views.ts";

const PHONE_WIDTH = 640;
const views = new Views((root) => build(root));
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
/** `lit` is undefined where it has to be shown again, `within` are the groups around it; `stop` is that of the Tab key. */
type View = { root: Root, box: HTMLElement, tree: HTMLElement, title: HTMLElement, all: HTMLElement, total: HTMLElement,
    top: Top, leaves: Map<string, Node>, byItem: WeakMap<Element, Node>, planted: string, lit: Node | null | undefined,
    within: Set<Node>, backward: string | null, stop: Node | null, unwatch(): void, close(): void };

const kept: { all: boolean, shut: boolean | null } = { all: false, shut: null }; // kept between pages: all sublayers unfolded; the box closed

export default function ({ data, parentElement }: Call<Data>) {
  const view = views.at(parentElement);
  const text = JSON.stringify(data);
  if (view.planted !== text) {
    view.planted = text;
    plant(view, data);
  }
  view.unwatch();
  view.unwatch = lit.watch((now) => light(view, now));
  siblings.set(view, (name) => {
    const leaf = view.leaves.get(name);
    return leaf ? seen(leaf.parent).filter((node) => !node.nodes && !node.off) : [];
  });
  return views.leave(parentElement);
}

function build(root: Root) {
  dress(root);
  kept.shut ??= innerWidth < PHONE_WIDTH;
  const total = element("span", "soft");
  const title = button("title", "All operations ", () => {
    kept.shut = !kept.shut;
    dressUp(view);
    reveal(view);
  });
  title.append(total);
  const all = button("small-button", "Unfold all", () => {
    kept.all = !kept.all;
    for (const node of groups(view.top)) node.open = null;
    dressUp(view);
    reveal(view);
  });
  const tree = element("ul", "tree");
  tree.setAttribute("role", "tree");
  tree.setAttribute("aria-label", "All operations of this pass");
  const box = element("section", "outline", element("header", "", title, all), tree);
  root.append(box);
  const view: View = {
    ...{ root, box, tree, title, all, total, top: { depth: 0, list: tree, nodes: [] }, leaves: new Map(), byItem: new WeakMap(), planted: "" },
    ...{ lit: null, within: new Set(), backward: null, stop: null, unwatch() {} },
    close() {
      view.unwatch();
      siblings.set(view, null);
      box.remove();
    },
  };
  tree.addEventListener("click", (event) => {
    const target = event.target as Element;
    const item = target.closest("[role=treeitem]");
    const node = item && view.byItem.get(item);
    if (!node) return;
    stop(view, node);
    target.closest(".chevron") ? toggle(view, node) : enter(node);
  });
  tree.addEventListener("keydown", (event) => press(view, event));
  return view;
}

function plant(view: View, { parts, colours }: Data) {
  view.leaves.clear();
  const grow: (parent: Node | Top, part: Part) => Node = (parent, { label, name, parts: inner, letter, role }) => {
    const row = element("div", "row", element("span", "chevron"), element("span", "label", label));
    const item = element("li", "", row);
    item.setAttribute("role", "treeitem");
    item.setAttribute("aria-label", label);
    const node: Node = { label, name, parent, item, row, depth: parent.depth + 1, open: null };
    item.setAttribute("aria-level", String(node.depth));
    item.setAttribute("tabindex", "-1");
    item.style.setProperty("--depth", String(node.depth - 1));
    view.byItem.set(item, node);
    if (inner) {
      const list = (node.list = element("ul", ""));
      list.setAttribute("role", "group");
      node.nodes = inner.map((each) => grow(node, each));
      list.append(...node.nodes.map((each) => each.item));
      item.append(list);
    } else {
      node.at = view.leaves.size;
      view.leaves.set(name, node);
      if (letter) {
        const sign = element("span", "letter", letter);
        sign.style.background = role ? colours[role] : "";
        sign.setAttribute("aria-hidden", "true");
        row.append(sign);
      }
    }
    return node;
  };
  const top: Top = { depth: 0, list: view.tree, nodes: [] };
  top.nodes = parts.map((each) => grow(top, each));
  view.top = top;
  view.lit = view.backward = null;
  view.tree.replaceChildren(...top.nodes.map((node) => node.item));
  stop(view, top.nodes[0]);
  dressUp(view);
}

function groups(node: Node | Top): Node[] {
  return (node.nodes ?? []).flatMap((each) => (each.nodes ? [each, ...groups(each)] : []));
}

function isOpen(view: View, node: Node) {
  if (node.open !== null) return node.open;
  return kept.all || node.nodes?.some((each) => each.nodes) || view.within.has(node);
}

function light(view: View, lit: Lit | null) {
  const leaf = lit?.lit ? view.leaves.get(lit.lit) : null;
  turn(view, lit?.without ?? null);
  if (view.lit === (leaf ?? null)) return;
  const before = view.within;
  view.lit = leaf ?? null;
  view.within = new Set();
  for (let node: Node | Top | undefined = leaf?.parent; node?.parent; node = node.parent) {
    view.within.add(node);
    if (node.open === false && !before.has(node)) node.open = null; // entering a folded group unfolds it
  }
  dressUp(view);
  if (leaf && !view.tree.contains(view.root.activeElement ?? null)) stop(view, leaf);
  reveal(view);
}

// Backward: the last operation comes first, and `without` are the indices of operations without a gradient.
function turn(view: View, without: number[] | null) {
  const text = JSON.stringify(without);
  if (view.backward === text) return;
  const reverse = ({ list, nodes = [] }: Node | Top) => {
    const items = nodes.map((each) => each.item);
    list?.append(...(without ? items.reverse() : items));
    nodes.filter((each) => each.nodes).forEach(reverse);
  };
  reverse(view.top);
  const off = new Set(without);
  for (const leaf of view.leaves.values()) {
    leaf.off = leaf.at !== undefined && off.has(leaf.at);
    leaf.off ? leaf.item.setAttribute("aria-disabled", "true") : leaf.item.removeAttribute("aria-disabled");
  }
  view.total.textContent = without ? `${view.leaves.size - off.size}, backward` : String(view.leaves.size);
  view.backward = text;
  view.lit = undefined; // the layout changed: scroll to it again
}

// Updates folds, marks and labels.
function dressUp(view: View) {
  view.box.classList.toggle("shut", Boolean(kept.shut));
  view.title.setAttribute("aria-expanded", String(!kept.shut));
  view.all.textContent = kept.all ? "Fold to sublayers" : "Unfold all";
  view.all.setAttribute("aria-pressed", String(kept.all));
  for (const node of groups(view.top)) {
    node.item.setAttribute("aria-expanded", String(Boolean(isOpen(view, node))));
    node.item.classList.toggle("within", Boolean(view.within.has(node)));
  }
  for (const leaf of view.leaves.values()) {
    leaf === view.lit ? leaf.item.setAttribute("aria-current", "step") : leaf.item.removeAttribute("aria-current");
  }
  if (!view.stop || !visible(view).includes(view.stop)) stop(view, view.lit ?? view.top.nodes[0]);
}

// Scrolls the box, never the page, so that the marked item is visible.
function reveal(view: View) {
  if (!view.lit || kept.shut) return;
  const { tree } = view;
  const row = view.lit.row.getBoundingClientRect();
  const box = tree.getBoundingClientRect();
  const margin = Math.min(2.5 * row.height, box.height / 3);
  if (row.top >= box.top + margin && row.bottom <= box.bottom - margin) return;
  const top = tree.scrollTop + row.top - box.top - (box.height - row.height) / 2;
  tree.scrollTo({ top, behavior: calm() ? "auto" : "smooth" });
}

function toggle(view: View, node: Node) {
  if (!node.nodes) return;
  node.open = !isOpen(view, node);
  dressUp(view);
}

function enter(node: Node) {
  if (node.off) return;
  const first = node.nodes ? leavesOf(node).find((each) => !each.off) : node;
  if (first) go({ name: first.name });
}

// Visible items in order.
function leavesOf(node: Node): Node[] {
  return node.nodes ? seen(node).flatMap(leavesOf) : [node];
}

function seen({ list, nodes = [] }: Node | Top) {
  return [...(list?.children ?? [])].flatMap((item) => nodes.find((each) => each.item === item) ?? []);
}

function visible(view: View, node: Node | Top = view.top): Node[] {
  return seen(node).flatMap((each) => [each, ...(each.nodes && isOpen(view, each) ? visible(view, each) : [])]);
}

// One item is the tab stop.
function stop(view: View, node: Node) {
  view.stop?.item.setAttribute("tabindex", "-1");
  node.item.setAttribute("tabindex", "0");
  view.stop = node;
}

function press(view: View, event: KeyboardEvent) {
  const node = view.byItem.get(event.target as Element);
  if (!node || event.ctrlKey || event.altKey || event.metaKey || event.shiftKey) return;
  const all = visible(view);
  const at = all.indexOf(node);
  const open = node.nodes && isOpen(view, node);
  const acts: Record<string, () => Node | void> = {
    ArrowDown: () => all[at + 1],
    ArrowUp: () => all[at - 1],
    Home: () => all[0],
    End: () => all[all.length - 1],
    ArrowRight: () => (node.nodes && !open ? toggle(view, node) : seen(node)[0]),
    ArrowLeft: () => (open ? toggle(view, node) : node.parent.parent ? node.parent : undefined),
    Enter: () => enter(node),
    " ": () => (node.nodes ? toggle(view, node) : enter(node)),
  };
  if (!Object.hasOwn(acts, event.key)) return;
  // The tree handles these keys, not the page.
  event.preventDefault();
  event.stopPropagation();
  const next = acts[event.key]();
  if (!next) return;
  stop(view, next);
  next.item.focus({ preventScroll: true });
  const row = next.row.getBoundingClientRect();
  const box = view.tree.getBoundingClientRect();
  if (row.top < box.top) view.tree.scrollTop += row.top - box.top;
  if (row.bottom > box.bottom) view.tree.scrollTop += row.bottom - box.bottom;
}
