// Charts as files: an image of one or all charts with titles and legends, and their numbers.

import { element, penOf } from "../words.ts";
import type { Chart } from "./chart.ts";
import type { Board } from "./charts.ts";
import type { Heads } from "./heads.ts";

/** A panel that can be downloaded as a picture. */
type Drawn = Chart | Heads;

const GAP = 24;
const SHARP = 2; // device pixels of a PNG per CSS pixel

// `kind` is png, svg or csv; `name` is a panel's name, empty for all.
export async function download(board: Board, kind: string, name: string) {
  const [run] = board.data.runs;
  const title = board.single ? run.name : "comparison";
  if (kind === "csv") {
    for (const { id, name: each, shelf = "runs" } of board.data.runs) {
      save(new URL(`./${shelf}/${encodeURIComponent(id)}/metrics.csv`, document.baseURI).href, `${each}.csv`);
    }
    return;
  }
  const file = [title, name].filter(Boolean).join("-").replaceAll(/[^\p{L}\p{N}_-]+/gu, "-");
  const drawn = board.panels.filter((each) => "picture" in each);
  const { text, width, height } = await drawing(board, drawn.filter(({ panel }) => !name || panel.name === name));
  const url = URL.createObjectURL(new Blob([text], { type: "image/svg+xml" }));
  if (kind === "svg") save(url, `${file}.svg`);
  else save(await painted(url, width, height), `${file}.png`);
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

function save(href: string, name: string) {
  const link = element("a", "", { href, download: name });
  document.body.append(link);
  link.click();
  link.remove();
}

// The panels in their layout on the page, as one SVG.
async function drawing(board: Board, panels: Drawn[]) {
  const boxes = panels.map(({ node }) => node.getBoundingClientRect());
  const left = Math.min(...boxes.map((box) => box.left));
  const top = Math.min(...boxes.map((box) => box.top));
  const width = Math.ceil(Math.max(...boxes.map((box) => box.right)) - left) + 2 * GAP;
  const height = Math.ceil(Math.max(...boxes.map((box) => box.bottom)) - top) + 2 * GAP;
  const { theme } = board;
  const parts = await Promise.all(panels.map(async (panel, at) => {
    const inner = await content(panel);
    return `<g transform="translate(${boxes[at].left - left + GAP}, ${boxes[at].top - top + GAP})">${inner}</g>`;
  }));
  const background = `rgb(${theme.background.join(",")})`;
  const text = `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="${width}" height="${height}" `
    + `viewBox="0 0 ${width} ${height}" font-family="${escaped(theme.family)}"><rect width="100%" height="100%" fill="${background}"/>`
    + `${parts.join("")}</svg>`;
  return { text, width, height };
}

// Title and legend at their positions in the panel, and its plot.
async function content(panel: Drawn) {
  const origin = panel.node.getBoundingClientRect();
  const written: Element[] = [panel.title, panel.unit, panel.tested, panel.step, ...panel.legend.querySelectorAll(".name, b, small")];
  if (!panel.legend.children.length) written.push(panel.legend);
  const texts = written.map((node) => textOf(node, origin)).join("");
  const swatches = [...panel.legend.querySelectorAll("svg")].map((node) => {
    const box = node.getBoundingClientRect();
    const style = getComputedStyle(node.querySelector("path") ?? node);
    const y = box.top - origin.top + box.height / 2;
    return `<path d="M${box.left - origin.left} ${y}h${box.width}" fill="none" stroke="${style.stroke}" stroke-width="2" `
      + `stroke-dasharray="${style.strokeDasharray === "none" ? "" : style.strokeDasharray}"/>`;
  }).join("");
  const box = panel.plot.getBoundingClientRect();
  const picture = await panel.toSVG();
  return `${texts}${swatches}<g transform="translate(${box.left - origin.left}, ${box.top - origin.top})">${picture}</g>`;
}

function textOf(node: Element, origin: DOMRect) {
  const text = node.textContent;
  if (!text) return "";
  const box = node.getBoundingClientRect();
  const style = getComputedStyle(node);
  return `<text x="${box.left - origin.left}" y="${box.top - origin.top + box.height / 2}" dominant-baseline="central" `
    + `font-size="${style.fontSize}" font-weight="${style.fontWeight}" fill="${style.color}">${escaped(text)}</text>`;
}

function escaped(text: string) {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}

async function painted(url: string, width: number, height: number) {
  const image = new Image();
  image.src = url;
  await image.decode();
  const canvas = element("canvas", "", { width: width * SHARP, height: height * SHARP });
  penOf(canvas).drawImage(image, 0, 0, canvas.width, canvas.height);
  return canvas.toDataURL("image/png");
}
