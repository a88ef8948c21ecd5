// Buttons for the heads, sublayers and position table of a model: a press adds a change or removes it.

import pageCss from "../parts/page.css";
import baseCss from "../parts/base.css";
import switchesCss from "./switches.css";
import { Acts } from "../parts/acts.ts";
import { stylesOf } from "../parts/styles.ts";
import { Views } from "../parts/views.ts";
import { button, element } from "../parts/words.ts";
import type { Call, Root } from "../parts/views.ts";

const dress = stylesOf(pageCss, baseCss, switchesCss);
const views = new Views((root) => new View(root));

/** A part of the model and its change; "" if there is none. */
type Part = { site: string, label: string, words: string, mark: string };
type Row = { label: string, parts: Part[] };
type Data = { rows: Row[], adds: string, session: string, heard: number };

export default function ({ data, parentElement, setStateValue }: Call<Data>) {
  const view = views.at(parentElement);
  view.acts.adopt(data, (message) => setStateValue("acts", message));
  view.show(data);
  return views.leave(parentElement);
}

class View {
  box: HTMLElement;
  acts = new Acts();
  buttons: Map<string, HTMLButtonElement> = new Map(); // by site
  structure = "";
  adds = "";

  constructor(root: Root) {
    dress(root);
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

  press(site: string) {
    const pressed = this.buttons.get(site)?.getAttribute("aria-pressed") === "true";
    this.mark(site, pressed ? "" : this.adds);
    this.acts.add("switch", site);
  }

  mark(site: string, mark: string) {
    const made = this.buttons.get(site) as HTMLButtonElement;
    made.setAttribute("aria-pressed", `${mark !== ""}`);
    made.setAttribute("aria-description", mark);
    made.dataset.mark = mark;
  }
}
