// Queue of acts until the server confirms them: none is lost if one message overtakes another, and none is carried out
// twice. Acts during a pending message are sent after its response.

const PATIENCE = 3000; // milliseconds until unconfirmed acts are sent again

export class Acts {
  pending: [serial: number, verb: string, id: string, value: any][] = []; // oldest first
  #serial = 0;
  #session = "";
  #send: ((message: object) => void) | null = null;
  #messages = 0;
  #patience = 0;

  /** Adopts the page's data of each drawing, see acts.py; `send` sends acts to the page. */
  adopt({ session, heard }: { session: string, heard: number }, send: (message: object) => void) {
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

  // Without a listener, acts stay in the queue.
  release() {
    this.#send = null;
  }

  add(verb: string, id: string = "", value: any = null) {
    this.pending.push([++this.#serial, verb, id, value]);
    this.#tell();
  }

  #tell() {
    if (!this.#send || this.#patience || !this.pending.length) return;
    this.#patience = setTimeout(() => {
      this.#patience = 0;
      this.#tell();
    }, PATIENCE);
    // The number makes each message unique, because Streamlit doesn't send an equal value twice.
    this.#send({ session: this.#session, message: ++this.#messages, acts: [...this.pending] });
  }
}
