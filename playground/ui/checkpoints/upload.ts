// Uploads a checkpoint file, with its progress at the bottom of the page.

import { button, element } from "../parts/words.ts";

const SHOWN = 6000; // milliseconds that a message of success stays

const face = makeFace();
let busy = false;

// Resolves to the checkpoint's name in the library, or to null after an error message.
export async function upload(file: File, most: number) {
  if (busy) return null;
  const problem = wrong(file, most);
  if (problem) return say(problem, true);
  busy = true;
  say(`Uploading ${file.name}`);
  try {
    const { name, message, problem: refused } = await send(file);
    if (!name) return say(refused || "The server refused the file. Try again.", true);
    say(message ?? "");
    setTimeout(() => face.text.textContent === message && hide(), SHOWN);
    return name;
  } catch {
    return say("The file did not reach the server. Check your connection and try again.", true);
  } finally {
    busy = false;
    face.bar.hidden = true;
  }
}

export function say(text: string, bad = false) {
  face.text.textContent = text;
  face.node.classList.toggle("wrong", bad);
  face.node.hidden = false;
  face.close.hidden = !bad;
  return null;
}

function wrong({ name, size }: File, most: number) {
  if (!/\.zip$/i.test(name)) return `${name} isn't a checkpoint. Choose a .zip made by Download.`;
  if (size > most) return `${name} is too large. A checkpoint has at most ${Math.round(most / 1e6)} MB.`;
  return "";
}

// XMLHttpRequest, because fetch reports no upload progress.
function send(file: File) {
  return new Promise<{ name?: string, message?: string, problem?: string }>((done, failed) => {
    const request = new XMLHttpRequest();
    const query = new URLSearchParams({ name: file.name });
    request.open("POST", new URL(`./checkpoint?${query}`, document.baseURI));
    request.responseType = "json";
    request.upload.onprogress = ({ loaded, total, lengthComputable }) => {
      face.bar.hidden = !lengthComputable;
      if (lengthComputable) face.bar.value = loaded / total;
    };
    request.onload = () => done(request.response ?? {});
    request.onerror = request.ontimeout = request.onabort = failed;
    request.send(file);
  });
}

function hide() {
  face.node.hidden = true;
}

function makeFace() {
  const text = element("span");
  const bar = element("progress", "", { max: 1, value: 0, hidden: true });
  const close = button("", "Close", hide);
  const node = element("div", "playground-upload", text, bar, close, { hidden: true, role: "status" });
  addEventListener("keydown", (event) => event.key === "Escape" && !close.hidden && hide());
  document.body.append(node);
  return { node, text, bar, close };
}
