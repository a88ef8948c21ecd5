// Marks: the selected cell, its row and column, and its sources.

import { tint } from "./table.ts";
import { mark, reveal } from "../parts/heatmaps/tile.ts";

const [HEAD, ROW, COLUMN] = [1, 2, 3]; // roles of the axes of a recorded tensor

export class Marks {
  regions = new Map();

  clear() {
    this.regions.clear();
  }

  // Marks a cell with its row and column; `faint`: the cell under the pointer while another one is locked.
  cross({ grid, row, column }, faint) {
    const [rows, columns] = [[row, row + 1], [column, column + 1]];
    if (!faint) {
      this.add(grid, { name: "cross", rows, columns: [0, grid.columns] });
      this.add(grid, { name: "cross", rows: [0, grid.rows], columns });
    }
    this.add(grid, { name: faint ? "cell faint" : "cell", rows, columns });
  }

  // The source region of a cell in a tensor: start and end along each axis of the recorded tensor.
  source({ tensor, grids }, region) {
    const span = (axis, size) => region[tensor.axes.indexOf(axis)] ?? [0, size];
    const [first, end] = span(HEAD, Infinity);
    const rows = span(ROW, tensor.rows.count);
    const [left, right] = span(COLUMN, tensor.columns.size).map((at) => at - tensor.columns.first);
    const columns = [Math.max(0, left), Math.min(tensor.columns.count, right)];
    if (columns[0] >= columns[1]) return;
    for (const grid of grids) {
      if (!grid.slope && grid.head >= first && grid.head < end) this.add(grid, { name: "source", rows, columns });
    }
  }

  add(grid, region) {
    const key = keyOf(grid);
    this.regions.set(key, [...(this.regions.get(key) ?? []), region]);
  }

  paintTables(frames) {
    for (const frame of frames) tint(frame, this.regions.get(keyOf(frame.grid)) ?? []);
  }

  // `pointed` is the tensor under the pointer, which must not scroll.
  paintTiles(groups, pointed) {
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

function keyOf({ tensor, head, slope }) {
  return `${tensor.index} ${head} ${slope}`;
}
