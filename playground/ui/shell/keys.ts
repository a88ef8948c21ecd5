// The window that lists the keys.

import { mapSheets } from "../parts/styles.ts";
import { free, letLettersAct, lettersAct, onLetters } from "../parts/shortcuts.ts";
import { component } from "../parts/component.ts";
import { button, element } from "../parts/words.ts";
import type { Call, Root } from "../parts/component.ts";

const SCOPE = "Turns shortcuts with letters, digits and punctuation on or off. Arrow keys and Esc always work.";

type Columns = { title: string, rows: [keys: string[], does: string][] }[];

let help: ReturnType<typeof build> | null = null; // data of the help button on this page

onLetters(() => help?.tick());

document.addEventListener("keydown", (event) => {
  if (event.key !== "?" || !help || !free(event)) return;
  event.preventDefault();
  help.open();
});

export default component(mapSheets, build, (window, { data }: Call<Columns>) => {
  help = window;
  help.fill(data);
});

function build(root: Root) {
  const opener = button("small-button", "", () => open());
  opener.innerHTML =
    '<svg viewBox="0 0 20 14" aria-hidden="true"><rect x=".7" y=".7" width="18.6" height="12.6" rx="2"/>' +
    '<path d="M4 4.4h.1M7 4.4h.1M10 4.4h.1M13 4.4h.1M16 4.4h.1M4 7.2h.1M7 7.2h.1M10 7.2h.1M13 7.2h.1M16 7.2h.1M6 10.2h8"/></svg><span class="words">Keys</span>';
  Object.assign(opener, { ariaHasPopup: "dialog", ariaKeyShortcuts: "?", title: "Keyboard shortcuts of this page (?)" });
  const dialog = element("dialog", "keys", { ariaLabel: "Keys" });
  root.append(opener, dialog);
  const box = element("input", "", { type: "checkbox" });
  box.addEventListener("change", () => letLettersAct(box.checked));
  const scope = element("small", "", SCOPE, { id: "scope" });
  box.setAttribute("aria-describedby", scope.id);
  const choice = element("p", "letters wrap", element("label", "", box, "Single-letter shortcuts"), scope);
  const tick = () => (box.checked = lettersAct());
  const open = () => {
    tick();
    if (!dialog.open) dialog.showModal();
  };
  dialog.addEventListener("click", (event) => {
    const { left, right, top, bottom } = dialog.getBoundingClientRect();
    const inside = event.clientX >= left && event.clientX <= right && event.clientY >= top && event.clientY <= bottom;
    // A click by keyboard has no position.
    if ((event.target === dialog && !inside) || (event.target as Element).closest(".close")) dialog.close();
  });
  dialog.addEventListener("keydown", (event) => {
    if (!dialog.open) return; // just closed: the browser removes the focus only in the next frame
    event.stopPropagation(); // keys must not act on the page; the dialog handles Escape
    if (event.key === "?" && lettersAct()) dialog.close();
  });
  const built = {
    open,
    tick,
    fill: (columns: Columns) => fill(dialog, columns, choice),
    close() {
      if (help === built) help = null;
      opener.remove();
      dialog.remove();
    },
  };
  return built;
}

function fill(dialog: HTMLDialogElement, columns: Columns, choice: Node) {
  const text = JSON.stringify(columns);
  if (dialog.dataset.shown === text) return;
  dialog.dataset.shown = text;
  const lists = columns.map(({ title, rows }) => {
    const items = rows.flatMap(([keys, does]) => [
      element("dt", "wrap", ...keys.map((key) => element("kbd", "", key))),
      element("dd", "", does),
    ]);
    return element("section", "", element("h3", "", title), element("dl", "", ...items));
  });
  const close = element("button", "close", "×", { ariaLabel: "Close" });
  dialog.replaceChildren(element("header", "", element("h2", "", "Keys"), close), choice, element("div", "columns", ...lists));
}
