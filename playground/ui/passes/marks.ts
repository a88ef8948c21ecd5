// Marks: the selected cell, its row and column, and its sources.

import { tint } from "./table.ts";
import { mark, reveal } from "../parts/heatmaps/tile.ts";
import type { Group } from "../parts/heatmaps/group.ts";
import type { Grid } from "../parts/heatmaps/message.ts";
import type { Region } from "../parts/heatmaps/tile.ts";
import type { TableFrame } from "./table.ts";

const [HEAD, ROW, COLUMN] = [1, 2, 3]; // roles of the axes of a recorded tensor

export class Marks {
  regions: Map<string, Region[]> = new Map();

  clear() {
    this.regions.clear();
  }

  // Marks a cell with its row and column; `faint`: the cell under the pointer while another one is locked.
  cross({ grid, row, column }: { grid: Grid, row: number, column: number }, faint: boolean) {
    const [rows, columns] = [[row, row + 1], [column, column + 1]];
    if (!faint) {
      this.add(grid, { name: "cross", rows, columns: [0, grid.columns] });
      this.add(grid, { name: "cross", rows: [0, grid.rows], columns });
    }
    this.add(grid, { name: faint ? "cell faint" : "cell", rows, columns });
  }

  // The source region of a cell in a tensor, or in the `gradient` at it: start and end along each axis of the recorded tensor.
  source({ tensor, grids }: Group, region: Record<number, [number, number]>, gradient: boolean) {
    const span = (axis: number, size: number) => region[tensor.axes.indexOf(axis)] ?? [0, size];
    const [first, end] = span(HEAD, Infinity);
    const rows = span(ROW, tensor.rows.count);
    const [left, right] = span(COLUMN, tensor.columns.size).map((at) => at - tensor.columns.first);
    const columns = [Math.max(0, left), Math.min(tensor.columns.count, right)];
    if (columns[0] >= columns[1]) return;
    for (const grid of grids) {
      if (grid.slope === gradient && grid.head >= first && grid.head < end) this.add(grid, { name: "source", rows, columns });
    }
  }

  add(grid: Grid, region: Region) {
    const key = keyOf(grid);
    this.regions.set(key, [...(this.regions.get(key) ?? []), region]);
  }

  paintTables(frames: TableFrame[]) {
    for (const frame of frames) tint(frame, this.regions.get(keyOf(frame.grid)) ?? []);
  }

  // `pointed` is the tensor under the pointer, which must not scroll.
  paintTiles(groups: Group[], pointed: number | undefined) {
    for (const group of groups) {
      for (const tile of group.tiles) {
        const all = this.regions.get(keyOf(tile.grid)) ?? [];
        const source = all.find(({ name }) => name === "source");
        // Scroll marks into view.
        if (source && pointed !== group.tensor.index) reveal(tile, source.rows[0], source.columns[0]);
        mark(tile, all);
        // A single source region dims everything around it.
        tile.marks.classList.toggle("veiled", all.length === 1 && all[0].name === "source");
      }
    }
  }
}

function keyOf({ tensor, head, slope }: Grid) {
  return `${tensor.index} ${head} ${slope}`;
}
