// Acts wait here until the server says that it has heard them: no click is lost where one message overtakes another.

export class Acts {
  unheard = []; // [serial, verb, id, value] each, oldest first
  #serial = 0;
  #session = "";
  #send = () => {};

  // What the page says with every drawing, see acts.py; `send` takes what it has to be told.
  adopt({ session, heard }, send) {
    this.#send = send;
    if (this.#session !== session) this.unheard = [];
    this.#session = session;
    this.unheard = this.unheard.filter(([serial]) => serial > heard);
    this.#serial = Math.max(this.#serial, heard);
  }

  add(verb, id, value = null) {
    this.unheard.push([++this.#serial, verb, id, value]);
    this.#send({ session: this.#session, acts: [...this.unheard] });
  }
}
