// Requests the computation of a cell.

import { Latest, ask } from "../../parts/ask.ts";

const KEPT = 500;
const PATIENCE = 10_000; // milliseconds

// A response can have a `problem`; `gone` if the server no longer caches this pass.
/** A term of a sum: its factors, then the product; null: minus infinity. */
export type Term = (number | null)[];
/** One line of a calculation, in symbols and in numbers, with its terms `over` an index. */
export type Line = { name: string, symbolic: string, numbers: string, value: number | null, over: string,
    indices?: number[], terms: Term[] };
/** Numbers of a parameter that a calculation reads. */
export type Strip = { tensor: string, title: string, values: number[] };
/** The calculation of a cell, and the regions it reads, as start and end by axis. */
export type Calculation = { lines: Line[], strips: Strip[], reads?: { tensor: string, region: Record<number, [number, number]>, gradient: boolean }[], readers?: [title: string, name: string][],
    curve?: [name: string, x: number], remark?: string, problem?: string, gone?: boolean };

const NONE = { lines: [], strips: [] };

export const asker = () => new Latest<Calculation>(KEPT, async (address, wanted) => {
  try {
    const answer = await ask(address, PATIENCE, wanted);
    if (answer.status === 410) return { ...NONE, gone: true, problem: "" };
    return answer.ok ? await answer.json() : { ...NONE, problem: await answer.text() };
  } catch {
    return { ...NONE, problem: "Server not responding. Point at the cell again." };
  }
});

/** The address of the calculation of a cell of an operation's tensor, or of the `gradient` at it. */
export function question(walk: string, operation: string, at: number[], gradient: boolean) {
  const query = new URLSearchParams({ operation, at: at.join(","), ...(gradient && { gradient: "1" }) });
  return new URL(`./walk/${encodeURIComponent(walk || "none")}/cell?${query}`, document.baseURI).href;
}
