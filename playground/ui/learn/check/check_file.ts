// A Python file to check: chosen, or dropped anywhere on the page. checkpoints/drop.ts handles other dropped files.

import baseCss from "../../parts/base.css";
import checkFileCss from "./check_file.css";
import { component } from "../../parts/component.ts";
import { button, chooser, element } from "../../parts/words.ts";
import type { Call, Root } from "../../parts/component.ts";

type Chosen = { text: string } | { problem: "large" | "binary" | "other" };

export default component([baseCss, checkFileCss], (root) => new CheckFile(root), (file, { data, setTriggerValue }: Call<{ most: number }>) => {
  file.most = data.most;
  file.tell = (chosen) => setTriggerValue("chosen", chosen);
});

class CheckFile {
  zone: HTMLDivElement;
  most = 0; // bytes
  tell!: (chosen: Chosen) => void;
  ended = new AbortController();

  constructor(root: Root) {
    const input = chooser(".py", (files) => this.take(files));
    const choose = button("", "Choose a .py file", () => input.click());
    this.zone = element("div", "zone wrap large", choose, input, element("span", "soft", "or drop it on this page"));
    root.querySelector(".check-file")?.replaceChildren(this.zone);
    for (const kind of (["dragenter", "dragover", "dragleave", "drop"] as const)) {
      const options = { capture: true, signal: this.ended.signal };
      addEventListener(kind, (event) => this.drag(event), options);
    }
  }

  drag(event: DragEvent) {
    const held = [...(event.dataTransfer?.items ?? [])].filter(({ kind }) => kind === "file");
    if (held.length !== 1 || /zip/.test(held[0].type)) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    this.zone.classList.toggle("over", event.type === "dragenter" || event.type === "dragover");
    if (event.type === "drop") this.take([...(event.dataTransfer?.files ?? [])]);
  }

  async take([file]: File[]) {
    if (!file) return;
    if (!/\.py$/i.test(file.name)) return this.tell({ problem: "other" });
    if (file.size > this.most) return this.tell({ problem: "large" });
    try {
      const bytes = await file.arrayBuffer();
      this.tell({ text: new TextDecoder(encoding(bytes), { fatal: true }).decode(bytes) });
    } catch {
      this.tell({ problem: "binary" });
    }
  }

  close() {
    this.ended.abort();
  }
}

/** The encoding that Python reads a file in: that of the cookie in its first two lines, or UTF-8. */
function encoding(bytes: ArrayBuffer) {
  const lines = new TextDecoder("latin1").decode(bytes.slice(0, 1000)).split(/\r\n?|\n/, 2);
  for (const line of lines) {
    const cookie = /^[ \t\f]*#.*?coding[:=][ \t]*([-\w.]+)/.exec(line);
    if (cookie) return cookie[1].toLowerCase().replaceAll("_", "-").replace(/^(iso-)?latin-1$/, "latin1");
  }
  return "utf-8";
}
