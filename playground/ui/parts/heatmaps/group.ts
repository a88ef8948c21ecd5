// One visible tensor: its heading, and a heatmap for each visible head, with its gradient if there is one.

import { cellAt, mark, newTile, paintCells, reveal, stepped } from "./tile.ts";
import { claim } from "../shortcuts.ts";
import { button, element, exact, position, range, summary } from "../words.ts";
import type { Theme } from "./colours.ts";
import type { Grid, Span, Tensor } from "./message.ts";
import type { Tile } from "./tile.ts";

/** Number of heads and columns shown at a time; `go` shows others, from the first one on. */
export type Fold = { heads?: number, columns?: number, go?(part: { heads?: number, columns?: number }): void };
/** The cells of a tensor, or of the gradient at it, that are drawn already. */
export type Made = { tensor: number, slope: boolean, cell: (head: number, row: number, column: number) => boolean };

export class Group {
  letter = element("span", "letter", { ariaHidden: "true" });
  title = element("span", "name");
  remark = element("span", "note");
  folds = element("span", "folds");
  flow = element("div", "flow");
  lineEnd = element("div", "line-end");
  head = element("div", "heading wrap", this.letter, this.title, this.remark, this.folds);
  node = element("div", "group", this.head, this.flow);
  tensor!: Tensor;
  pointer: PointerEvent | null = null; // its last event
  keyed: { tile: Tile, row: number, column: number } | null = null; // the cell that arrow keys have reached
  keys = "Arrow keys move, Enter locks.";
  note = "";
  least = 0; // width of the heading, and its height, for the layout
  heading = 0;
  placed = ""; // key of the sizes of heads beside each other
  tiles: Tile[] = [];
  grids: Grid[] = []; // data of the tiles and tables
  broken = 0; // index of the first tile of a new line

  constructor(area: Element) {
    area.append(this.node);
  }

  remove() {
    this.node.remove();
  }

  // Shows these heads of a tensor in the existing nodes. `fold` has the number of heads and columns shown at a time, and
  // go(part), which shows others; `made` is as in `paint`.
  fill(tensor: Tensor, heads: number[], fold: Fold, theme: Theme, made: Made | null) {
    this.tensor = tensor;
    const many = heads.length > 1;
    const one = tensor.heads && !many;
    this.note = tensor.heads && one ? `${headName(tensor, heads[0])} of ${tensor.heads.size}` : "";
    // Below the values of all heads their gradients, in the same order.
    this.grids = [false, true].filter((slope) => !slope || tensor.slopes)
      .flatMap((slope) => heads.map((head) => gridOf(tensor, head, slope, many)));
    this.broken = many && tensor.slopes ? heads.length : 0;
    while (this.tiles.length < this.grids.length) this.add();
    while (this.tiles.length > this.grids.length) this.tiles.pop()?.node.remove();
    this.lineEnd.remove();
    if (this.broken) this.tiles[this.broken].node.before(this.lineEnd);
    this.letter.hidden = !tensor.role;
    if (tensor.role) [this.letter.textContent, this.letter.style.background] = tensor.role;
    this.title.textContent = tensor.title;
    this.remark.textContent = this.note;
    this.folds.replaceChildren(
      ...(one ? [] : foldOf("heads", tensor.heads, 1, fold)), ...foldOf("columns", tensor.columns, 0, fold),
    );
    this.tiles.forEach((tile, at) => {
      const grid = this.grids[at];
      tile.grid = grid;
      tile.title.textContent = tile.title.title = grid.title;
      tile.title.hidden = !grid.title;
      const name = [tensor.title, this.note, grid.title].filter(Boolean).join(", ");
      tile.node.setAttribute("aria-label", `${summary(name, grid)} ${this.keys}`);
    });
    this.paint(theme, made);
  }

  // Heads scroll together: the same positions are compared.
  add() {
    const tile: Tile = newTile(this.flow);
    this.tiles.push(tile);
    tile.scroller.addEventListener("scroll", () => {
      const { scrollLeft, scrollTop } = tile.scroller;
      for (const { scroller } of this.tiles) if (scroller !== tile.scroller) Object.assign(scroller, { scrollLeft, scrollTop });
    }, { passive: true });
  }

  /** Calls `tell` when the pointer or an arrow key moves to a cell; `words` are those of this cell. */
  listen(area: HTMLElement, tell: () => void) {
    const heard = element("div", "unseen", { ariaLive: "polite" });
    this.node.append(heard);
    this.keys = "Arrow keys move.";
    const point = (event: PointerEvent) => {
      this.pointer = event.type === "pointerleave" ? null : event;
      this.keyed = null;
      tell();
    };
    area.addEventListener("pointermove", point);
    area.addEventListener("pointerdown", point);
    area.addEventListener("pointerleave", (event) => event.pointerType !== "touch" && point(event));
    area.addEventListener("keydown", (event) => {
      const tile = this.tiles.find(({ node }) => node === event.target);
      const cell = tile?.box && stepped(event, tile.grid, this.keyed?.tile === tile ? this.keyed : null);
      if (!cell) return;
      claim(event);
      this.keyed = { tile, ...cell };
      reveal(tile, cell.row, cell.column);
      tell();
      heard.textContent = this.words();
    });
    area.addEventListener("focusout", () => {
      if (!this.keyed) return;
      this.keyed = null;
      tell();
    });
  }

  /** Marks the cell under the pointer or reached by keys, and returns its head, position and value in words, "" for none. */
  words(equals = ": ") {
    const at = this.pointer;
    let words = "";
    for (const tile of this.tiles) {
      const under = at && tile.box ? cellAt(tile, at.clientX, at.clientY) : null;
      const cell = this.keyed ? this.keyed.tile === tile && this.keyed : under;
      mark(tile, cell ? [{ name: "cell", rows: [cell.row, cell.row + 1], columns: [cell.column, cell.column + 1] }] : []);
      if (!cell) continue;
      const { grid } = tile;
      const where = [grid.title, position("row", grid.row, cell.row), position("column", grid.column, cell.column)];
      words = `${where.filter(Boolean).join(", ")}${equals}${exact(grid, cell.row * grid.columns + cell.column)}`;
    }
    return words;
  }

  // With `made`, only values for which made.cell(head, row, column) is true are drawn.
  paint(theme: Theme, made: Made | null) {
    for (const tile of this.tiles) {
      const { head, slope } = tile.grid;
      paintCells(tile, theme, made?.slope === slope ? (row, column) => made.cell(head, row, column) : null);
    }
  }
}

/** The heads of a tensor that are sent; one without heads counts as one. */
export function headsOf({ heads }: Tensor) {
  return Array.from({ length: heads?.count ?? 1 }, (_, at) => (heads?.first ?? 0) + at);
}

/** "head 2", or "key head 2" where several heads share keys and values. */
export function headName({ heads }: Tensor, head: number) {
  return `${heads?.axis === "G" ? "key head" : "head"} ${head + 1}`;
}

// Data of a head or its gradient for tiles and tables.
function gridOf(tensor: Tensor, head: number, slope: boolean, many: boolean): Grid {
  const { rows, columns, cells, kind } = tensor;
  const from = (head - (tensor.heads?.first ?? 0)) * cells;
  const values = ((slope && tensor.slopes) || tensor.values).subarray(from, from + cells);
  const cause = tensor.hidden > 1 ? from : 0; // hidden cells may be shared by all heads
  const name = many ? headName(tensor, head) : "";
  return {
    tensor, head, slope, values,
    hidden: tensor.causes && !slope ? tensor.causes.subarray(cause, cause + cells) : null,
    kind: slope ? "signed" : kind,
    whole: tensor.whole && !slope,
    title: slope ? `gradient${name && `, ${name}`}` : name || (tensor.slopes ? "number" : ""),
    rows: rows.count, columns: columns.count, row: rows, column: columns, marked: tensor.marked,
    most: slope ? tensor.slope : tensor.scale,
    // A single number has no colour scale: a colour would show only its sign.
    coloured: cells > 1,
  };
}

// « heads 1–4 of 16 », if not all are shown.
function foldOf(word: "heads" | "columns", span: Span | null, from: number, fold: Fold) {
  const words = span ? range(word, span, from) : "";
  if (!span || !words) return [];
  const step = (text: string, first: number, name: string) => {
    const disabled = first < 0 || first >= span.size;
    return button("", text, () => fold.go?.({ [word]: first }), { ariaLabel: `${word} ${name}`, disabled });
  };
  const length = fold[word] ?? span.count;
  return [
    step("«", span.first - length, "back"), element("span", "range", words), step("»", span.first + length, "onward"),
  ];
}
