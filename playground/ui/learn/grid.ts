// An editable table of numbers. Streamlit's data editor draws on a canvas; its hidden table violates five rules of
// axe-core, and its cells have no labels.

import pageCss from "../parts/page.css";
import baseCss from "../parts/base.css";
import matrixCss from "../passes/matrix.css";
import gridCss from "./grid.css";
import { component } from "../parts/component.ts";
import { element } from "../parts/words.ts";
import { matrix } from "../passes/matrix.ts";
import type { Call, Root } from "../parts/component.ts";

type Data = { label: string, rows: string[], values: number[][], bound: number };

export default component([pageCss, baseCss, matrixCss, gridCss], (root) => new Grid(root), (grid, { data, setStateValue }: Call<Data>) => {
  grid.tell = (values) => setStateValue("cells", values);
  grid.show(data);
});

class Grid {
  box: HTMLElement;
  shown = "";
  fields: HTMLInputElement[][] = [];
  tell: (values: number[][]) => void = () => {};

  constructor(root: Root) {
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
    const cells = this.fields.map((fields) => fields.map((field) => element("td", "", field)));
    this.box.replaceChildren(matrix(data.label, cells, { rows: data.rows, caption: data.label }));
  }

  field({ label, rows, bound }: Data, value: number, row: number, column: number) {
    const ariaLabel = `${label}, ${rows[row]}, number ${column + 1}`;
    const range = { step: "0.1", min: `${-bound}`, max: `${bound}`, value: `${Number(value.toFixed(4))}` };
    const field = element("input", "", { type: "number", ...range, ariaLabel });
    field.addEventListener("change", () => {
      const kept = Math.min(Math.max(Number(field.value) || 0, -bound), bound);
      field.value = `${kept}`;
      this.tell(this.fields.map((fields) => fields.map((each) => Number(each.value))));
    });
    return field;
  }
}
