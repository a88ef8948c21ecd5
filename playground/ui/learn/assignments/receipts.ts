// Receipts to grade: chosen, or dropped anywhere on the page, and sent in one request. The server validates them.

import baseCss from "../../parts/base.css";
import codeFileCss from "../../parts/code/code_file.css";
import { component } from "../../parts/component.ts";
import { button, chooser, element, write } from "../../parts/words.ts";
import type { Call, Root } from "../../parts/component.ts";

/** Maximum number of files, their bytes together and of each; the sentence for more. */
type Allowed = { files: number, bytes: number, each: number, tooMany: string };

export default component([baseCss, codeFileCss], (root) => new Receipts(root), (receipts, { data, setTriggerValue }: Call<Allowed>) => {
  receipts.allowed = data;
  receipts.tell = (batch) => setTriggerValue("batch", batch);
});

class Receipts {
  allowed!: Allowed;
  tell!: (batch: string) => void;
  ended = new AbortController();
  input = chooser(".json,.zip", (files) => this.take(files));
  choose = button("", "Choose receipts", () => this.input.click());
  state = element("span", "soft", { role: "status" });
  zone: HTMLDivElement;

  constructor(root: Root) {
    this.input.multiple = true;
    this.input.ariaLabel = "Receipts";
    this.zone = element("div", "zone wrap large", this.choose, this.input, this.state);
    root.querySelector(".receipts")?.replaceChildren(this.zone);
    this.say("or drop them on this page, also as a .zip");
    for (const kind of (["dragenter", "dragover", "dragleave", "drop"] as const)) {
      addEventListener(kind, (event) => this.drag(event), { capture: true, signal: this.ended.signal });
    }
  }

  say(text: string) {
    write(this.state, text);
  }

  drag(event: DragEvent) {
    if (![...(event.dataTransfer?.types ?? [])].includes("Files")) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    this.zone.classList.toggle("over", event.type === "dragenter" || event.type === "dragover");
    if (event.type === "drop") this.take([...(event.dataTransfer?.files ?? [])]);
  }

  async take(files: File[]) {
    if (!files.length || this.choose.disabled) return;
    const { each, bytes, tooMany } = this.allowed;
    const parts = files.map((file) => /\.zip$/i.test(file.name) ? file : file.slice(0, each + 1));
    const total = parts.reduce((sum, { size }) => sum + size, 0);
    if (files.length > this.allowed.files || total > bytes) return this.say(tooMany);
    const head = JSON.stringify(files.map(({ name }, index) => [name.slice(0, 300), parts[index].size]));
    this.choose.disabled = true;
    this.say(`Sending ${files.length} ${files.length === 1 ? "file" : "files"} …`);
    try {
      const body = new Blob([head, "\n", ...parts]);
      const response = await fetch(new URL("./receipts", document.baseURI), { method: "POST", body });
      const { batch, problem } = (await response.json()) as { batch?: string, problem?: string };
      this.say(batch ? "or drop more of them on this page" : problem || "The server refused the files. Try again.");
      if (batch) this.tell(batch);
    } catch {
      this.say("The files did not reach the server. Check your connection and try again.");
    } finally {
      this.choose.disabled = false;
    }
  }

  close() {
    this.ended.abort();
  }
}
