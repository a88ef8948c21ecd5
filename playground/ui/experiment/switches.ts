// Buttons for the heads, sublayers and position table of a model: a press adds a change or removes it.

import { Acts } from "../parts/acts.ts";
import { dressIn } from "../parts/dress.ts";
import { Views } from "../parts/views.ts";
import { button, element } from "../parts/words.ts";
/** @import { Call, Root } from "../parts/views.ts" */

const dress = dressIn("parts/page.css", "parts/base.css", "experiment/switches.css");
const views = new Views((root) => new View(root));

/**
 * A part of the model and its change; "" if there is none.
 * @typedef {{ site: string, label: string, words: string, mark: string }} Part
 * @typedef {{ label: string, parts: Part[] }} Row
 * @typedef {{ rows: Row[], adds: string, session: string, heard: number }} Data
 */

/** @param {Call<Data>} call */
export default function ({ data, parentElement, setStateValue }) {
  const view = views.at(parentElement);
  view.acts.adopt(data, (message) => setStateValue("acts", message));
  view.show(data);
  return views.leave(parentElement);
}

class View {
  acts = new Acts();
  /** @type {Map<string, HTMLButtonElement>} */
  buttons = new Map(); // by site
  structure = "";
  adds = "";

  /** @param {Root} root */
  constructor(root) {
    dress(root);
    this.box = /** @type {HTMLElement} */ (root.querySelector(".switches"));
  }

  close() {
    this.acts.release();
    this.box.replaceChildren();
    this.structure = "";
  }

  /** @param {Data} data */
  show({ rows, adds }) {
    this.adds = adds;
    const structure = JSON.stringify(rows.map(({ label, parts }) => [label, parts.map(({ site }) => site)]));
    if (structure !== this.structure) this.build(rows);
    this.structure = structure;
    // Unconfirmed presses keep their state.
    const waiting = new Set(this.acts.pending.map(([, , site]) => site));
    for (const part of rows.flatMap(({ parts }) => parts)) if (!waiting.has(part.site)) this.mark(part.site, part.mark);
  }

  /** @param {Row[]} rows */
  build(rows) {
    this.buttons.clear();
    const lines = rows.map(({ label, parts }) => {
      const head = element("th", "small", label);
      head.scope = "row";
      const cells = parts.map((part) => {
        const made = button("part", element("span", "", part.label), () => this.press(part.site));
        made.setAttribute("aria-label", part.words);
        made.title = part.words;
        this.buttons.set(part.site, made);
        return made;
      });
      return element("tr", "", head, element("td", "", ...cells));
    });
    const table = element("table", "", element("caption", "unseen", "Parts of the model"), element("tbody", "", ...lines));
    this.box.replaceChildren(table);
  }

  /** @param {string} site */
  press(site) {
    const pressed = this.buttons.get(site)?.getAttribute("aria-pressed") === "true";
    this.mark(site, pressed ? "" : this.adds);
    this.acts.add("switch", site);
  }

  /** @param {string} site @param {string} mark */
  mark(site, mark) {
    const made = /** @type {HTMLButtonElement} */ (this.buttons.get(site));
    made.setAttribute("aria-pressed", `${mark !== ""}`);
    made.setAttribute("aria-description", mark);
    made.dataset.mark = mark;
  }
}
