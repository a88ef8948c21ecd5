// Fetches a checkpoint's attention weights.

import { ask } from "./ask.ts";
import { decode } from "./heatmaps/message.ts";
import type { Tensor } from "./heatmaps/message.ts";

const PATIENCE = 20_000; // milliseconds

/**
 * Resolves to the tensor or to an error message ("" if the server doesn't respond); `later`: a retry is allowed.
 * @param words of the address
 * @param wanted whether the answer is still wanted
 */
export async function attentionOf(
  name: string, words: Record<string, string>, wanted: () => boolean,
): Promise<{ tensor: Tensor | null, problem: string, later: boolean }> {
  const query = new URLSearchParams(words);
  try {
    const address = new URL(`./library/${encodeURIComponent(name)}/attention?${query}`, document.baseURI);
    const answer = await ask(address, PATIENCE, wanted);
    if (!answer.ok) return { tensor: null, problem: await answer.text(), later: answer.status === 429 };
    const [tensor] = decode(new Uint8Array(await answer.arrayBuffer())).tensors;
    return { tensor, problem: "", later: false };
  } catch {
    return { tensor: null, problem: "", later: true };
  }
}
