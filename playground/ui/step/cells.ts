// Requests the computation of a cell.

import { Latest, ask } from "../parts/ask.ts";

const KEPT = 500;
const PATIENCE = 10_000; // milliseconds

// A response can have a `problem`; `gone` if the server no longer caches this pass.
export const asker = () => new Latest(KEPT, async (address, wanted) => {
  try {
    const answer = await ask(address, PATIENCE, wanted);
    if (answer.status === 410) return { gone: true, problem: "" };
    return answer.ok ? await answer.json() : { problem: await answer.text() };
  } catch {
    return { problem: "Server not responding. Point at the cell again." };
  }
});

export function question({ walk, operation }, at) {
  const query = new URLSearchParams({ operation, at: at.join(",") });
  return new URL(`./walk/${encodeURIComponent(walk || "none")}/cell?${query}`, document.baseURI).href;
}
