// One row for each formula: the formula, the statement that ran, the shape and a small picture of the tensor.

import pageCss from "../parts/page.css";
import baseCss from "../parts/base.css";
import formulaRowsCss from "./formula_rows.css";
import picturesCss from "../passes/pictures.css";
import { readTheme } from "../parts/heatmaps/colours.ts";
import { decode } from "../parts/heatmaps/message.ts";
import { component } from "../parts/component.ts";
import { dress } from "../parts/styles.ts";
import { button, element } from "../parts/words.ts";
import { picture } from "../passes/pictures.ts";
import type { Call, Root } from "../parts/component.ts";
import type { Decoded } from "../parts/heatmaps/message.ts";

const sheets = [pageCss, baseCss, picturesCss, formulaRowsCss];

type Row = { name: string, title: string, formula: string, source: string, owner: string, statement: string,
    file: string, shape: string, repeated: number }; // HTML in `formula`, `statement` and `shape`

export default component(sheets, (root) => new FormulaRows(root), (rows, { data, setTriggerValue }: Call<Uint8Array>) => {
  rows.open = (name) => setTriggerValue("open", name);
  rows.show(decode(data));
});

/** One head: its slices of the weights and its output, each with its name and shape. */
export function head({ data, parentElement }: Call<Uint8Array>) {
  dress(parentElement, sheets);
  const { tensors, names } = decode(data);
  const theme = readTheme(parentElement);
  const box = parentElement.querySelector(".one-head") as HTMLElement;
  box.replaceChildren(...tensors.map((tensor, at) => element(
    "figure", "",
    element("figcaption", "", marked("name", names[at]), ` (${tensor.rows.size}, ${tensor.columns.size})`),
    picture(tensor, theme),
  )));
}

/** @param call HTML */
export function symbols({ data, parentElement }: Call<{ table: string }>) {
  dress(parentElement, sheets);
  const box = parentElement.querySelector(".symbols") as HTMLElement;
  box.replaceChildren(marked("", data.table));
}

/**
 * @param name its class
 * @param html made by formula_rows.py, which escapes
 */
function marked(name: string, html: string) {
  const node = element("div", name);
  node.innerHTML = html;
  return node;
}

class FormulaRows {
  root: Root;
  list: HTMLElement;
  sizes = new ResizeObserver(() => this.reach());
  open: (name: string) => void = () => {};

  constructor(root: Root) {
    this.root = root;
    this.list = root.querySelector(".formula-rows") as HTMLElement;
    this.sizes.observe(this.list);
  }

  // Scrollable parts can be focused by keyboard.
  reach() {
    this.list.querySelectorAll<HTMLElement>(".formula").forEach((each, at) => {
      const wide = each.scrollWidth > each.clientWidth;
      const named = { tabindex: "0", role: "region", "aria-label": `Formula ${at + 1}` };
      for (const [name, value] of Object.entries(named)) wide ? each.setAttribute(name, value) : each.removeAttribute(name);
    });
  }

  close() {
    this.sizes.disconnect();
    this.list.replaceChildren();
  }

  show({ tensors, rows }: Decoded) {
    const theme = readTheme(this.root);
    this.list.replaceChildren(...rows.map((row: Row, at: number) => {
      const open = button("open", row.title, () => this.open(row.name), { title: "Open in Step through" });
      const times = row.repeated > 1 ? element("span", "soft", `, ${row.repeated} times`) : null;
      const where = element("div", "where small soft", `${row.owner} · ${row.file}`);
      return element(
        "article", "row",
        element("div", "what", element("h2", "", open, times), marked("formula", row.formula), element("div", "small soft", row.source)),
        element("div", "code", marked("statement", row.statement), where),
        element("div", "tensor", marked("size small", row.shape), picture(tensors[at], theme)),
      );
    }));
    this.reach();
  }
}
