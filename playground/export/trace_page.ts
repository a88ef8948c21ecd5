// The page of a traced pass, which stands alone and needs no network.

import { PassView } from "./traced_pass.ts";
import type { Pass } from "./traced_pass.ts";

const from = Number(new URLSearchParams(location.hash.slice(1)).get("operation")) || 1;
const keep = (at: number) => history.replaceState(null, "", `#operation=${at + 1}`);
const view = new PassView(JSON.parse(document.getElementById("pass")!.textContent!) as Pass, document.body, from - 1, keep, true);

matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => view.draw());
addEventListener("keydown", (event) => {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.target instanceof HTMLSelectElement || event.target instanceof HTMLInputElement) return;
  if (["ArrowRight", "n"].includes(event.key)) view.go(view.at + 1);
  else if (["ArrowLeft", "p"].includes(event.key)) view.go(view.at - 1);
  else if (event.key === "g") view.turn();
  else return;
  event.preventDefault();
});
