// The explanation of an operation that was opened without a script run, in place of what the script has drawn. The next
// script run draws its own: what it drew before is put back for it.

import { keyed } from "../streamlit_dom.ts";
import { element } from "../words.ts";

/** As step/operation_route.py sends it: HTML of ours, the formula as MathML. */
export type Explanation = { head: string, prose: string, formula: string };

const AREA = keyed("slide-operation");
const WHEN = ".time-message"; // about the training step, which stays

let replaced: { node: Element, before: string, now: string }[] = [];
let formula: { drawn: HTMLElement, own: HTMLElement } | null = null;

export function explain({ head, prose, formula: math }: Explanation) {
  const when = document.querySelector(`${AREA} ${WHEN}`)?.innerHTML ?? "";
  const parts: [string, string][] = [[".operation", head], [".sentence", prose]];
  for (const [mark, html] of parts) {
    const node = document.querySelector(`${AREA} ${mark}`)?.parentElement;
    if (!node) continue;
    const known = replaced.find((each) => each.node === node);
    const before = known && known.now === node.innerHTML ? known.before : node.innerHTML;
    node.innerHTML = html;
    const message = node.querySelector(WHEN);
    if (message) message.innerHTML = when;
    replaced = [...replaced.filter((each) => each !== known), { node, before, now: node.innerHTML }];
  }
  const drawn: HTMLElement | null = formula?.drawn.isConnected ? formula.drawn : document.querySelector(`${AREA} .katex-display`);
  if (!drawn) return;
  formula?.own.remove();
  const own = element("div", "followed-formula");
  own.innerHTML = math;
  drawn.style.display = "none";
  drawn.after(own);
  formula = { drawn, own };
}

export function restore() {
  for (const { node, before, now } of replaced) if (node.innerHTML === now) node.innerHTML = before;
  replaced = [];
  if (formula) {
    formula.own.remove();
    formula.drawn.style.display = "";
  }
  formula = null;
}
