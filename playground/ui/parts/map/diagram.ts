// The architecture diagram: marks the current part; a click opens a part.

import diagramCss from "./diagram.css";
import { claim } from "../shortcuts.ts";
import { go } from "./follow.ts";
import { lit } from "../shown.ts";
import { hide, hideSoon, show } from "../tips.ts";
import { component } from "../component.ts";
import type { Call, Root } from "../component.ts";
import type { Lit } from "../shown.ts";

const WAYS: Record<string, [number, number]> = { ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] };

type Data = { svg: string, action: string }; // the drawing, and what a click does

export default component([diagramCss], (root) => new Picture(root), (picture, { data: { svg, action }, setTriggerValue }: Call<Data>) => {
  picture.open = (part) => go({ part }) || setTriggerValue("part", part);
  picture.action = action;
  if (picture.svg !== svg) picture.draw(svg);
  picture.unwatch();
  picture.unwatch = lit.watch((now) => picture.light(now));
});

class Picture {
  root: HTMLElement;
  parts: SVGElement[] = [];
  stop: SVGElement | null = null; // the part that is the tab stop
  svg = "";
  action = "";
  open: (part: string | undefined) => void = () => {};
  unwatch = () => {};
  closing = new AbortController();

  constructor(root: Root) {
    this.root = root.querySelector(".picture") as HTMLElement;
    this.listen();
  }

  close() {
    this.closing.abort();
    this.unwatch();
    this.root.replaceChildren();
  }

  draw(svg: string) {
    const { activeElement } = this.root.getRootNode() as Document | ShadowRoot;
    const focused = activeElement instanceof SVGElement && activeElement.dataset.part;
    this.svg = svg;
    this.root.innerHTML = svg;
    const drawing = this.root.querySelector("svg");
    const title = drawing?.querySelector("title");
    if (!drawing || !title) throw new Error("The picture is no drawing with a title.");
    // An image would hide its parts from a screen reader.
    Object.assign(drawing, { role: "group", ariaLabel: `${title.textContent}: parts, arrow keys move` });
    title.remove(); // otherwise the browser's tooltip would show beside ours
    this.parts = [...drawing.querySelectorAll("[data-part]")] as SVGElement[];
    for (const part of this.parts) {
      for (const text of part.querySelectorAll("g, text, tspan")) text.after(" "); // separate lines by a space
      const written = part.textContent?.replace(/\s+/g, " ").trim();
      // The visible text must be in the name, for speech input.
      Object.assign(part, { role: "button", ariaLabel: `${part.dataset.name}: ${written}` });
      part.setAttribute("aria-description", `${part.dataset.shape}. ${part.dataset.tip}`);
    }
    this.setStop(this.parts.find((part) => part.dataset.part === focused) ?? this.parts[0]);
    if (focused) this.stop?.focus({ preventScroll: true });
  }

  // One part is the tab stop; arrow keys move between parts.
  setStop(part: SVGElement) {
    for (const one of this.parts) one.setAttribute("tabindex", one === part ? "0" : "-1");
    this.stop = part;
  }

  light(lit: Lit | null) {
    this.root.querySelector("svg")?.classList.toggle("whole", Boolean(lit?.whole));
    for (const part of this.parts) {
      const here = lit?.parts ? lit.parts.includes(part.dataset.part ?? "") : part.dataset.part === lit?.part;
      part.classList.toggle("lit", here);
      part.ariaCurrent = here ? "step" : null;
      if (here && !this.root.matches(":focus-within")) this.setStop(part);
    }
    for (const path of this.root.querySelectorAll<SVGElement>("[data-along]")) {
      const along = path.dataset.along === lit?.along;
      path.classList.toggle("along", along);
      path.classList.toggle("joined", along && Boolean(lit?.joined));
    }
    // One drawn layer stands for all: show which one is current.
    for (const layers of this.root.querySelectorAll<SVGElement>("[data-stack]")) {
      const times = layers.querySelector<SVGElement>(".times");
      if (!times) continue;
      const all = (times.dataset.all ??= times.textContent ?? "");
      const here = layers.dataset.stack === lit?.stack;
      layers.classList.toggle("here", here);
      times.textContent = here ? all.replace("×", `layer ${lit?.layer} of`) : all;
    }
  }

  listen() {
    const { signal } = this.closing;
    // `act` gets the part of an event, if it is on one.
    const on = <Type extends keyof HTMLElementEventMap>(type: Type, act: (part: SVGElement, event: HTMLElementEventMap[Type]) => void) =>
      this.root.addEventListener(type, (event) => {
        const part = event.target instanceof Element && event.target.closest<SVGElement>("[data-part]");
        if (part) act(part, event);
      }, { signal });
    const tell = (part: SVGElement) => show(part, part.dataset.name, part.dataset.shape, part.dataset.tip, this.action);
    on("pointerover", (part, event) => event.pointerType !== "touch" && tell(part));
    on("pointerout", hideSoon);
    on("focusin", (part) => {
      this.setStop(part);
      if (part.matches(":focus-visible")) tell(part);
    });
    on("focusout", hide);
    on("click", (part) => this.open(part.dataset.part));
    on("keydown", (part, event) => {
      if (event.ctrlKey || event.altKey || event.metaKey) return;
      const towards = WAYS[event.key];
      if (!towards && event.key !== "Enter" && event.key !== " ") return;
      claim(event);
      if (!towards) return this.open(part.dataset.part);
      nearest(this.parts, part, towards)?.focus();
    });
  }
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
