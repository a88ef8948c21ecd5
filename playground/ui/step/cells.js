// Asks the server how a cell was made.

import { Latest, ask } from "../parts/ask.js";

const KEPT = 500;
const PATIENCE = 10_000; // milliseconds

// Its answers may be a `problem`, and `gone` where the server does not keep this pass any more.
export const asker = () => new Latest(KEPT, async (address, wanted) => {
  try {
    const answer = await ask(address, PATIENCE, wanted);
    if (answer.status === 410) return { gone: true, problem: "" };
    return answer.ok ? await answer.json() : { problem: await answer.text() };
  } catch {
    return { problem: "The server does not answer; the expression will come when it does." };
  }
});

export function question({ walk, operation }, at) {
  const query = new URLSearchParams({ operation, at: at.join(",") });
  return new URL(`./walk/${encodeURIComponent(walk || "none")}/cell?${query}`, document.baseURI).href;
}
