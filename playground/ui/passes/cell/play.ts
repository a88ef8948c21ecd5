// Compute slowly: marks the sources of one cell, adds its terms one by one, then fills in the other cells.

import { calm } from "../../parts/styles.ts";
import { decimal, exact } from "../../parts/words.ts";
import type { Made } from "../../parts/heatmaps/group.ts";
import type { Calculation, Line } from "./cells.ts";
import type { Cell, Tensors } from "../tensors.ts";

const LOOK = 900; // milliseconds to show the sources, and the value
const ADDING = 3200; // milliseconds for all terms together
const SLOWEST = 420; // maximum milliseconds for one term
const FILLING = 1600;

// The parts of the tensors' component that this module uses.
export function scene(tensors: Tensors, cell: Cell) {
  const { expression } = tensors;
  return {
    blank(made: Made["cell"]) {
      tensors.made = { tensor: cell.tensor, slope: cell.slope, cell: made };
      tensors.repaint();
    },
    light(at: Cell, answer: Calculation) {
      tensors.pointed = at;
      tensors.marks.clear();
      tensors.showInputs();
      const found = tensors.find(at);
      if (found) tensors.marks.cross(found, false);
      tensors.sources(answer);
      expression.point(tensors.whereOf(at), "…", false);
      expression.tell(answer, tensors.inWords(at));
    },
    progress: (line: Line, count: number, text: string) => expression.progress(line, count, text),
    landed(at: Cell, text: string) {
      expression.grown();
      expression.value(tensors.whereOf(at), text);
    },
    cell: () => tensors.find(cell),
    say: (text: string) => (tensors.nodes.announcement.textContent = text),
  };
}

// Stops when `signal` is aborted.
export async function play(on: ReturnType<typeof scene>, at: Cell, cell: Calculation, signal: AbortSignal) {
  const still = calm();
  const pause = (time: number): Promise<void> => new Promise((done) => {
    const timer = setTimeout(done, time);
    signal.addEventListener("abort", () => (clearTimeout(timer), done()), { once: true });
  });
  on.blank(() => false);
  on.light(at, cell);
  on.say("These are the numbers it is computed from.");
  const line = [...cell.lines].reverse().find((each) => each.terms.length) ?? null;
  if (line) on.progress(line, 0, "…");
  await pause(LOOK);
  if (line && !signal.aborted) {
    const sums = runningSums(line);
    const count = line.terms.length;
    const pace = Math.min(SLOWEST, ADDING / count);
    const stride = still ? count : Math.max(1, Math.round(16 / pace)); // at most one update per 16 ms frame
    for (let done = stride; !signal.aborted; done = Math.min(count, done + stride)) {
      on.progress(line, done, sums ? decimal(sums[done - 1]) : "…");
      on.say(`${done} of ${count} terms${line.name ? ` of ${line.name}` : ""}${sums ? `, so far ${decimal(sums[done - 1])}` : ""}.`);
      await pause(still ? LOOK : pace * stride);
      if (done >= count) break;
    }
  }
  if (signal.aborted) return;
  const found = on.cell();
  if (!found) return;
  const { grid, row, column } = found;
  on.blank((head, r, c) => head === at.head && r === row && c === column);
  on.landed(at, exact(grid, row * grid.columns + column));
  on.say("This is its value. All other cells are computed the same way.");
  await pause(LOOK);
  for (let rows = 1; !still && rows < grid.rows && !signal.aborted; rows++) {
    on.blank((head, r, c) => r < rows || (head === at.head && r === row && c === column));
    await pause(FILLING / grid.rows);
  }
}

// Partial results of the terms; null if the line is neither a sum nor a mean nor a maximum.
function runningSums(line: Line) {
  const values = line.terms.map((term) => term.at(-1) ?? -Infinity);
  const adds = (combine: (sum: number, value: number) => number) =>
    values.reduce<number[]>((all, value) => [...all, all.length ? combine(all[all.length - 1], value) : value], []);
  if (line.name && values.length > 1 && Math.max(...values) === (line.value ?? -Infinity)) return adds(Math.max);
  return values.every(Number.isFinite) ? adds((sum, value) => sum + value) : null;
}
