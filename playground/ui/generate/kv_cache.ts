// The KV cache as a picture: keys and values that are kept and that are new, and what each token costs with and without.

import baseCss from "../parts/base.css";
import cacheCss from "./kv_cache.css";
import { component } from "../parts/component.ts";
import { element, percent, visible, whole } from "../parts/words.ts";
import type { Call, Root } from "../parts/component.ts";

/** Positions of one kind of attention; what the first `kept` need is there before the pass. */
type Row = { name: string, tokens: string[], kept: number };
/**
 * `possible`: whether anything can be kept; `what` of each position, `bytes` in all layers after the pass, `cost` of each
 * token so far in multiplications, with a cache and without; `notes` on this kind of attention.
 */
type Cache = { possible: boolean, rows: Row[], layers: number, what: string, bytes: number, notes: string[], cost: number[][] };

export default component([baseCss, cacheCss], (root) => new CachePicture(root), (picture, { data }: Call<Cache>) => picture.show(data));

class CachePicture {
  summary = element("p", "small");
  rows = element("div", "cache-rows");
  costs = element("div", "cache-costs", { role: "img" });
  top = element("div", "small soft");
  total = element("p", "small");
  notes = element("div", "");

  constructor(root: Root) {
    root.querySelector(".cache")?.replaceChildren(
      element("h2", "", "KV cache"), this.summary, this.rows,
      element("p", "small", element("span", "swatch new"), "computed for this token ", element("span", "swatch"), "kept from earlier tokens"),
      this.notes,
      element("h3", "", "Multiplications for each token, in decoder and output layer"), this.top, this.costs,
      element("p", "small", element("span", "swatch with"), "with a KV cache ", element("span", "swatch without"), "without one"),
      this.total,
    );
  }

  close() {}

  show({ possible, rows, layers, what, bytes, notes, cost: [cached = [], all = []] }: Cache) {
    const each = layers > 1 ? `Each of the ${layers} decoder layers` : "The decoder layer";
    this.summary.textContent = possible
      ? `${each} keeps ${what}, for every position below: ${whole(bytes)} bytes in all.`
      : "This model can't use a KV cache: without a causal mask, each new token changes the keys and values of earlier positions.";
    this.rows.replaceChildren(element("span", ""), element("span", "small soft", "with a KV cache"), element("span", "small soft", "without one"),
      ...rows.flatMap((row) => [element("span", "small", row.name), strip(row, row.kept), strip(row, 0)]));

    this.notes.replaceChildren(...notes.map((note) => element("p", "small", note)));

    const most = Math.max(...all);
    this.top.textContent = `Height of the bars: 0 to ${whole(most)}`;
    this.costs.style.setProperty("--tokens", String(all.length));
    this.costs.replaceChildren(...all.map((count, at) => {
      const pair = element("span", "pair", bar("with", cached[at] / most), bar("without", count / most));
      pair.title = `Token ${at + 1}: ${whole(cached[at])} with a KV cache, ${whole(count)} without`;
      return pair;
    }));
    const [some, every] = [cached, all].map((counts) => counts.reduce((sum, count) => sum + count, 0));
    this.total.textContent = `${all.length > 1 ? `Tokens 1 to ${all.length} together, with the next one` : "Token 1"}: ${whole(some)} with a KV cache, ${whole(every)} without one`
      + (every > some ? `, ${(every / some).toFixed(1)} times as many.` : ".");
    this.costs.ariaLabel = `The last token takes ${percent(cached[all.length - 1] / all[all.length - 1])} of the multiplications that it takes without a KV cache.`;
  }
}

function strip({ tokens }: Row, kept: number) {
  const counts = kept < tokens.length ? `${tokens.length - kept} computed${kept ? `, ${kept} kept` : ""}` : `all ${kept} kept`;
  const cells = tokens.map((token, at) => element("span", `cell${at < kept ? "" : " new"}`, visible(token)));
  return element("div", "cache-strip", element("div", "cells", ...cells), element("div", "small soft", counts));
}

function bar(kind: string, height: number) {
  const node = element("i", kind);
  node.style.height = `${100 * height}%`;
  return node;
}
