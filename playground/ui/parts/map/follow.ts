// The current operation: breadcrumbs, marks in diagram and outline, clicks and keys.
// These are drawn once; the component that is drawn at each step updates them by `follow`.

import { Acts } from "../acts.ts";
import { calm, dress } from "../dress.ts";
import { free, nameOf } from "../shortcuts.ts";
import { BLOCK } from "../streamlit_dom.ts";
import { Views } from "../views.ts";
import { arrange, button, element, write } from "../words.ts";
import { shine } from "./lit.ts";
/** @import { Call, Root } from "../views.ts" */
/** @import { Lit } from "./lit.ts" */

const PHONE_WIDTH = 640;
/** @type {Record<string, [action: string, by: number]>} */
const KEYS = {
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

/**
 * The current operation: its marks, its name, and its breadcrumbs as [label, name of the operation].
 * @typedef {Lit & { lit: string, crumbs: [label: string, name: string][],
 *   stops?: [title: string, name: string][], session: string, heard: number }} Data
 */
/** @typedef {{ part?: string, name?: string, ends?: boolean }} Where the last: the short tour ends */
/** @typedef {(name: string) => { label: string, name: string }[]} Siblings the operations beside one */

const views = new Views((root) => build(root));
const acts = new Acts();
/** @type {Set<View>} */
const ways = new Set(); // on the page
/** @type {{ owner: object, host: Element, lit: Data, go(where: Where): void } | null} */
let walk = null; // the newest
/** @type {Siblings | null} */
let siblings = null; // from the outline

/**
 * Opens a part of the diagram or an operation; false if this page has no walk.
 * @param {Where} where
 */
export function go(where) {
  const here = present();
  here?.go(where);
  return here !== null;
}

// Components of a previous page, until they are removed, get no events.
function present() {
  return walk?.host.isConnected ? walk : null;
}

/** @param {Siblings | null} find */
export function setSiblings(find) {
  siblings = find;
}

/** @param {Call<null>} call */
export default function ({ parentElement }) {
  const view = views.at(parentElement);
  if (walk) draw(view, walk.lit);
  return views.leave(parentElement);
}

/**
 * Shows the current operation for `owner`, the view of a component that receives clicks and keys.
 * @param {object} owner
 * @param {Data} lit
 * @param {Pick<Call<unknown>, "parentElement" | "setStateValue" | "setTriggerValue">} call of that component
 */
export function follow(owner, lit, { parentElement, setStateValue, setTriggerValue }) {
  walk = {
    owner,
    host: parentElement.host ?? parentElement,
    lit,
    go(where) {
      setTriggerValue("go", where);
      // On a phone, diagram and outline are below the tensors.
      const [way] = ways;
      if (innerWidth < PHONE_WIDTH) way?.host.scrollIntoView({ behavior: calm() ? "auto" : "smooth" });
    },
  };
  for (const view of ways) draw(view, lit);
  acts.adopt(lit, (message) => setStateValue("acts", message));
  shine(owner, lit);
}

/** @param {object} owner */
export function unfollow(owner) {
  shine(owner, null);
  if (walk?.owner !== owner) return;
  walk = null;
  acts.release();
}

// ---- keys

document.addEventListener("keydown", (event) => {
  if (!present() || !free(event)) return;
  const [action, by] = KEYS[nameOf(event)] ?? [];
  if (!action) return;
  event.preventDefault();
  if (!event.repeat || action !== "gradient") acts.add(action, "", by);
});

// ---- breadcrumbs

/** @typedef {{ host: Element, tour: HTMLElement, list: HTMLOListElement, menu: HTMLDivElement, close(): void }} View */

/** @param {Root} root */
function build(root) {
  dress(root);
  const host = root.host ?? root;
  host.style.scrollMarginTop = "4.5rem"; // the page's header covers the top
  const list = element("ol");
  const menu = element("div", "menu");
  menu.setAttribute("role", "menu");
  menu.setAttribute("popover", "auto");
  const nav = element("nav", "crumbs", list, menu);
  nav.setAttribute("aria-label", "Path of this operation");
  const tour = element("nav", "tour");
  tour.setAttribute("aria-label", "Short tour");
  root.append(tour, nav);
  /** @type {View} */
  const view = {
    host,
    tour,
    list,
    menu,
    close() {
      tour.remove();
      nav.remove();
      ways.delete(view);
    },
  };
  ways.add(view);
  const buttonOf = (/** @type {Event} */ event) => /** @type {Element} */ (event.target).closest("button");
  const focused = () => /** @type {Document | ShadowRoot} */ (menu.getRootNode()).activeElement;
  list.addEventListener("click", (event) => {
    const crumb = buttonOf(event);
    if (!crumb) return;
    if (crumb === list.lastElementChild?.firstElementChild) openMenu(view, crumb);
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
    /** @type {number | undefined} */
    const next = { ArrowDown: at + 1, ArrowUp: at - 1 + items.length, Home: 0, End: items.length - 1 }[event.key];
    event.stopPropagation();
    if (next === undefined) return;
    event.preventDefault();
    items[next % items.length].focus();
  });
  menu.addEventListener("toggle", (event) => {
    const last = list.querySelector("button.last");
    last?.setAttribute("aria-expanded", String(event.newState === "open"));
    if (event.newState === "closed" && menu.contains(focused())) /** @type {HTMLElement | null} */ (last)?.focus();
  });
  return view;
}

/** @param {View} view @param {Data} data */
function draw({ host, tour, list, menu }, { lit, crumbs, stops = [] }) {
  tour.hidden = !stops.length;
  // During the tour, the buttons beside the breadcrumbs are in their own row.
  /** @type {HTMLElement | null} */ (host.closest(BLOCK))?.style.setProperty("flex-basis", stops.length ? "100%" : "");
  const known = /** @type {HTMLElement[]} */ ([...tour.children]);
  const end = known.pop() ?? button("stop end", "End tour", () => go({ ends: true }));
  arrange(tour, [...stops.map(([title, name], at) => {
    const stop = /** @type {HTMLButtonElement} */ (known[at]) ?? button("stop", `${at + 1} ${title}`, () => go({ name: stop.value }));
    stop.value = name;
    name === lit ? stop.setAttribute("aria-current", "step") : stop.removeAttribute("aria-current");
    return stop;
  }), end]);
  const here = /** @type {HTMLElement | null} */ (tour.querySelector("[aria-current]"));
  if (here) tour.scrollLeft = here.offsetLeft - (tour.clientWidth - here.offsetWidth) / 2;
  if (menu.dataset.lit !== lit && menu.matches(":popover-open")) menu.hidePopover();
  menu.dataset.lit = lit;
  while (list.children.length > crumbs.length) list.lastElementChild?.remove();
  while (list.children.length < crumbs.length) {
    list.append(element("li", "", Object.assign(element("button"), { type: "button" })));
  }
  const buttons = list.querySelectorAll("button");
  crumbs.forEach(([label, name], at) => {
    const crumb = buttons[at];
    const last = at === crumbs.length - 1;
    write(crumb, label);
    crumb.value = name;
    crumb.classList.toggle("last", last);
    for (const [attribute, value] of [["aria-current", "step"], ["aria-haspopup", "menu"], ["aria-expanded", "false"]]) {
      last ? crumb.setAttribute(attribute, value) : crumb.removeAttribute(attribute);
    }
  });
  list.scrollLeft = list.scrollWidth; // on a phone the row scrolls, and its end is most informative
}

/** @param {View} view @param {Element} crumb */
function openMenu({ menu }, crumb) {
  const here = walk?.lit.lit;
  const beside = here === undefined ? [] : (siblings?.(here) ?? []);
  if (!beside.length) return;
  menu.replaceChildren(
    ...beside.map(({ label, name }) => {
      const item = Object.assign(element("button", "", label), { type: "button", value: name, tabIndex: -1 });
      item.setAttribute("role", "menuitem");
      if (name === here) item.setAttribute("aria-current", "step");
      return item;
    }),
  );
  menu.showPopover();
  const at = crumb.getBoundingClientRect();
  const { offsetWidth: width, offsetHeight: height } = menu;
  const below = innerHeight - at.bottom - 8;
  menu.style.left = `${Math.max(8, Math.min(at.left, document.documentElement.clientWidth - width - 8))}px`;
  menu.style.top = `${height <= below ? at.bottom + 4 : Math.max(8, innerHeight - height - 8)}px`;
  /** @type {HTMLElement | null} */ (menu.querySelector("[aria-current]") ?? menu.firstElementChild)?.focus();
}
