// Requests to the server, with retries while it is busy.

const MAX_TRIES = 4;
const MAX_WAIT = 30; // seconds
const LOOK = 200; // milliseconds between two checks whether the response is still needed

/**
 * Like `fetch`, but retries after a refusal with Retry-After, at most `MAX_TRIES` times.
 * @param patience milliseconds for each try
 * @param wanted whether the answer is still wanted
 */
export async function ask(address: string | URL, patience: number, wanted: () => boolean = () => true) {
  for (let tries = 1; ; tries++) {
    const answer = await fetch(address, { signal: AbortSignal.timeout(patience) });
    const seconds = Number(answer.headers.get("Retry-After"));
    if (answer.status !== 429 || tries === MAX_TRIES || !wanted()) return answer;
    // Spread retries in time.
    const until = Date.now() + 1000 * Math.min(MAX_WAIT, Math.max(1, seconds || 1)) * (1 + Math.random() / 2);
    while (Date.now() < until && wanted()) await new Promise((done) => setTimeout(done, LOOK));
    if (!wanted()) return answer;
  }
}

// Requests of which only the latest matters: one is active at a time, and responses are cached.
export class Latest<Answer extends object> {
  most: number;
  read: (address: string, wanted: () => boolean) => Promise<Answer>;
  known: Map<string, Answer> = new Map(); // by address
  wanted: { address: string, act(answer: Answer): void } | null = null;
  busy = false;

  /**
   * @param most answers that are kept
   * @param read gives the answer, or a `problem`: not kept
   */
  constructor(most: number, read: (address: string, wanted: () => boolean) => Promise<Answer>) {
    this.most = most;
    this.read = read;
  }

  /** Calls `act` with the response, unless a newer request replaces this one. */
  ask(address: string, act: (answer: Answer) => void) {
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
      const answer = await this.read(address, () => this.wanted?.address === address);
      if (!("problem" in answer)) this.known.set(address, answer);
      const [oldest] = this.known.keys();
      if (this.known.size > this.most) this.known.delete(oldest);
      if (this.wanted?.address !== address) continue;
      const { act } = this.wanted;
      this.wanted = null;
      act(answer);
    }
    this.busy = false;
  }
}
