// A text to copy, such as a link: a field that can be read and selected, and a button.

import baseCss from "../../parts/base.css";
import copiedTextCss from "./copied_text.css";
import { component } from "../../parts/component.ts";
import { button, element, write } from "../../parts/words.ts";
import type { Call, Root } from "../../parts/component.ts";

type Shown = { label: string, action: string, text: string, large: boolean };

export default component([baseCss, copiedTextCss], (root) => new CopiedText(root), (shown, { data }: Call<Shown>) => shown.show(data));

class CopiedText {
  field = element("textarea", "", { readOnly: true, rows: 1 });
  act = button("", "", () => this.copy());
  state = element("span", "soft", { role: "status" });
  box = element("div", "box", this.field, element("div", "wrap large", this.act, this.state));

  constructor(root: Root) {
    root.querySelector(".copied-text")?.replaceChildren(this.box);
    this.field.addEventListener("focus", () => this.field.select());
  }

  show({ label, action, text, large }: Shown) {
    if (this.field.value !== text) write(this.state, "");
    this.field.ariaLabel = label;
    this.field.value = text;
    this.field.rows = Math.min(8, Math.ceil(text.length / 44)) || 1;
    this.box.classList.toggle("short", large);
    write(this.act, action);
  }

  async copy() {
    try {
      await navigator.clipboard.writeText(this.field.value);
      write(this.state, "Copied.");
    } catch { // a page without access to it, such as one over plain http
      this.field.select();
      write(this.state, "Press Ctrl+C to copy.");
    }
  }

  close() {}
}
