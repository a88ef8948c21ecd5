// A pass of one's own code, as trace_page.ts draws it, with the keys of the page.

import baseCss from "../parts/base.css";
import passCss from "../../export/traced_pass.css";
import ownPassCss from "./own_pass.css";
import { ask } from "../parts/ask.ts";
import { component } from "../parts/component.ts";
import { free, nameOf } from "../parts/shortcuts.ts";
import { element } from "../parts/words.ts";
import { PassView, zoom } from "../../export/traced_pass.ts";
import type { Call, Root } from "../parts/component.ts";
import type { Pass } from "../../export/traced_pass.ts";

const PATIENCE = 120_000; // milliseconds: a pass can have 100 MB
const last = { name: "", at: 0 }; // the operation shown last, also after another page

export default component([baseCss, passCss, ownPassCss], (root) => new OwnPass(root), (own, { data }: Call<{ pass: string }>) => own.show(data.pass));

class OwnPass {
  box: HTMLElement;
  name = "";
  view: PassView | null = null;
  ended = new AbortController();
  zoom = zoom();
  sizes = new ResizeObserver(() => {
    if (this.zoom === zoom()) return;
    this.zoom = zoom();
    this.view?.draw();
  });

  constructor(root: Root) {
    this.box = element("div", "traced");
    root.append(this.box);
    this.sizes.observe(this.box);
    document.addEventListener("keydown", (event) => this.key(event), { signal: this.ended.signal });
  }

  async show(name: string) {
    if (name === this.name) return this.view?.draw(); // perhaps in another theme
    this.name = name;
    this.view = null;
    this.box.replaceChildren(element("p", "hint", "Loading ..."));
    const pass = await read(name, () => this.name === name);
    if (this.name !== name) return;
    if (last.name !== name) Object.assign(last, { name, at: 0 });
    this.box.replaceChildren();
    try {
      if (typeof pass === "string") throw pass;
      this.view = new PassView(pass, this.box, last.at, (at) => (last.at = at), false);
    } catch (problem) {
      const text = typeof problem === "string" ? problem : "This pass can't be drawn. Trace your code again.";
      this.box.replaceChildren(element("p", "hint", text));
    }
  }

  key(event: KeyboardEvent) {
    if (!this.view || !this.box.isConnected || !free(event)) return;
    const key = nameOf(event);
    if (key === "ArrowRight" || key === "PageDown") this.view.go(this.view.at + 1);
    else if (key === "ArrowLeft" || key === "PageUp") this.view.go(this.view.at - 1);
    else if (key === "g" && !event.repeat) this.view.turn();
    else return;
    event.preventDefault();
  }

  close() {
    this.ended.abort();
    this.sizes.disconnect();
    this.name = "";
    this.view = null;
    this.box.remove();
  }
}

/** The pass, or why there is none. */
async function read(name: string, wanted: () => boolean): Promise<Pass | string> {
  try {
    const answer = await ask(new URL(`./own-pass/${encodeURIComponent(name)}`, document.baseURI), PATIENCE, wanted);
    return answer.ok ? await answer.json() : await answer.text();
  } catch {
    return "Server not responding. Reload the page.";
  }
}
