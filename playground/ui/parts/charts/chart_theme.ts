// Theme of charts: colours, fonts and margins.

import { css, mix, readTheme } from "../heatmaps/colours.ts";
import type { Root } from "../component.ts";

export type ChartTheme = ReturnType<typeof chartTheme>;
/** Colours of runs in the light and the dark theme. */
export type Palettes = { light: string[], dark: string[] };

const DASHES = [[1, 0], [6, 3], [2, 2], [9, 3, 2, 3], [12, 4], [4, 2, 1, 2], [1, 3], [14, 3, 4, 3]];

export function chartTheme(root: Root, palettes: Palettes) {
  const theme = readTheme(root);
  // The presenter view enlarges everything, and axis labels even more.
  const larger = document.documentElement.hasAttribute("data-present") ? 1.25 : 1;
  const scale = theme.scale * larger;
  const dark = theme.background[0] + theme.background[1] + theme.background[2] < 384;
  return {
    ...theme,
    scale,
    dark,
    fontSize: 11 * scale,
    colours: palettes[dark ? "dark" : "light"],
    // Constant, so that nothing moves when labels change.
    room: { left: Math.round(42 * scale), right: Math.round(10 * scale), top: Math.round(7 * scale), bottom: Math.round(32 * scale) },
    right: dark ? { fill: "#2a9d95", ink: "#06201e" } : { fill: "#0b7f7a", ink: "#fff" },
    wrong: dark ? { fill: "#43262a", ink: "#ff9d94" } : { fill: "#fbe3e0", ink: "#b3261e" },
  };
}

export function colourOf(theme: ChartTheme, at: number) {
  return theme.colours[at % theme.colours.length];
}

export function dashOf(at: number) {
  return DASHES[at % DASHES.length];
}

// The theme-dependent part of a Vega-Lite specification.
export function config(theme: ChartTheme) {
  const { labels, ink, fontSize, family, scale } = theme;
  const faint = css(mix(theme.background, [128, 128, 128], 0.28));
  const line = css(mix(theme.background, [128, 128, 128], 0.6));
  return {
    autosize: { type: "none" },
    padding: theme.room,
    background: null,
    font: family,
    view: { stroke: null },
    axis: {
      labelColor: labels, labelFontSize: fontSize, labelPadding: 4 * scale, titleColor: labels, titleFontSize: fontSize,
      titleFontWeight: "normal", titlePadding: 0, labelLimit: theme.room.left - 6,
      tickColor: line, tickSize: 4 * scale, domainColor: line, gridColor: faint,
    },
    axisX: { labelFlush: true, labelLimit: 80 * scale },
    text: { color: ink, fontSize, font: family },
    rule: { color: ink },
    range: { heatmap: theme.probability.map(css), ramp: theme.probability.map(css) },
  };
}
