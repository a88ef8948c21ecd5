// What is marked: the cell that is looked at, its row and column, and its sources.

import { tint } from "./table.js";
import { mark, reveal } from "../parts/heatmaps/tile.js";

const [HEAD, ROW, COLUMN] = [1, 2, 3]; // what an axis of a recorded tensor counts

export class Marks {
  regions = new Map();

  clear() {
    this.regions.clear();
  }

  // Row and column of a cell, and itself; a `faint` one is only pointed at while another is looked at.
  cross({ grid, row, column }, faint) {
    const [rows, columns] = [[row, row + 1], [column, column + 1]];
    if (!faint) {
      this.add(grid, { name: "cross", rows, columns: [0, grid.columns] });
      this.add(grid, { name: "cross", rows: [0, grid.rows], columns });
    }
    this.add(grid, { name: faint ? "cell faint" : "cell", rows, columns });
  }

  // The region of a tensor that a cell was made from: first and end of each axis of the recorded tensor.
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

  // `pointed` is the tensor that one points at, which must not move below the pointer.
  paintTiles(groups, pointed) {
    for (const group of groups) {
      for (const tile of group.tiles) {
        const all = this.regions.get(keyOf(tile.grid)) ?? [];
        const source = all.find(({ name }) => name === "source");
        // What lies outside of a tile that scrolls is brought into it.
        if (source && pointed !== group.tensor.index) reveal(tile, source.rows[0], source.columns[0]);
        mark(tile, all);
        // Where one region was read, all around it steps back.
        tile.marks.classList.toggle("veiled", all.length === 1 && all[0].name === "source");
      }
    }
  }
}

function keyOf({ tensor, head, slope }) {
  return `${tensor.index} ${head} ${slope}`;
}
