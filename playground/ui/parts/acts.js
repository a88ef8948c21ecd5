// Acts wait here until the server says that it has heard them: none is lost where one message overtakes another, and
// none is done twice. What is done while a message is under way is sent once that is answered.

const PATIENCE = 3000; // milliseconds until what was not answered is sent again

export class Acts {
  /** @type {[serial: number, verb: string, id: string, value: any][]} */
  pending = []; // oldest first
  #serial = 0;
  #session = "";
  /** @type {((told: object) => void) | null} */
  #send = null;
  #messages = 0;
  #patience = 0;

  /**
   * What the page sends with every drawing, see acts.py; `send` takes what goes back.
   * @param {{ session: string, heard: number }} data
   * @param {(told: object) => void} send
   */
  adopt({ session, heard }, send) {
    this.#send = send;
    const before = this.pending.length;
    if (this.#session !== session) this.pending = [];
    this.#session = session;
    this.pending = this.pending.filter(([serial]) => serial > heard);
    this.#serial = Math.max(this.#serial, heard);
    if (this.pending.length < before) {
      clearTimeout(this.#patience);
      this.#patience = 0;
    }
    this.#tell();
  }

  // Nobody listens; acts wait until somebody does.
  release() {
    this.#send = null;
  }

  /** @param {string} verb @param {string} [id] @param {any} [value] */
  add(verb, id = "", value = null) {
    this.pending.push([++this.#serial, verb, id, value]);
    this.#tell();
  }

  #tell() {
    if (!this.#send || this.#patience || !this.pending.length) return;
    this.#patience = setTimeout(() => {
      this.#patience = 0;
      this.#tell();
    }, PATIENCE);
    // The number makes each message another one: the same is not sent twice.
    this.#send({ session: this.#session, message: ++this.#messages, acts: [...this.pending] });
  }
}
