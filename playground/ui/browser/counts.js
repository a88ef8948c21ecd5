// Presses are counted, and the counts sent; the next ones when the page has answered. So every press counts, however
// fast they follow each other, and none counts twice when one message overtakes another.

const PATIENCE = 3000; // milliseconds until counts that were not answered are sent again

export class Counts {
  send = null; // takes the counts to the page; null: the page does not listen
  #session = "";
  #serial = 0;
  #steps = {};
  #sent = "{}";
  #patience = 0;

  add(action, by = 1) {
    this.#steps[action] = (this.#steps[action] ?? 0) + by;
    this.#tell();
  }

  // The page's answer. A session that is new to this document begins to count anew.
  heard({ session, serial }) {
    if (session !== this.#session) {
      [this.#session, this.#serial, this.#steps, this.#sent] = [session, serial, {}, "{}"];
    } else if (serial < this.#serial) return;
    clearTimeout(this.#patience);
    this.#patience = 0;
    this.#tell();
  }

  #tell() {
    const counts = JSON.stringify(this.#steps);
    if (!this.send || this.#patience || counts === this.#sent) return;
    this.#sent = counts;
    this.#serial += 1;
    this.#patience = setTimeout(() => {
      this.#patience = 0;
      this.#sent = "";
      this.#tell();
    }, PATIENCE);
    this.send({ session: this.#session, serial: this.#serial, ...this.#steps });
  }
}
