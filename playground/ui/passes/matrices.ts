// Matrices of a lesson: small ones as tables with heatmap colours, large ones as images.

import pageCss from "../parts/page.css";
import baseCss from "../parts/base.css";
import picturesCss from "./pictures.css";
import matrixCss from "./matrix.css";
import matricesCss from "./matrices.css";
import { dress } from "../parts/styles.ts";
import { css, readTheme, readableOn, shade } from "../parts/heatmaps/colours.ts";
import { decode } from "../parts/heatmaps/message.ts";
import { element } from "../parts/words.ts";
import { matrix } from "./matrix.ts";
import { picture } from "./pictures.ts";
import type { Tensor } from "../parts/heatmaps/message.ts";
import type { Theme } from "../parts/heatmaps/colours.ts";
import type { Call } from "../parts/component.ts";

const MOST = 160; // cells of a matrix up to which its numbers are shown
const LONG = 320; // pixels of the longer side of a picture

type Style = { digits: number, names: string[], letter: string }; // of a tensor, besides what heatmap.py tells

export default function ({ data, parentElement }: Call<Uint8Array>) {
  dress(parentElement, [pageCss, baseCss, picturesCss, matrixCss, matricesCss]);
  const { tensors, labels, styles } = decode(data);
  const theme = readTheme(parentElement);
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
      : picture(tensor, theme, { head, long: LONG, most: tensor.scale, label: `${tensor.title}, ${sizes(tensor, letter)}, as a picture` });
    return element("div", "", named, drawn);
  });
  return element("figure", "", head, element("div", "heads wrap", ...each));
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
  const offset = head * rows.count * columns.count;
  const scale = { kind, coloured: true, most: tensor.scale || 1 };
  const cells = Array.from({ length: rows.count }, (_, row) => Array.from({ length: columns.count }, (_, column) => {
    const value = values[offset + row * columns.count + column];
    const cell = element("td", "", text(value, kind, digits));
    const colour = shade(scale, value, theme);
    cell.style.background = css(Array.from(colour));
    cell.style.color = readableOn(colour);
    return cell;
  }));
  const label = [title, names[head], "table"].filter(Boolean).join(", ");
  return matrix(label, cells, { rows: labels[rows.labels]?.names, columns: labels[columns.labels]?.names });
}

function text(value: number, kind: string, digits: number) {
  if (Number.isNaN(value)) return "nan";
  if (value === -Infinity) return "−∞";
  if (kind === "mask") return value ? "1" : "0";
  const shown = value.toFixed(digits);
  return (Number(shown) === 0 ? shown.replace("-", "") : shown).replace("-", "−");
}
