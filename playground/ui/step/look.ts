// The visible part of the tensors; a person changes it here, and the page can change it.

export class Looks {
  /** @type {any} */
  now = null;
  received = ""; // the page's last state
  /** @type {string[]} */
  reported = []; // unconfirmed states sent to the page

  // The page's state applies, unless it only repeats a report from here, which may be outdated.
  adopt(look, other) {
    const text = JSON.stringify(look);
    const echo = this.reported.indexOf(text);
    if (echo >= 0) this.reported.splice(0, echo + 1);
    const news = echo < 0 ? other || text !== this.received : !this.reported.length;
    if (!this.now || news) {
      this.now = look;
      this.reported = [];
    }
    this.received = text;
  }

  // Changes a part of it; returns the state to report.
  change(part) {
    this.now = { ...this.now, ...part };
    this.reported.push(JSON.stringify(this.now));
    return this.now;
  }
}
