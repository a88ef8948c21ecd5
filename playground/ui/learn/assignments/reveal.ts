// Scrolls to the top of what has replaced another part, where the reader would otherwise stay at its end.

import { calm } from "../../parts/styles.ts";
import { component } from "../../parts/component.ts";
import type { Call, Root } from "../../parts/component.ts";

type Shown = { shown: number };

export default component([], (root) => new Reveal(root), (built, { data }: Call<Shown>) => built.show(data));

class Reveal {
  host: HTMLElement;
  shown: number | null = null;

  constructor(root: Root) {
    this.host = root.host ?? root;
    this.host.style.scrollMarginTop = "6rem"; // the page's header covers the top
  }

  show({ shown }: Shown) {
    const other = this.shown !== null && this.shown !== shown;
    this.shown = shown;
    if (other && this.host.getBoundingClientRect().top < 0) this.host.scrollIntoView({ behavior: calm() ? "auto" : "smooth" });
  }

  close() {}
}
