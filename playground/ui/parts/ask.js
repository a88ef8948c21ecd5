// Asks the server, and asks again later where it has too much to do.

const MAX_TRIES = 4;
const MAX_WAIT = 30; // seconds
const LOOK = 200; // milliseconds between two looks whether the answer is still wanted

/**
 * As `fetch`; a refusal with Retry-After is met with patience, `MAX_TRIES` times in all.
 * @param {string | URL} address
 * @param {number} patience milliseconds for each try
 * @param {() => boolean} [wanted] whether the answer is still wanted
 */
export async function ask(address, patience, wanted = () => true) {
  for (let tries = 1; ; tries++) {
    const answer = await fetch(address, { signal: AbortSignal.timeout(patience) });
    const seconds = Number(answer.headers.get("Retry-After"));
    if (answer.status !== 429 || tries === MAX_TRIES || !wanted()) return answer;
    // Not all at the same moment.
    const until = Date.now() + 1000 * Math.min(MAX_WAIT, Math.max(1, seconds || 1)) * (1 + Math.random() / 2);
    while (Date.now() < until && wanted()) await new Promise((done) => setTimeout(done, LOOK));
    if (!wanted()) return answer;
  }
}
