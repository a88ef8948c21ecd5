// Colour scales and hatches of heatmaps.

import { element, penOf } from "../words.ts";
import type { Root } from "../component.ts";

// Each scale starts at the page's background with monotonic lightness, so it works in greyscale, on weak projectors
// and with common kinds of colour blindness.
const LIGHT = {
  negative: ["#74abd9", "#0b4a8f"],
  positive: ["#f3a354", "#9c4100"],
  probability: ["#9b78d3", "#3d0f70"],
};
const DARK = {
  negative: ["#2c68a8", "#9bd0ff"],
  positive: ["#a85a10", "#ffc27d"],
  probability: ["#8558cc", "#e4d4ff"],
};

// Reasons why a cell is hidden, with the server's numbers.
export const CAUSAL = 1;
export const PADDING = 2;
export const WINDOW = 4;

export type Theme = ReturnType<typeof readTheme>;

export function readTheme(root: Root) {
  const style = getComputedStyle(root.host ?? root);
  const probe = element("canvas");
  probe.width = probe.height = 1;
  const ink = penOf(probe, { willReadFrequently: true });
  // Painting a pixel parses every colour notation of a theme.
  const colour = (name: string) => {
    ink.clearRect(0, 0, 1, 1);
    ink.fillStyle = style.getPropertyValue(name).trim();
    ink.fillRect(0, 0, 1, 1);
    return [...ink.getImageData(0, 0, 1, 1).data.subarray(0, 3)];
  };
  const hex = (text: string) => [1, 3, 5].map((at) => parseInt(text.slice(at, at + 2), 16));
  const background = colour("--st-background-color");
  const ink0 = colour("--st-text-color");
  const palette = luminance(background) > 0.5 ? LIGHT : DARK;
  const scale = (name: keyof typeof LIGHT) => [background, ...palette[name].map(hex)];
  const rem = parseFloat(getComputedStyle(document.documentElement).fontSize);
  const least = parseFloat(style.getPropertyValue("--least")) || 0; // of text on a slide
  const family = style.getPropertyValue("--st-font").trim() || "sans-serif";
  return {
    background,
    panel: colour("--st-secondary-background-color"),
    negative: scale("negative"),
    positive: scale("positive"),
    probability: scale("probability"),
    allowed: mix(background, ink0, 0.45),
    hatch: css(mix(background, ink0, 0.4)),
    lines: `rgba(${ink0.join(", ")}, 0.16)`,
    labels: css(mix(background, ink0, 0.75)),
    ink: css(ink0),
    accent: css(colour("--st-primary-color")),
    small: `${Math.max(0.6875 * rem, least)}px ${family}`,
    text: `${Math.max(0.75 * rem, least)}px ${family}`,
    bold: `600 ${Math.max(0.75 * rem, least)}px ${family}`,
    strong: `700 ${Math.max(0.6875 * rem, least)}px ${family}`,
    family,
    line: Math.round(Math.max(0.875 * rem, 1.1 * least)),
    scale: rem / 16,
  };
}

// The colour of one value; `grid.most` is the end of its scale.
export function shade(grid: { kind: string, coloured?: boolean, most?: number }, value: number, theme: Theme) {
  if (!Number.isFinite(value)) return theme.background;
  if (grid.kind === "tokens") return theme.panel;
  if (grid.kind === "mask") return value ? theme.allowed : theme.background;
  if (grid.kind === "probability") return ramp(theme.probability, value);
  if (!grid.coloured) return theme.panel;
  const { most = 1 } = grid;
  return value < 0 ? ramp(theme.negative, -value / most) : ramp(theme.positive, value / most);
}

/** An image of a matrix, one pixel for each cell; a cell for which `made` is false stays blank. */
export function imageOf(
  grid: Parameters<typeof shade>[0] & { rows: number, columns: number, values: ArrayLike<number> }, theme: Theme,
  made: (index: number) => boolean = () => true,
) {
  const image = new ImageData(grid.columns, grid.rows);
  for (let at = 0; at < grid.values.length; at++) {
    image.data.set(shade(grid, grid.values[at], theme), 4 * at);
    image.data[4 * at + 3] = made(at) ? 255 : 0;
  }
  return image;
}

/** Draws an image on a canvas of its size, which a style sheet may scale. */
export function drawn(canvas: HTMLCanvasElement, image: ImageData) {
  Object.assign(canvas, { width: image.width, height: image.height });
  penOf(canvas).putImageData(image, 0, 0);
  return canvas;
}

// From the first of three colours at 0 to the last at 1.
function ramp(stops: number[][], amount: number) {
  const at = Math.min(Math.max(amount, 0), 1) * 2;
  const low = at < 1 ? 0 : 1;
  return mix(stops[low], stops[low + 1], at - low);
}

// Relative luminance as WCAG defines it.
function luminance(colour: ArrayLike<number>) {
  const [red, green, blue] = Array.from(colour, (part) => {
    const share = part / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

// Black or white, whichever has more contrast: at least 4.5:1 on any colour.
export function readableOn(colour: ArrayLike<number>) {
  return luminance(colour) > 0.179 ? "#000" : "#fff";
}

export function mix(from: number[], to: number[], amount: number) {
  return from.map((part, index) => Math.round(part + (to[index] - part) * amount));
}

export function css(colour: number[]) {
  return `rgb(${colour.join(", ")})`;
}

// Masks that hide a cell, as a sum of causes; a cell with minus infinity may have none.
export function causeOf(grid: { values: ArrayLike<number>, hidden?: Uint8Array | null }, index: number) {
  const cause = grid.hidden?.[index] ?? 0;
  return cause || (grid.values[index] === -Infinity ? CAUSAL : 0);
}

// Hatch direction: the causal mask to the right, like its triangle; padding to the left; both: crossed; a window level.
export function hatch(pen: CanvasRenderingContext2D, theme: Theme, cause: number, sharp: number) {
  const side = Math.round(6 * sharp);
  const canvas = element("canvas");
  canvas.width = canvas.height = side;
  const ink = penOf(canvas);
  ink.strokeStyle = theme.hatch;
  ink.lineWidth = sharp;
  ink.beginPath();
  for (const shift of [-side, 0, side]) {
    if (cause & CAUSAL) {
      ink.moveTo(shift, side);
      ink.lineTo(shift + side, 0);
    }
    if (cause & PADDING) {
      ink.moveTo(shift, 0);
      ink.lineTo(shift + side, side);
    }
    if (cause & WINDOW) {
      ink.moveTo(0, shift + side / 2);
      ink.lineTo(side, shift + side / 2);
    }
  }
  ink.stroke();
  const pattern = pen.createPattern(canvas, "repeat");
  pattern?.setTransform(new DOMMatrix().scale(1 / sharp));
  return pattern ?? "transparent"; // an empty canvas has no pattern
}

export function hatchCss(theme: Theme, cause: number) {
  const lines = (turn: number) => `repeating-linear-gradient(${turn}deg, ${theme.hatch} 0 1px, transparent 1px 4px)`;
  return [cause & CAUSAL && lines(135), cause & PADDING && lines(45), cause & WINDOW && lines(0)].filter(Boolean).join(", ");
}
