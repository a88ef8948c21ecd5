// One row for each formula: the formula, the statement that ran, the shape and a small picture of the tensor.

import { dressIn } from "../parts/dress.ts";
import { readTheme } from "../parts/heatmaps/colours.ts";
import { decode } from "../parts/heatmaps/message.ts";
import { Views } from "../parts/views.ts";
import { button, element } from "../parts/words.ts";
import { picture } from "./pictures.ts";
/** @import { Call, Root } from "../parts/views.ts" */

const dress = dressIn("parts/page.css", "parts/base.css", "learn/formula_rows.css");
const views = new Views((root) => new View(root));

/**
 * @typedef {{ name: string, title: string, formula: string, source: string, owner: string, statement: string,
 *   file: string, shape: string, repeated: number }} Row HTML in `formula`, `statement` and `shape`
 */

/** @param {Call<Uint8Array>} call */
export default function ({ data, parentElement, setTriggerValue }) {
  const view = views.at(parentElement);
  view.open = (name) => setTriggerValue("open", name);
  view.show(decode(data));
  return views.leave(parentElement);
}

/**
 * One head: its slices of the weights and its output, each with its name and shape.
 * @param {Call<Uint8Array>} call
 */
export function head({ data, parentElement }) {
  dress(parentElement);
  const { tensors, names } = decode(data);
  const theme = readTheme(parentElement.host ?? parentElement);
  const box = /** @type {HTMLElement} */ (parentElement.querySelector(".one-head"));
  box.replaceChildren(...tensors.map((tensor, at) => element(
    "figure", "",
    element("figcaption", "", marked("name", names[at]), ` (${tensor.rows.size}, ${tensor.columns.size})`),
    picture(tensor, theme),
  )));
}

/** @param {Call<{ table: string }>} call HTML */
export function symbols({ data, parentElement }) {
  dress(parentElement);
  const box = /** @type {HTMLElement} */ (parentElement.querySelector(".symbols"));
  box.replaceChildren(marked("", data.table));
}

/** @param {string} name its class @param {string} html made by formula_rows.py, which escapes */
function marked(name, html) {
  const node = element("div", name);
  node.innerHTML = html;
  return node;
}

class View {
  /** @type {(name: string) => void} */
  open = () => {};

  /** @param {Root} root */
  constructor(root) {
    dress(root);
    this.host = root.host ?? root;
    this.list = /** @type {HTMLElement} */ (root.querySelector(".formula-rows"));
    this.sizes = new ResizeObserver(() => this.reach());
    this.sizes.observe(this.list);
  }

  // Scrollable parts can be focused by keyboard.
  reach() {
    /** @type {NodeListOf<HTMLElement>} */ (this.list.querySelectorAll(".formula")).forEach((each, at) => {
      const wide = each.scrollWidth > each.clientWidth;
      const named = { tabindex: "0", role: "region", "aria-label": `Formula ${at + 1}` };
      for (const [name, value] of Object.entries(named)) wide ? each.setAttribute(name, value) : each.removeAttribute(name);
    });
  }

  close() {
    this.sizes.disconnect();
    this.list.replaceChildren();
  }

  /** @param {import("../parts/heatmaps/message.ts").Decoded} data */
  show({ tensors, rows }) {
    const theme = readTheme(this.host);
    this.list.replaceChildren(...rows.map((/** @type {Row} */ row, /** @type {number} */ at) => {
      const open = button("open", row.title, () => this.open(row.name));
      open.title = "Open in Step through";
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
