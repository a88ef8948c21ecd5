// Buttons for the heads, sublayers and position table of a model: a press adds a change or removes it.

import pageCss from "../parts/page.css";
import baseCss from "../parts/base.css";
import switchesCss from "./switches.css";
import { Acts } from "../parts/acts.ts";
import { component } from "../parts/component.ts";
import { button, element } from "../parts/words.ts";
import type { Call, Root } from "../parts/component.ts";

/** A part of the model and its change; "" if there is none. */
type Part = { site: string, label: string, words: string, mark: string };
type Row = { label: string, parts: Part[] };
type Data = { rows: Row[], adds: string, session: string, heard: number };

export default component([pageCss, baseCss, switchesCss], (root) => new Switches(root), (switches, { data, setStateValue }: Call<Data>) => {
  switches.acts.adopt(data, (message) => setStateValue("acts", message));
  switches.show(data);
});

class Switches {
  box: HTMLElement;
  acts = new Acts();
  buttons: Map<string, HTMLButtonElement> = new Map(); // by site
  structure = "";
  adds = "";

  constructor(root: Root) {
    this.box = root.querySelector(".switches") as HTMLElement;
  }

  close() {
    this.acts.release();
    this.box.replaceChildren();
    this.structure = "";
  }

  show({ rows, adds }: Data) {
    this.adds = adds;
    const structure = JSON.stringify(rows.map(({ label, parts }) => [label, parts.map(({ site }) => site)]));
    if (structure !== this.structure) this.build(rows);
    this.structure = structure;
    // Unconfirmed presses keep their state.
    const waiting = new Set(this.acts.pending.map(([, , site]) => site));
    for (const part of rows.flatMap(({ parts }) => parts)) if (!waiting.has(part.site)) this.mark(part.site, part.mark);
  }

  build(rows: Row[]) {
    this.buttons.clear();
    const lines = rows.map(({ label, parts }) => {
      const head = element("th", "small", label, { scope: "row" });
      const cells = parts.map((part) => {
        const name = { ariaLabel: part.words, title: part.words };
        const made = button("part", element("span", "", part.label), () => this.press(part.site), name);
        this.buttons.set(part.site, made);
        return made;
      });
      return element("tr", "", head, element("td", "", ...cells));
    });
    const table = element("table", "", element("caption", "unseen", "Parts of the model"), element("tbody", "", ...lines));
    this.box.replaceChildren(table);
  }

  press(site: string) {
    const pressed = this.buttons.get(site)?.getAttribute("aria-pressed") === "true";
    this.mark(site, pressed ? "" : this.adds);
    this.acts.add("switch", site);
  }

  mark(site: string, mark: string) {
    const made = this.buttons.get(site) as HTMLButtonElement;
    made.ariaPressed = `${mark !== ""}`;
    made.setAttribute("aria-description", mark);
    made.dataset.mark = mark;
  }
}
