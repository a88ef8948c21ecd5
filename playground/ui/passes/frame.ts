// The nodes around the tensors: buttons, inputs and output, tables, legend, and the calculation.

import { element } from "../parts/words.ts";

// Sets one of a button's texts; its width is that of the longest, so it stays under the pointer.
export function write(button: Element, text: string) {
  for (const each of button.children) each.classList.toggle("unused", each.textContent !== text);
}

export type Nodes = ReturnType<typeof frame>;

// Fills `root`; `act` has the actions of the buttons.
export function frame(root: HTMLElement, act: Record<"table" | "compute" | "text" | "numpy" | "all", () => void>) {
  const button = (texts: string | string[], action: () => void, key?: string) => {
    const node = element("button", "", ...[texts].flat().map((text, at) => element("span", at ? "unused" : "", text)));
    if (key) Object.assign(node, { ariaKeyShortcuts: key, title: `Key ${key}` });
    node.addEventListener("click", action);
    return node;
  };
  const nodes = {
    // The table comes first for keyboard and screen reader users.
    tableButton: button(["Show as table", "Show as heatmap"], act.table, "t"),
    playButton: button(["Compute slowly", "Stop"], act.compute, "p"),
    allButton: button("All heads", act.all, "0"),
    announcement: element("span", "announcement cut", { role: "status" }),
    clipboard: element("textarea", "clipboard", { readOnly: true, hidden: true, ariaLabel: "The numbers, to copy" }),
    inputs: element("div", "area inputs wrap"),
    arrow: element("div", "arrow", { ariaHidden: "true" }),
    outputs: element("div", "area outputs wrap"),
    tables: element("div", "tables"),
    legend: element("div", "legend wrap"),
    panel: element("section", "expression"),
  };
  const copying = [button("Copy as text", act.text), button("Copy as NumPy", act.numpy)];
  const bar = element("div", "actions wrap", nodes.tableButton, nodes.playButton, ...copying, nodes.announcement, nodes.allButton);
  const sides = element("div", "sides", nodes.inputs, nodes.arrow, nodes.outputs);
  root.append(bar, nodes.clipboard, sides, nodes.tables, nodes.legend, nodes.panel);
  return { sides, ...nodes };
}
