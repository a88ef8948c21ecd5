// Where one is in a pass: the way to the lit operation, what picture and outline have to light, clicks and keys.
// It stands where things are drawn anew at each step; picture and outline stand elsewhere and are drawn once.

import { Acts } from "../acts.js";
import { calm, dress } from "../dress.js";
import { free } from "../shortcuts.js";
import { shine } from "./lit.js";

const PHONE_WIDTH = 640;
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

const views = new WeakMap();
const acts = new Acts();
let walk = null; // { lit, go } of the `follow` on this page; lit is its data
let siblings = null; // from the outline: the operations beside one, [{ label, name }]

// Goes to { part } of the picture or the operation { name }; false where there is no walk on this page.
export function go(where) {
  walk?.go(where);
  return walk !== null;
}

export function setSiblings(find) {
  siblings = find;
}

export default function ({ data, parentElement, setStateValue, setTriggerValue }) {
  let view = views.get(parentElement);
  if (!view) views.set(parentElement, (view = build(parentElement)));
  const host = parentElement.host ?? parentElement;
  const mine = {
    lit: data,
    go(where) {
      setTriggerValue("go", where);
      // On a phone picture and outline stand below what they change.
      if (innerWidth < PHONE_WIDTH) host.scrollIntoView({ behavior: calm() ? "auto" : "smooth" });
    },
  };
  walk = mine;
  draw(view, data);
  acts.adopt(data, (told) => setStateValue("acts", told));
  shine(view, data);
  return () => {
    if (walk !== mine) return;
    walk = null;
    acts.release();
    shine(view, null);
  };
}

// ---- keys

document.addEventListener("keydown", (event) => {
  if (!walk || !free(event)) return;
  const name = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  const [action, by] = KEYS[event.shiftKey && name.length > 1 ? `Shift+${name}` : name] ?? [];
  if (!action) return;
  event.preventDefault();
  if (!event.repeat || action !== "gradient") acts.add(action, "", by);
});

// ---- the way

function build(root) {
  dress(root);
  const host = root.host ?? root;
  host.style.scrollMarginTop = "4.5rem"; // the page's own head lies over the top
  const nav = document.createElement("nav");
  nav.className = "crumbs";
  nav.setAttribute("aria-label", "Where this operation stands");
  const list = document.createElement("ol");
  const menu = document.createElement("div");
  menu.className = "menu";
  menu.setAttribute("role", "menu");
  menu.setAttribute("popover", "auto");
  nav.append(list, menu);
  root.append(nav);
  const view = { list, menu };
  list.addEventListener("click", (event) => {
    const crumb = event.target.closest("button");
    if (!crumb) return;
    if (crumb === list.lastElementChild.firstElementChild) openMenu(view, crumb);
    else go({ name: crumb.value });
  });
  menu.addEventListener("click", (event) => {
    const item = event.target.closest("button");
    if (!item) return;
    menu.hidePopover();
    go({ name: item.value });
  });
  menu.addEventListener("keydown", (event) => {
    const items = [...menu.children];
    const at = items.indexOf(menu.getRootNode().activeElement);
    const next = { ArrowDown: at + 1, ArrowUp: at - 1 + items.length, Home: 0, End: items.length - 1 }[event.key];
    event.stopPropagation();
    if (next === undefined) return;
    event.preventDefault();
    items[next % items.length].focus();
  });
  menu.addEventListener("toggle", (event) => {
    const last = list.lastElementChild?.firstElementChild;
    last?.setAttribute("aria-expanded", String(event.newState === "open"));
    if (event.newState === "closed" && menu.contains(menu.getRootNode().activeElement)) last?.focus();
  });
  return view;
}

function draw({ list, menu }, { lit, crumbs }) {
  if (menu.dataset.lit !== lit && menu.matches(":popover-open")) menu.hidePopover();
  menu.dataset.lit = lit;
  while (list.children.length > crumbs.length) list.lastElementChild.remove();
  while (list.children.length < crumbs.length) {
    list.append(document.createElement("li"));
    list.lastElementChild.append(Object.assign(document.createElement("button"), { type: "button" }));
  }
  crumbs.forEach(([label, name], at) => {
    const crumb = list.children[at].firstElementChild;
    const last = at === crumbs.length - 1;
    if (crumb.textContent !== label) crumb.textContent = label;
    crumb.value = name;
    crumb.classList.toggle("last", last);
    for (const [attribute, value] of [["aria-current", "step"], ["aria-haspopup", "menu"], ["aria-expanded", "false"]]) {
      last ? crumb.setAttribute(attribute, value) : crumb.removeAttribute(attribute);
    }
  });
  list.scrollLeft = list.scrollWidth; // on a phone the row scrolls, and its end says most
}

function openMenu({ menu }, crumb) {
  const beside = siblings?.(walk.lit.lit) ?? [];
  if (!beside.length) return;
  menu.replaceChildren(
    ...beside.map(({ label, name }) => {
      const item = document.createElement("button");
      Object.assign(item, { type: "button", value: name, textContent: label, tabIndex: -1 });
      item.setAttribute("role", "menuitem");
      if (name === walk.lit.lit) item.setAttribute("aria-current", "step");
      return item;
    }),
  );
  menu.showPopover();
  const at = crumb.getBoundingClientRect();
  const { offsetWidth: width, offsetHeight: height } = menu;
  const below = innerHeight - at.bottom - 8;
  menu.style.left = `${Math.max(8, Math.min(at.left, document.documentElement.clientWidth - width - 8))}px`;
  menu.style.top = `${height <= below ? at.bottom + 4 : Math.max(8, innerHeight - height - 8)}px`;
  (menu.querySelector("[aria-current]") ?? menu.firstElementChild).focus();
}
