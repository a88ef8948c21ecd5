// An editable table of numbers. Streamlit's data editor draws on a canvas; its hidden table violates five rules of
// axe-core, and its cells have no labels.

import { dressIn } from "../parts/dress.ts";
import { Views } from "../parts/views.ts";
import { element } from "../parts/words.ts";
/** @import { Call, Root } from "../parts/views.ts" */

const dress = dressIn("parts/page.css", "parts/base.css", "learn/matrices.css");
const views = new Views((root) => new View(root));

/** @typedef {{ label: string, rows: string[], values: number[][], bound: number }} Data */

/** @param {Call<Data>} call */
export default function ({ data, parentElement, setStateValue }) {
  const view = views.at(parentElement);
  view.tell = (values) => setStateValue("cells", values);
  view.show(data);
  return views.leave(parentElement);
}

class View {
  shown = "";
  /** @type {HTMLInputElement[][]} */
  fields = [];
  /** @type {(values: number[][]) => void} */
  tell = () => {};

  /** @param {Root} root */
  constructor(root) {
    dress(root);
    this.box = /** @type {HTMLElement} */ (root.querySelector(".grid"));
  }

  close() {
    this.box.replaceChildren();
  }

  // Typed numbers stay: the page only sends the initial values.
  /** @param {Data} data */
  show(data) {
    const text = JSON.stringify(data);
    if (this.shown === text) return;
    this.shown = text;
    this.fields = data.values.map((row, at) => row.map((value, column) => this.field(data, value, at, column)));
    const rows = this.fields.map((fields, at) => {
      const head = element("th", "small", data.rows[at]);
      head.scope = "row";
      return element("tr", "", head, ...fields.map((field) => element("td", "", field)));
    });
    const table = element("table", "", element("caption", "small soft", data.label), element("tbody", "", ...rows));
    this.box.replaceChildren(table);
  }

  /** @param {Data} data @param {number} value @param {number} row @param {number} column */
  field({ label, rows, bound }, value, row, column) {
    const field = element("input");
    Object.assign(field, { type: "number", step: "0.1", min: `${-bound}`, max: `${bound}`, value: `${Number(value.toFixed(4))}` });
    field.setAttribute("aria-label", `${label}, ${rows[row]}, number ${column + 1}`);
    field.addEventListener("change", () => {
      const kept = Math.min(Math.max(Number(field.value) || 0, -bound), bound);
      field.value = `${kept}`;
      this.tell(this.fields.map((fields) => fields.map((each) => Number(each.value))));
    });
    return field;
  }
}
