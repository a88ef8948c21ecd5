// Which part of the tensors is shown: a person changes it here, the page may change it, too.

export class Looks {
  /** @type {any} */
  now = null;
  told = ""; // what the page said last
  /** @type {string[]} */
  reported = []; // what was sent to the page and not confirmed yet

  // The page's word counts, unless it only repeats what was reported from here, which may be overtaken meanwhile.
  adopt(look, other) {
    const text = JSON.stringify(look);
    const echo = this.reported.indexOf(text);
    if (echo >= 0) this.reported.splice(0, echo + 1);
    const news = echo < 0 ? other || text !== this.told : !this.reported.length;
    if (!this.now || news) {
      this.now = look;
      this.reported = [];
    }
    this.told = text;
  }

  // Changes a part of it; returns what is to be reported.
  change(part) {
    this.now = { ...this.now, ...part };
    this.reported.push(JSON.stringify(this.now));
    return this.now;
  }
}
