// Asks the server how a cell was made: one question at a time, the latest wins, answers are kept.

import { ask } from "../parts/ask.js";

const KEPT = 500;
const PATIENCE = 10_000; // milliseconds

export class Asker {
  known = new Map();
  /** @type {{ address: string, act(answer: any): void } | null} */
  wanted = null;
  busy = false;

  // Calls `act` with the answer, { gone: true } where the server does not keep this pass any more or { problem }
  // where it does not answer; not at all if something else is asked before.
  ask({ walk, operation, at }, act) {
    const query = new URLSearchParams({ operation, at: at.join(",") });
    const address = new URL(`./walk/${encodeURIComponent(walk || "none")}/cell?${query}`, document.baseURI).href;
    const answer = this.known.get(address);
    this.wanted = answer ? null : { address, act };
    if (answer) act(answer);
    else if (!this.busy) this.work();
  }

  forget() {
    this.wanted = null;
  }

  async work() {
    this.busy = true;
    while (this.wanted) {
      const { address } = this.wanted;
      const answer = await fetched(address, () => this.wanted?.address === address);
      if (!answer.gone && !answer.problem) this.keep(address, answer);
      if (this.wanted?.address !== address) continue;
      const { act } = this.wanted;
      this.wanted = null;
      act(answer);
    }
    this.busy = false;
  }

  keep(address, answer) {
    this.known.set(address, answer);
    if (this.known.size > KEPT) this.known.delete(this.known.keys().next().value);
  }
}

async function fetched(address, wanted) {
  try {
    const answer = await ask(address, PATIENCE, wanted);
    if (answer.status === 410) return { gone: true };
    return answer.ok ? await answer.json() : { problem: await answer.text() };
  } catch {
    return { problem: "The server does not answer; the expression will come when it does." };
  }
}
