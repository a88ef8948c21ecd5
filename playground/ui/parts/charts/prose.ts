// Tokens of a text, which are its characters, as running text.

import { element } from "../words.ts";

const SPACE = "␣"; // a token's name, as in cleaning.py

// Characters as they are read.
export function joined(tokens: string[]) {
  return tokens.join("").replaceAll(SPACE, " ");
}

/** Tokens with their errors, joined as long as the error is the same: a text, whose wrong spaces can be seen. */
export function pieces(tokens: string[][]) {
  const all: string[][] = [];
  for (const [token, kind] of tokens) {
    const text = kind === "missing" ? "_" : kind === "wrong" ? token : joined([token]);
    const last = all.at(-1);
    if (last && last[1] === kind) last[0] += text;
    else all.push([text, kind]);
  }
  return all;
}

// A running text, of which a mark is one element.
export function prose(node: HTMLElement, tokens: string[][]) {
  replaced(node, "prose", tokens, () => pieces(tokens).map(([text, kind]) => (kind ? element("span", kind, text) : text)));
}

/** Replaces what a node shows if that has changed. */
export function replaced(node: HTMLElement, name: string, tokens: string[][], inside: () => (string | Node)[]) {
  const text = JSON.stringify([name, tokens]);
  if (node.dataset.shown === text) return;
  node.dataset.shown = text;
  for (const each of ["prose", "toks"]) node.classList.toggle(each, each === name);
  node.replaceChildren(...inside());
}
