// The numbers as tables, and as text to copy.

import { decimal, element, label, range, tabular } from "../parts/words.ts";
import { matrix } from "./matrix.ts";
import type { Group } from "../parts/heatmaps/group.ts";
import type { Grid, Side, Tensor } from "../parts/heatmaps/message.ts";
import type { Region } from "../parts/heatmaps/tile.ts";

const CHOSEN = "chosen";

/** A table with the numbers of a grid. */
export type TableFrame = HTMLElement & { grid: Grid };

export function tables(groups: Group[]): TableFrame[] {
  return groups.flatMap((group) => group.grids.map((grid) => {
    const caption = [group.tensor.title, grid.title, group.note].filter(Boolean).join(", ");
    const corner = [grid.row.axis && `${grid.row.axis} ↓`, grid.column.axis && `${grid.column.axis} →`].filter(Boolean).join(" ");
    const names = (side: Side, count: number) => Array.from({ length: count }, (_, at) => label(side, at));
    const cells = Array.from({ length: grid.rows }, (_, row) => Array.from({ length: grid.columns }, (_, column) => {
      const at = row * grid.columns + column;
      return element("td", grid.hidden?.[at] || grid.values[at] === -Infinity ? "hidden" : "", tabular(grid, at));
    }));
    const node = matrix(caption, cells, { rows: names(grid.row, grid.rows), columns: names(grid.column, grid.columns), caption, corner });
    if (grid.marked !== null) node.querySelector("tbody")?.rows[grid.marked].classList.add("marked");
    return Object.assign(node, { grid });
  }));
}

// Colours cells of a table; regions as in tile.ts.
export function tint(frame: Element, regions: Region[]) {
  for (const node of frame.querySelectorAll(`.${CHOSEN}`)) node.classList.remove(CHOSEN);
  const rows = frame.querySelector("tbody")?.rows ?? [];
  for (const region of regions.filter(({ name }) => name !== "cross")) {
    for (let row = Math.max(0, region.rows[0]); row < Math.min(rows.length, region.rows[1]); row++) {
      const cells = rows[row].cells;
      for (let column = Math.max(0, region.columns[0]); column < Math.min(cells.length - 1, region.columns[1]); column++) {
        cells[column + 1].classList.add(CHOSEN);
      }
    }
  }
}

// The table cell of an event: { row, column }, or null.
export function tableCell(node: EventTarget | null) {
  const cell = node instanceof Element ? node.closest<HTMLTableCellElement>("tbody td") : null;
  return cell && { row: (cell.parentNode as HTMLTableRowElement).sectionRowIndex, column: cell.cellIndex - 1 };
}

// Tab-separated text: a line for each row, a heading for each head.
export function asText(tensor: Tensor, grids: Grid[]) {
  return grids.map((grid) => {
    const head = ["", ...Array.from({ length: grid.columns }, (_, at) => label(grid.column, at))].join("\t");
    const rows = Array.from({ length: grid.rows }, (_, row) => {
      const numbers = slice(grid, row).map((value) => (grid.whole ? String(value) : decimal(value)));
      return [label(grid.row, row), ...numbers].join("\t");
    });
    return [[tensor.title, grid.title].filter(Boolean).join(", "), head, ...rows].join("\n");
  }).join("\n\n");
}

// The exact numbers as NumPy code; notes what was left out.
export function asNumpy(tensor: Tensor, grids: Grid[]) {
  const type = tensor.kind === "mask" ? "bool" : tensor.whole ? "int64" : "float32";
  const number = (value: number) => (type === "bool" ? (value ? "True" : "False") : value === -Infinity ? "-np.inf" : exactly(value));
  const matrix = (grid: Grid, indent: string) => {
    const rows = Array.from({ length: grid.rows }, (_, row) => `[${slice(grid, row).map(number).join(", ")}]`);
    return `[${rows.join(`,\n${indent} `)}]`;
  };
  const body = tensor.heads
    ? `[${grids.map((grid) => matrix(grid, "           ")).join(",\n          ")}]`
    : matrix(grids[0], "          ");
  const heads = tensor.heads
    ? range("heads", { first: grids[0].head, count: grids.length, size: tensor.heads.size }, 1) : "";
  const parts = [tensor.name, heads, range("columns", tensor.columns, 0)].filter(Boolean);
  return `# ${parts.join(", ")}\nnp.array(${body}, dtype=np.${type === "bool" ? "bool_" : type})\n`;
}

function slice(grid: Grid, row: number) {
  return Array.from(grid.values.subarray(row * grid.columns, (row + 1) * grid.columns));
}

// The shortest decimal representation of a float32.
function exactly(value: number) {
  for (let digits = 6; digits < 9; digits++) {
    const text = String(Number(value.toPrecision(digits)));
    if (Math.fround(Number(text)) === value) return text;
  }
  return String(Number(value.toPrecision(9)));
}

// Copies text to the clipboard; without access (plain http), shows it selected for Ctrl+C. Returns the message.
export async function copy(text: string, fallback: HTMLTextAreaElement) {
  try {
    await navigator.clipboard.writeText(text);
    return "Copied.";
  } catch {
    fallback.value = text;
    fallback.hidden = false;
    fallback.focus();
    fallback.select();
    return "Press Ctrl+C to copy.";
  }
}
