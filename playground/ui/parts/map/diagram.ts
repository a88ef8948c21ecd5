// The architecture diagram: marks the current part; a click opens a part.

import diagramCss from "./diagram.css";
import { stylesOf } from "../styles.ts";
import { go } from "./follow.ts";
import { lit } from "../shown.ts";
import { hide, hideSoon, show } from "../tips.ts";
import { Views } from "../views.ts";
import type { Call, Root } from "../views.ts";
import type { Lit } from "../shown.ts";

const WAYS: Record<string, [number, number]> = { ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] };

type Data = { svg: string, action: string }; // the drawing, and what a click does

const dress = stylesOf(diagramCss);
const views = new Views((root) => build(root));

export default function ({ data, parentElement, setTriggerValue }: Call<Data>) {
  const { svg, action } = data;
  dress(parentElement);
  const picture = views.at(parentElement);
  picture.open = (part) => go({ part }) || setTriggerValue("part", part);
  picture.action = action;
  if (picture.svg !== svg) draw(picture, svg);
  picture.unwatch();
  picture.unwatch = lit.watch((now) => light(picture, now));
  return views.leave(parentElement);
}

/** `stop` is the part that is the tab stop. */
type Picture = { root: HTMLElement, parts: SVGElement[], stop: SVGElement | null, svg: string, action: string,
    open(part: string | undefined): void, unwatch(): void, close(): void };

function build(root: Root) {
  const closing = new AbortController();
  const picture: Picture = {
    root: root.querySelector(".picture") as HTMLElement,
    parts: [],
    stop: null,
    svg: "",
    action: "",
    open() {},
    unwatch() {},
    close() {
      closing.abort();
      picture.unwatch();
      picture.root.replaceChildren();
    },
  };
  listen(picture, closing.signal);
  return picture;
}

function draw(picture: Picture, svg: string) {
  const { activeElement } = picture.root.getRootNode() as Document | ShadowRoot;
  const focused = activeElement instanceof SVGElement && activeElement.dataset.part;
  picture.svg = svg;
  picture.root.innerHTML = svg;
  const drawing = picture.root.querySelector("svg");
  const title = drawing?.querySelector("title");
  if (!drawing || !title) throw new Error("The picture is no drawing with a title.");
  drawing.setAttribute("role", "group"); // an image would hide its parts from a screen reader
  drawing.setAttribute("aria-label", `${title.textContent}: parts, arrow keys move`);
  title.remove(); // otherwise the browser's tooltip would show beside ours
  picture.parts = [...drawing.querySelectorAll("[data-part]")] as SVGElement[];
  for (const part of picture.parts) {
    part.setAttribute("role", "button");
    for (const text of part.querySelectorAll("g, text, tspan")) text.after(" "); // separate lines by a space
    const written = part.textContent?.replace(/\s+/g, " ").trim();
    part.setAttribute("aria-label", `${part.dataset.name}: ${written}`); // the visible text must be in the name, for speech input
    part.setAttribute("aria-description", `${part.dataset.shape}. ${part.dataset.tip}`);
  }
  stop(picture, picture.parts.find((part) => part.dataset.part === focused) ?? picture.parts[0]);
  if (focused) picture.stop?.focus({ preventScroll: true });
}

// One part is the tab stop; arrow keys move between parts.
function stop(picture: Picture, part: SVGElement) {
  for (const one of picture.parts) one.setAttribute("tabindex", one === part ? "0" : "-1");
  picture.stop = part;
}

function light(picture: Picture, lit: Lit | null) {
  picture.root.querySelector("svg")?.classList.toggle("whole", Boolean(lit?.whole));
  for (const part of picture.parts) {
    const here = lit?.parts ? lit.parts.includes(part.dataset.part ?? "") : part.dataset.part === lit?.part;
    part.classList.toggle("lit", here);
    here ? part.setAttribute("aria-current", "step") : part.removeAttribute("aria-current");
    if (here && !picture.root.matches(":focus-within")) stop(picture, part);
  }
  for (const path of (picture.root.querySelectorAll("[data-along]") as NodeListOf<SVGElement>)) {
    const along = path.dataset.along === lit?.along;
    path.classList.toggle("along", along);
    path.classList.toggle("joined", along && Boolean(lit?.joined));
  }
  // One drawn layer stands for all: show which one is current.
  for (const layers of (picture.root.querySelectorAll("[data-stack]") as NodeListOf<SVGElement>)) {
    const times: SVGElement | null = layers.querySelector(".times");
    if (!times) continue;
    const all = (times.dataset.all ??= times.textContent ?? "");
    const here = layers.dataset.stack === lit?.stack;
    layers.classList.toggle("here", here);
    times.textContent = here ? all.replace("×", `layer ${lit?.layer} of`) : all;
  }
}

function listen(picture: Picture, signal: AbortSignal) {
  const { root } = picture;
  const on = <Type extends keyof HTMLElementEventMap>(type: Type, act: (event: HTMLElementEventMap[Type]) => void) =>
    root.addEventListener(type, act, { signal });
  const partOf: (event: Event) => SVGElement | null = ({ target }) => (target instanceof Element ? target.closest("[data-part]") : null);
  const tell = (part: SVGElement) => show(part, part.dataset.name, part.dataset.shape, part.dataset.tip, picture.action);
  on("pointerover", (event) => {
    const part = partOf(event);
    if (part && event.pointerType !== "touch") tell(part);
  });
  on("pointerout", (event) => partOf(event) && hideSoon());
  on("focusin", (event) => {
    const part = partOf(event);
    if (!part) return;
    stop(picture, part);
    if (part.matches(":focus-visible")) tell(part);
  });
  on("focusout", hide);
  on("click", (event) => {
    const part = partOf(event);
    if (part) picture.open(part.dataset.part);
  });
  on("keydown", (event) => {
    const part = partOf(event);
    if (!part || event.ctrlKey || event.altKey || event.metaKey) return;
    const towards = WAYS[event.key];
    if (!towards && event.key !== "Enter" && event.key !== " ") return;
    // The diagram handles arrow keys, not scrolling or shortcuts of the page.
    event.preventDefault();
    event.stopPropagation();
    if (!towards) return picture.open(part.dataset.part);
    nearest(picture.parts, part, towards)?.focus();
  });
}

// The nearest part within 45° of a direction.
function nearest(parts: SVGElement[], from: SVGElement, [dx, dy]: [number, number]) {
  const middle = (part: Element) => {
    const box = (part.querySelector(".box") ?? part).getBoundingClientRect();
    return [box.x + box.width / 2, box.y + box.height / 2];
  };
  const [x, y] = middle(from);
  let best: { part: SVGElement, far: number } | null = null;
  for (const part of parts) {
    const [px, py] = middle(part);
    const ahead = (px - x) * dx + (py - y) * dy;
    const aside = Math.abs((px - x) * dy) + Math.abs((py - y) * dx);
    if (part === from || ahead <= aside) continue;
    const far = ahead + 2 * aside;
    if (far < (best?.far ?? Infinity)) best = { part, far };
  }
  return best?.part;
}
