// A matrix as a table: one cell for each number, names along its sides.

import { element, scrolling } from "../parts/words.ts";

/**
 * @param label for screen readers
 * @param cells of each row
 * @param names of rows and columns, if they have any, a caption, and what names both sides
 */
export function matrix(
  label: string, cells: HTMLTableCellElement[][],
  { rows, columns, caption = "", corner = "" }: { rows?: string[] | null, columns?: string[] | null, caption?: string, corner?: string },
) {
  const heading = (name: string, scope: string) => element("th", "small", name, { scope });
  const top = columns && element("tr", "", rows && element(corner ? "th" : "td", "small", corner), ...columns.map((name) => heading(name, "col")));
  const lines = cells.map((line, at) => element("tr", "", rows && heading(rows[at], "row"), ...line));
  const table = element("table", "", caption && element("caption", "small", caption), top && element("thead", "", top), element("tbody", "", ...lines));
  return scrolling("matrix", label, table);
}
