// A file of code: chosen, or dropped anywhere on the page. checkpoints/drop.ts handles other dropped files.

import baseCss from "../base.css";
import codeFileCss from "./code_file.css";
import { component } from "../component.ts";
import { button, chooser, element, write } from "../words.ts";
import type { Call, Root } from "../component.ts";

const NOTEBOOK_BYTES = 50_000_000;  // with its outputs, which stay here

/** Maximum size in bytes, and how the name may end. */
type Allowed = { most: number, endings: string[] };
type Chosen = { name: string, text: string } | { problem: "large" | "binary" | "other" };

export default component([baseCss, codeFileCss], (root) => new CodeFile(root), (file, { data, setTriggerValue }: Call<Allowed>) => {
  file.allow(data);
  file.tell = (chosen) => setTriggerValue("chosen", chosen);
});

class CodeFile {
  zone: HTMLDivElement;
  input = chooser("", (files) => this.take(files));
  choose = button("", "", () => this.input.click());
  allowed: Allowed = { most: 0, endings: [] };
  tell!: (chosen: Chosen) => void;
  ended = new AbortController();

  constructor(root: Root) {
    this.zone = element("div", "zone wrap large", this.choose, this.input, element("span", "soft", "or drop it on this page"));
    root.querySelector(".code-file")?.replaceChildren(this.zone);
    for (const kind of (["dragenter", "dragover", "dragleave", "drop"] as const)) {
      const options = { capture: true, signal: this.ended.signal };
      addEventListener(kind, (event) => this.drag(event), options);
    }
  }

  allow(allowed: Allowed) {
    this.allowed = allowed;
    this.input.accept = allowed.endings.join(",");
    write(this.choose, `Choose a ${allowed.endings.join(" or ")} file`);
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
    if (!this.allowed.endings.some((ending) => file.name.toLowerCase().endsWith(ending))) return this.tell({ problem: "other" });
    const isNotebook = /\.ipynb$/i.test(file.name);
    if (file.size > (isNotebook ? NOTEBOOK_BYTES : this.allowed.most)) return this.tell({ problem: "large" });
    try {
      const bytes = await file.arrayBuffer();
      const whole = new TextDecoder(isNotebook ? "utf-8" : encoding(bytes), { fatal: true }).decode(bytes);
      const text = isNotebook ? withoutOutputs(whole) : whole;
      this.tell(text.length > this.allowed.most ? { problem: "large" } : { name: file.name, text });
    } catch {
      this.tell({ problem: "binary" });
    }
  }

  close() {
    this.ended.abort();
  }
}

/** A notebook with its code alone; the text as it is if it is none, which the server says. */
function withoutOutputs(text: string) {
  try {
    const cells = (JSON.parse(text) as { cells: { cell_type: string, source: unknown }[] }).cells.filter((cell) => cell.cell_type === "code");
    return JSON.stringify({ cells: cells.map(({ cell_type, source }) => ({ cell_type, source })) });
  } catch {
    return text;
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
