// Beam search as a tree: a column for each round, lines from prefixes to those that extend them.

import baseCss from "../parts/base.css";
import beamTreeCss from "./beam_tree.css";
import { component } from "../parts/component.ts";
import { drawing, element, visible } from "../parts/words.ts";
import type { Call, Root } from "../parts/component.ts";

// Pixels of text of 16: the picture grows with the text of the page.
const COLUMN = 112; // from column to column
const ROW = 32; // from row to row
const WIDE = 92; // of a node
const HIGH = 26;
const LEFT = 56; // of the first column
const TOP = 26; // of the first row

/** The last token of a prefix; `parent` is the row of the extended prefix in the previous column. */
type Leaf = { parent: number, kind: "best" | "kept" | "dropped", label: string, sum: string, description: string };
type Data = { columns: { nodes: Leaf[], more: number }[], description: string };

export default component([baseCss, beamTreeCss], (root) => new BeamTree(root), (tree, { data }: Call<Data>) => tree.show(data));

function corner(column: number, row: number) {
  return [LEFT + column * COLUMN, TOP + row * ROW];
}

class BeamTree {
  box: HTMLElement;
  constructor(root: Root) {
    this.box = root.querySelector(".beam-tree") as HTMLElement;
    Object.assign(this.box, { tabIndex: 0, role: "region", ariaLabel: "Tree of beam search" });
  }

  close() {
    this.box.replaceChildren();
  }

  show({ columns, description }: Data) {
    const rows = Math.max(...columns.map(({ nodes, more }) => nodes.length + (more ? 1 : 0)));
    const [width, height] = corner(columns.length, rows);
    const size = { width: `${width / 16}rem`, height: `${height / 16}rem`, viewBox: `0 0 ${width} ${height}` };
    const svg = drawing("svg", { role: "img", "aria-label": description, ...size });
    const lines = drawing("g", {});
    svg.append(lines, drawing("text", { class: "head", x: 4, y: TOP + HIGH / 2 + 4 }, "start"));
    columns.forEach(({ nodes, more }, column) => {
      svg.append(drawing("text", { class: "head", x: corner(column, 0)[0], y: 16 }, `Round ${column + 1}`));
      nodes.forEach((node, row) => {
        lines.append(line(column, row, node));
        svg.append(leaf(column, row, node));
      });
      const [x, y] = corner(column, nodes.length);
      if (more) svg.append(drawing("text", { class: "head", x, y: y + HIGH / 2 + 4 }, `${more} more dropped`));
    });
    const scrolled = this.box.scrollLeft;
    this.box.replaceChildren(element("div", "inside", svg));
    this.box.scrollLeft = scrolled;
  }
}

function line(column: number, row: number, { parent, kind }: Leaf) {
  const [left, top] = column ? corner(column - 1, parent) : [LEFT - WIDE - 16, TOP];
  const [right, bottom] = corner(column, row);
  const start = left + WIDE;
  const [from, to, middle] = [top + HIGH / 2, bottom + HIGH / 2, (start + right) / 2];
  return drawing("path", { class: `line ${kind}`, d: `M${start} ${from}C${middle} ${from} ${middle} ${to} ${right} ${to}` });
}

function leaf(column: number, row: number, { kind, label, sum, description }: Leaf) {
  const [x, y] = corner(column, row);
  const middle = y + HIGH / 2 + 4;
  return drawing(
    "g",
    { class: `leaf ${kind}` },
    drawing("title", {}, description),
    drawing("rect", { x, y, width: WIDE, height: HIGH, rx: 6 }),
    drawing("text", { class: "token", x: x + 7, y: middle }, visible(label)),
    drawing("text", { class: "sum", x: x + WIDE - 6, y: middle }, sum),
  );
}
