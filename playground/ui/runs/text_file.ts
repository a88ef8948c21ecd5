// A button that reads a text file and sends its bytes; the server validates them.

import baseCss from "../parts/base.css";
import { component } from "../parts/component.ts";
import { button, chooser } from "../parts/words.ts";
import type { Call, Root } from "../parts/component.ts";

export default component([baseCss], (root) => new TextFile(root), (file, { data, setTriggerValue }: Call<{ most: number }>) => {
  file.most = data.most;
  file.send = (chosen) => setTriggerValue("file", chosen);
});

class TextFile {
  most = 0;
  send: (file: { size: number, content: string }) => void = () => {};

  constructor(root: Root) {
    const input = chooser(".txt,text/plain", ([file]) => file && this.read(file));
    input.ariaLabel = "Text file";
    root.querySelector(".text-file")?.append(button("", "Use a .txt file", () => input.click()), input);
  }

  close() {}

  read(file: File) {
    if (file.size > this.most) return this.send({ size: file.size, content: "" });
    const reader = new FileReader();
    reader.addEventListener("load", () => {
      const [, content = ""] = String(reader.result).split(",", 2);
      this.send({ size: file.size, content });
    });
    reader.readAsDataURL(file);
  }
}
