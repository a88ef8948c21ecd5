// A file can be dropped anywhere on any page: it is sent, loaded, and opened in Step through.

import { say, upload } from "./upload.ts";
import { element } from "../parts/words.ts";
import type { Call } from "../parts/component.ts";

const veil = makeVeil();
let page: { most: number, kept(name: string): void } | null = null; // data from the page, and the callback to it
let depth = 0; // number of nested nodes below the dragged file

export default function ({ data, setTriggerValue }: Call<{ most: number }>) {
  page = { ...data, kept: (name) => setTriggerValue("kept", name) };
}

function holdsFiles(event: DragEvent) {
  return page && [...(event.dataTransfer?.types ?? [])].includes("Files");
}

function hover(by: number) {
  return (event: DragEvent) => {
    if (!holdsFiles(event)) return;
    event.preventDefault();
    depth = Math.max(0, depth + by);
    veil.hidden = depth === 0;
  };
}

addEventListener("dragenter", hover(1));
addEventListener("dragleave", hover(-1));
addEventListener("dragover", (event) => holdsFiles(event) && event.preventDefault());
addEventListener("drop", async (event) => {
  if (!holdsFiles(event)) return;
  event.preventDefault();
  depth = 0;
  veil.hidden = true;
  const files = [...(event.dataTransfer?.files ?? [])];
  if (!page || files.length !== 1) return say("Drop only one file.", true);
  const name = await upload(files[0], page.most);
  if (name) page.kept(name);
});

function makeVeil() {
  const zone = element("div", "zone", element("strong", "", "Drop to load"), element("span", "", "a checkpoint as a .zip"));
  const node = element("div", "playground-drop", zone, { hidden: true });
  document.body.append(node);
  return node;
}
