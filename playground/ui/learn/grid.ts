// An editable table of numbers. Streamlit's data editor draws on a canvas; its hidden table violates five rules of
// axe-core, and its cells have no labels.

import pageCss from "../parts/page.css";
import baseCss from "../parts/base.css";
import matricesCss from "../passes/matrices.css";
import { stylesOf } from "../parts/styles.ts";
import { Views } from "../parts/views.ts";
import { element } from "../parts/words.ts";
import type { Call, Root } from "../parts/views.ts";

const dress = stylesOf(pageCss, baseCss, matricesCss);
const views = new Views((root) => new View(root));

type Data = { label: string, rows: string[], values: number[][], bound: number };

export default function ({ data, parentElement, setStateValue }: Call<Data>) {
  const view = views.at(parentElement);
  view.tell = (values) => setStateValue("cells", values);
  view.show(data);
  return views.leave(parentElement);
}

class View {
  box: HTMLElement;
  shown = "";
  fields: HTMLInputElement[][] = [];
  tell: (values: number[][]) => void = () => {};

  constructor(root: Root) {
    dress(root);
    this.box = root.querySelector(".grid") as HTMLElement;
  }

  close() {
    this.box.replaceChildren();
  }

  // Typed numbers stay: the page only sends the initial values.
  show(data: Data) {
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

  field({ label, rows, bound }: Data, value: number, row: number, column: number) {
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
