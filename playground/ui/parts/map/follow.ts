// The current operation: breadcrumbs, marks in diagram and outline, clicks and keys.
// These are drawn once; the component that is drawn at each step updates them by `follow`.

import { Acts } from "../acts.ts";
import { calm, mapSheets } from "../styles.ts";
import { free, nameOf } from "../shortcuts.ts";
import { BLOCK } from "../streamlit_dom.ts";
import { component } from "../component.ts";
import { arrange, button, element, write } from "../words.ts";
import { lit, siblings, walk } from "../shown.ts";
import type { Walk } from "../shown.ts";
import type { Call, Root } from "../component.ts";

const PHONE_WIDTH = 640;
const KEYS: Record<string, [action: string, by: number]> = {
  ArrowRight: ["operation", 1],
  ArrowLeft: ["operation", -1],
  PageDown: ["operation", 1],
  PageUp: ["operation", -1],
  "Shift+ArrowRight": ["sublayer", 1],
  "Shift+ArrowLeft": ["sublayer", -1],
  ".": ["time", 1],
  ",": ["time", -1],
  g: ["gradient", 1],
};

/** The current operation as the server sends it, with the acts that it has carried out. */
export type Way = Walk & { session: string, heard: number };
type Where = { part?: string, name?: string, ends?: boolean }; // the last: the short tour ends

const acts = new Acts();
let bar: Bar | null = null; // the newest

export default component(mapSheets, (root) => new Bar(root), (built) => (bar = built));

/** Shows the current operation for `owner`, what a component has drawn, which receives keys and clicks as acts. */
export function follow(owner: object, way: Way, { parentElement, setStateValue }: Omit<Call<unknown>, "data">) {
  walk.set(owner, { ...way, host: parentElement.host ?? parentElement });
  acts.adopt(way, (message) => setStateValue("acts", message));
  lit.set(owner, way);
}

export function unfollow(owner: object) {
  lit.set(owner, null);
  if (walk.set(owner, null)) acts.release();
}

// Components of a previous page, until they are removed, get no events.
function isPresent() {
  return Boolean(walk.value?.host.isConnected);
}

/** Opens a part of the diagram or an operation; false if this page has no pass. On a phone it `scrolls` there. */
export function go(where: Where, scrolls = true) {
  if (!isPresent()) return false;
  acts.add("go", "", where);
  // On a phone, diagram and outline are below the tensors.
  if (scrolls && innerWidth < PHONE_WIDTH) bar?.host.scrollIntoView({ behavior: calm() ? "auto" : "smooth" });
  return true;
}

// ---- keys

document.addEventListener("keydown", (event) => {
  if (!isPresent() || !free(event)) return;
  const [action, by] = KEYS[nameOf(event)] ?? [];
  if (!action) return;
  const ends = action === "operation" && (by > 0 ? walk.value?.last : walk.value?.first);
  if (ends && document.documentElement.hasAttribute("data-present")) return; // the presenter view turns to another page
  event.preventDefault();
  if (!event.repeat || action !== "gradient") acts.add(action, "", by);
});

// ---- breadcrumbs

class Bar {
  host: HTMLElement;
  list = element("ol", "wrap");
  menu = element("div", "menu", { role: "menu", popover: "auto" });
  nav = element("nav", "crumbs", this.list, this.menu, { ariaLabel: "Path of this operation" });
  tour = element("nav", "tour wrap", { ariaLabel: "Short tour" });
  sentence = element("p", "tour-sentence", { role: "status" });
  unwatch: () => void;

  constructor(root: Root) {
    this.host = root.host ?? root;
    this.host.style.scrollMarginTop = "4.5rem"; // the page's header covers the top
    root.append(this.tour, this.sentence, this.nav);
    this.listen();
    this.unwatch = walk.watch((now) => now && this.draw(now));
  }

  close() {
    this.tour.remove();
    this.sentence.remove();
    this.nav.remove();
    if (bar === this) bar = null;
    this.unwatch();
  }

  listen() {
    const { list, menu } = this;
    const buttonOf = (event: Event) => (event.target as Element).closest("button");
    const focused = () => (menu.getRootNode() as Document | ShadowRoot).activeElement;
    list.addEventListener("click", (event) => {
      const crumb = buttonOf(event);
      if (!crumb) return;
      if (crumb === list.lastElementChild?.firstElementChild) this.openMenu(crumb);
      else go({ name: crumb.value });
    });
    menu.addEventListener("click", (event) => {
      const item = buttonOf(event);
      if (!item) return;
      menu.hidePopover();
      go({ name: item.value });
    });
    menu.addEventListener("keydown", (event) => {
      const items = [...menu.querySelectorAll("button")];
      const at = items.findIndex((item) => item === focused());
      const next: number | undefined = { ArrowDown: at + 1, ArrowUp: at - 1 + items.length, Home: 0, End: items.length - 1 }[event.key];
      event.stopPropagation();
      if (next === undefined) return;
      event.preventDefault();
      items[next % items.length].focus();
    });
    menu.addEventListener("toggle", (event) => {
      const last = list.querySelector<HTMLElement>("button.last");
      last?.setAttribute("aria-expanded", String(event.newState === "open"));
      if (event.newState === "closed" && menu.contains(focused())) last?.focus();
    });
  }

  draw({ lit, crumbs, stops = [] }: Walk) {
    const { host, tour, list, menu } = this;
    tour.hidden = !stops.length;
    // During the tour, the buttons beside the breadcrumbs are in their own row.
    host.closest<HTMLElement>(BLOCK)?.style.setProperty("flex-basis", stops.length ? "100%" : "");
    const known = [...tour.children] as HTMLElement[];
    const end = known.pop() ?? button("stop end", "End tour", () => go({ ends: true }));
    arrange(tour, [...stops.map(([title, name], at) => {
      const stop = (known[at] as HTMLButtonElement) ?? button("stop", `${at + 1} ${title}`, () => go({ name: stop.value }));
      return Object.assign(stop, { value: name, ariaCurrent: name === lit ? "step" : null });
    }), end]);
    this.sentence.hidden = !stops.length;
    write(this.sentence, stops.find(([, name]) => name === lit)?.[2] ?? "");
    const here = tour.querySelector<HTMLElement>("[aria-current]");
    if (here) tour.scrollLeft = here.offsetLeft - (tour.clientWidth - here.offsetWidth) / 2;
    if (menu.dataset.lit !== lit && menu.matches(":popover-open")) menu.hidePopover();
    menu.dataset.lit = lit;
    while (list.children.length > crumbs.length) list.lastElementChild?.remove();
    while (list.children.length < crumbs.length) list.append(element("li", "", element("button", "", { type: "button" })));
    const buttons = list.querySelectorAll("button");
    crumbs.forEach(([label, name], at) => {
      const crumb = buttons[at];
      const last = at === crumbs.length - 1;
      write(crumb, label);
      crumb.classList.toggle("last", last);
      const menu = last ? { ariaCurrent: "step", ariaHasPopup: "menu", ariaExpanded: "false" } : { ariaCurrent: null, ariaHasPopup: null, ariaExpanded: null };
      Object.assign(crumb, { value: name, ...menu });
    });
    list.scrollLeft = list.scrollWidth; // on a phone the row scrolls, and its end is most informative
  }

  openMenu(crumb: Element) {
    const { menu } = this;
    const here = walk.value?.lit;
    const beside = here === undefined ? [] : (siblings.value?.(here) ?? []);
    if (!beside.length) return;
    const item = { type: "button", role: "menuitem", tabIndex: -1 } as const;
    menu.replaceChildren(...beside.map(({ label, name }) =>
      element("button", "", label, { ...item, value: name, ariaCurrent: name === here ? "step" : null })));
    menu.showPopover();
    const at = crumb.getBoundingClientRect();
    const { offsetWidth: width, offsetHeight: height } = menu;
    const below = innerHeight - at.bottom - 8;
    menu.style.left = `${Math.max(8, Math.min(at.left, document.documentElement.clientWidth - width - 8))}px`;
    menu.style.top = `${height <= below ? at.bottom + 4 : Math.max(8, innerHeight - height - 8)}px`;
    (menu.querySelector<HTMLElement>("[aria-current]") ?? menu.querySelector("button"))?.focus();
  }
}
