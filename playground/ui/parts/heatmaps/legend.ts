// Legend of the colours and hatches of the visible tensors.

import { CAUSAL, PADDING, WINDOW, css, hatchCss } from "./colours.ts";
import { element, short } from "../words.ts";
import type { Theme } from "./colours.ts";
import type { Grid } from "./message.ts";

const TOKENS: Record<string, string> = { S: "input tokens", T: "decoder tokens" };

// What the letters and arrows above a tile mean: of a map of attention, whose tokens its rows and columns are.
function axesOf(maps: Grid[]) {
  const [rows, columns] = maps.map(({ row, column }) => [row.axis, column.axis]).find((axes) => axes.every((axis) => TOKENS[axis])) ?? [];
  if (!rows) return "↓ rows, → columns";
  return rows === columns ? `${rows} ↓ rows, → columns: ${TOKENS[rows]}` : `${rows} ↓ ${TOKENS[rows]}, ${columns} → ${TOKENS[columns]}`;
}

export function legendItems(grids: Grid[], slopes: Grid[], theme: Theme) {
  const items: HTMLElement[] = [];
  const add = (caption: string, ...nodes: Node[]) => {
    const item = element("div", "item", ...nodes, element("span", "", caption));
    items.push(item);
    return item;
  };
  const bar = (caption: string, colours: number[][], numbers: string[]) => {
    const strip = element("div", "bar");
    strip.style.background = `linear-gradient(to right, ${colours.map(css).join(", ")})`;
    const ticks = element("div", "ticks", ...numbers.map((number) => element("span", "", number)));
    add(caption, element("div", "", strip, ticks));
  };
  const swatch = (caption: string, background: string) => {
    const patch = element("div", "swatch");
    patch.style.background = background;
    return add(caption, patch);
  };
  const diverging = [...theme.negative.slice(1).reverse(), ...theme.positive];
  const both = (most: number) => [`-${short({}, most)}`, "0", short({}, most)];
  const kinds = new Set(grids.map((grid) => grid.kind));
  // One bar per scale: inputs and output have separate scales if one would look pale on the other's.
  const bars = (caption: string, coloured: Grid[]) => {
    const ends = new Map(coloured.map((grid) => [grid.most, grid.tensor.output ? "output" : "input"]));
    for (const [most, side] of ends) bar(ends.size > 1 ? `${caption}, ${side}` : caption, diverging, both(most));
  };
  const maps = grids.filter(({ row, column }) => row.axis && column.axis);
  if (maps.length) items.push(element("div", "item", axesOf(maps)));
  bars("number", grids.filter((grid) => grid.kind === "signed" && grid.coloured));
  if (kinds.has("probability")) bar("probability", theme.probability, ["0", "0.5", "1"]);
  bars("gradient of the loss", slopes.filter((grid) => grid.coloured));
  if (kinds.has("mask")) swatch("allowed", css(theme.allowed));
  const hiding = grids.filter((grid) => grid.hidden);
  if (hiding.length) {
    // The first two keep their space while unused, so that the height doesn't depend on the values.
    const some = (cause: number) => hiding.some((grid) => grid.hidden?.some((each) => each & cause));
    swatch("hidden by the causal mask", hatchCss(theme, CAUSAL)).classList.toggle("unused", !some(CAUSAL));
    swatch("hidden by the padding mask", hatchCss(theme, PADDING)).classList.toggle("unused", !some(PADDING));
    if (some(WINDOW)) swatch("hidden by the window", hatchCss(theme, WINDOW));
  }
  return items;
}
