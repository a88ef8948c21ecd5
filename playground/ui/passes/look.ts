// The visible part of the tensors; a person changes it here, and the page can change it.

/**
 * The look: table or heatmaps, one head or all (null), the locked cell as [head,] row, column, the tensor whose gradient
 * it is in (or ""), and the first head and column shown, once a person has chosen them.
 */
export type Look = { table: boolean, head: number | null, cell: number[] | null, gradient_of: string, heads?: number, columns?: number };

export class Looks {
  now: Look = { table: false, head: null, cell: null, gradient_of: "" };
  received = ""; // the page's last state
  reported: string[] = []; // unconfirmed states sent to the page

  // The page's state applies, unless it only repeats a report from here, which may be outdated.
  adopt(look: Look, other: boolean) {
    const text = JSON.stringify(look);
    const echo = this.reported.indexOf(text);
    if (echo >= 0) this.reported.splice(0, echo + 1);
    const news = echo < 0 ? other || text !== this.received : !this.reported.length;
    if (news) {
      this.now = look;
      this.reported = [];
    }
    this.received = text;
  }

  // Changes a part of it; returns the state to report.
  change(part: Partial<Look>) {
    this.now = { ...this.now, ...part };
    this.reported.push(JSON.stringify(this.now));
    return this.now;
  }
}
