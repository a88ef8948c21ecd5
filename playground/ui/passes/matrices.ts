// Matrices of a lesson: small ones as tables with heatmap colours, large ones as images.

import pageCss from "../parts/page.css";
import baseCss from "../parts/base.css";
import picturesCss from "./pictures.css";
import matricesCss from "./matrices.css";
import { stylesOf } from "../parts/styles.ts";
import { readTheme, readableOn, shade } from "../parts/heatmaps/colours.ts";
import { decode } from "../parts/heatmaps/message.ts";
import { element } from "../parts/words.ts";
import { picture } from "./pictures.ts";
import type { Tensor } from "../parts/heatmaps/message.ts";
import type { Theme } from "../parts/heatmaps/colours.ts";
import type { Call } from "../parts/views.ts";

const dress = stylesOf(pageCss, baseCss, picturesCss, matricesCss);
const MOST = 160; // cells of a matrix up to which its numbers are shown
const LONG = 320; // pixels of the longer side of a picture

type Style = { digits: number, names: string[], letter: string }; // of a tensor, besides what heatmap.py tells

export default function ({ data, parentElement }: Call<Uint8Array>) {
  dress(parentElement);
  const { tensors, labels, styles } = decode(data);
  const theme = readTheme(parentElement.host ?? parentElement);
  const box = parentElement.querySelector(".matrices") as HTMLElement;
  box.replaceChildren(...tensors.map((tensor, at) => figure(tensor, labels, styles[at], theme)));
}

function figure(tensor: Tensor, labels: Record<string, { names: string[] }>, { digits, names, letter }: Style, theme: Theme) {
  const { rows, columns, heads } = tensor;
  const head = element("figcaption", "", element("b", "", tensor.title), " ", element("span", "shape small soft", sizes(tensor, letter)));
  const each = Array.from({ length: heads?.count ?? 1 }, (_, head) => {
    const named = names[head] ? element("div", "small soft", names[head]) : null;
    const drawn = rows.count * columns.count <= MOST
      ? table(tensor, head, { digits, names }, labels, theme)
      : described(picture(tensor, theme, { head, long: LONG, most: tensor.scale }), `${tensor.title}, ${sizes(tensor, letter)}, as a picture`);
    return element("div", "matrix", named, drawn);
  });
  return element("figure", "", head, element("div", "row-of", ...each));
}

function described(canvas: HTMLElement, label: string) {
  canvas.removeAttribute("aria-hidden");
  canvas.setAttribute("role", "img");
  canvas.setAttribute("aria-label", label);
  return canvas;
}

/** @param letter of the heads, or whatever the matrices are */
function sizes({ rows, columns, heads }: Tensor, letter: string) {
  const axes = [...(heads ? [{ axis: letter, count: heads.count }] : []), rows, columns];
  const named = axes.filter(({ axis }) => axis);
  const complete = named.length && axes.every(({ axis, count }) => axis || count === 1); // a vector has one axis
  const counts = (of: { count: number }[], mark: string) => of.map(({ count }) => count).join(mark);
  return complete ? `(${named.map(({ axis }) => axis).join(", ")}) = (${counts(named, ", ")})` : counts(axes, " × ");
}

function table(
  tensor: Tensor, head: number, { digits, names }: Pick<Style, "digits" | "names">,
  labels: Record<string, { names: string[] }>, theme: Theme,
) {
  const { rows, columns, values, kind, title } = tensor;
  const [rowNames, columnNames] = [rows, columns].map((side) => labels[side.labels]?.names ?? null);
  const offset = head * rows.count * columns.count;
  const scale = { kind, coloured: true, most: tensor.scale || 1 };
  const line = (row: number) => {
    const cells = Array.from({ length: columns.count }, (_, column) => {
      const value = values[offset + row * columns.count + column];
      const cell = element("td", "", text(value, kind, digits));
      const colour = shade(scale, value, theme);
      cell.style.background = `rgb(${Array.from(colour).join(", ")})`;
      cell.style.color = readableOn(colour);
      return cell;
    });
    return element("tr", "", rowNames ? heading(rowNames[row], "row") : null, ...cells);
  };
  const top = columnNames
    ? element("thead", "", element("tr", "", rowNames ? element("td") : null, ...columnNames.map((name) => heading(name, "col"))))
    : null;
  const body = element("tbody", "", ...Array.from({ length: rows.count }, (_, row) => line(row)));
  const made = element("table", "", top, body);
  const label = [title, names[head]].filter(Boolean).join(", ");
  made.setAttribute("aria-label", label);
  const scroller = element("div", "scroller", made);
  scroller.tabIndex = 0;
  scroller.setAttribute("role", "region");
  scroller.setAttribute("aria-label", `${label}, table`);
  return scroller;
}

function heading(name: string, scope: string) {
  const cell = element("th", "small", name);
  cell.scope = scope;
  return cell;
}

function text(value: number, kind: string, digits: number) {
  if (Number.isNaN(value)) return "nan";
  if (value === -Infinity) return "−∞";
  if (kind === "mask") return value ? "1" : "0";
  const shown = value.toFixed(digits);
  return (Number(shown) === 0 ? shown.replace("-", "") : shown).replace("-", "−");
}
