// Keeps the dock of pushes and pulls above the bar of the selected card, whatever its position and height.

import { keyed } from "../parts/streamlit_dom.ts";

const GAP = 14; // pixels
const root = document.documentElement;
const sizes = new ResizeObserver(later);
const page = new MutationObserver(later);
let host: Element | null = null; // element that contains the bar
let watched: (HTMLElement | null)[] = [];
let asked = 0;

export function keepClear(of: Element) {
  if (host !== of) {
    host = of;
    page.observe(document.body, { childList: true, subtree: true });
    addEventListener("scroll", later, { capture: true, passive: true });
    addEventListener("resize", later);
  }
  later();
}

function later() {
  asked ||= requestAnimationFrame(place);
}

function place() {
  asked = 0;
  if (!host?.isConnected) return leave();
  const parts: (HTMLElement | null)[] = [keyed("card-actions"), keyed("dock")].map((selector) => document.querySelector(selector));
  if (parts.some((part, at) => part !== watched[at])) {
    sizes.disconnect();
    for (const part of parts) if (part) sizes.observe(part);
    watched = parts;
  }
  const [bar, corner] = parts;
  if (!bar || !corner) return root.style.removeProperty("--corner");
  const { top, bottom } = bar.getBoundingClientRect();
  const fits = innerHeight - bottom >= corner.offsetHeight + 2 * GAP;
  root.style.setProperty("--corner", `${Math.round(fits ? GAP : Math.max(GAP, innerHeight - top + GAP / 2))}px`);
}

function leave() {
  host = null;
  watched = [];
  page.disconnect();
  sizes.disconnect();
  removeEventListener("scroll", later, { capture: true });
  removeEventListener("resize", later);
  root.style.removeProperty("--corner");
}
