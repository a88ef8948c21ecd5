// Matrices of a lesson: small ones as tables with heatmap colours, large ones as images.

import { dressIn } from "../parts/dress.ts";
import { readTheme, readableOn, shade } from "../parts/heatmaps/colours.ts";
import { decode } from "../parts/heatmaps/message.ts";
import { element } from "../parts/words.ts";
import { picture } from "./pictures.ts";
/** @import { Tensor } from "../parts/heatmaps/message.ts" */
/** @import { Theme } from "../parts/heatmaps/colours.ts" */
/** @import { Call } from "../parts/views.ts" */

const dress = dressIn("parts/page.css", "parts/base.css", "learn/formula_rows.css", "learn/matrices.css");
const MOST = 160; // cells of a matrix up to which its numbers are shown
const LONG = 320; // pixels of the longer side of a picture

/**
 * @typedef {{ digits: number, names: string[], letter: string }} Style of a tensor, besides what heatmap.py tells
 */

/** @param {Call<Uint8Array>} call */
export default function ({ data, parentElement }) {
  dress(parentElement);
  const { tensors, labels, styles } = decode(data);
  const theme = readTheme(parentElement.host ?? parentElement);
  const box = /** @type {HTMLElement} */ (parentElement.querySelector(".matrices"));
  box.replaceChildren(...tensors.map((tensor, at) => figure(tensor, labels, styles[at], theme)));
}

/** @param {Tensor} tensor @param {Record<string, { names: string[] }>} labels @param {Style} style @param {Theme} theme */
function figure(tensor, labels, { digits, names, letter }, theme) {
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

/** @param {HTMLElement} canvas @param {string} label */
function described(canvas, label) {
  canvas.removeAttribute("aria-hidden");
  canvas.setAttribute("role", "img");
  canvas.setAttribute("aria-label", label);
  return canvas;
}

/** @param {Tensor} tensor @param {string} letter of the heads, or whatever the matrices are */
function sizes({ rows, columns, heads }, letter) {
  const axes = [...(heads ? [{ axis: letter, count: heads.count }] : []), rows, columns];
  const named = axes.filter(({ axis }) => axis);
  const complete = named.length && axes.every(({ axis, count }) => axis || count === 1); // a vector has one axis
  const counts = (/** @type {{ count: number }[]} */ of, /** @type {string} */ mark) => of.map(({ count }) => count).join(mark);
  return complete ? `(${named.map(({ axis }) => axis).join(", ")}) = (${counts(named, ", ")})` : counts(axes, " × ");
}

/**
 * @param {Tensor} tensor @param {number} head @param {Pick<Style, "digits" | "names">} style
 * @param {Record<string, { names: string[] }>} labels @param {Theme} theme
 */
function table(tensor, head, { digits, names }, labels, theme) {
  const { rows, columns, values, kind, title } = tensor;
  const [rowNames, columnNames] = [rows, columns].map((side) => labels[side.labels]?.names ?? null);
  const offset = head * rows.count * columns.count;
  const scale = { kind, coloured: true, most: tensor.scale || 1 };
  const line = (/** @type {number} */ row) => {
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

/** @param {string} name @param {string} scope */
function heading(name, scope) {
  const cell = element("th", "small", name);
  cell.scope = scope;
  return cell;
}

/** @param {number} value @param {string} kind @param {number} digits */
function text(value, kind, digits) {
  if (Number.isNaN(value)) return "nan";
  if (value === -Infinity) return "−∞";
  if (kind === "mask") return value ? "1" : "0";
  const shown = value.toFixed(digits);
  return (Number(shown) === 0 ? shown.replace("-", "") : shown).replace("-", "−");
}
