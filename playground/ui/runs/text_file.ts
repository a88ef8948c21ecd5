// A button that reads a text file and sends its bytes; the server validates them.

import baseCss from "../parts/base.css";
import textFileCss from "./text_file.css";
import { stylesOf } from "../parts/styles.ts";
import { Views } from "../parts/views.ts";
import { button, element } from "../parts/words.ts";
import type { Call, Root } from "../parts/views.ts";

const dress = stylesOf(baseCss, textFileCss);
const views = new Views((root) => new View(root));

export default function ({ data, parentElement, setTriggerValue }: Call<{ most: number }>) {
  const view = views.at(parentElement);
  view.most = data.most;
  view.send = (file) => setTriggerValue("file", file);
  return views.leave(parentElement);
}

class View {
  most = 0;
  send: (file: { size: number, content: string }) => void = () => {};

  constructor(root: Root) {
    dress(root);
    const input = element("input");
    input.type = "file";
    input.accept = ".txt,text/plain";
    input.hidden = true;
    input.setAttribute("aria-label", "Text file");
    input.addEventListener("change", () => {
      const file = input.files?.[0];
      input.value = ""; // allow choosing the same file again
      if (file) this.read(file);
    });
    root.querySelector(".text-file")?.append(button("choose", "Use a .txt file", () => input.click()), input);
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
