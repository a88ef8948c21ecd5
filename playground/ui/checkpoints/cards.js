// The library as cards: searched and sorted here, at once; what is done to one of them the page does.

import { Acts } from "../parts/acts.js";
import { ask as patiently } from "../parts/ask.js";
import { readTheme, shade } from "../parts/heatmaps/colours.js";
import { keepClear } from "./corner.js";
import { dressIn } from "../parts/dress.js";
import { decode } from "../parts/heatmaps/message.js";
import { keyed } from "../parts/streamlit_dom.js";
import { upload } from "./upload.js";
import { Views } from "../parts/views.js";
import { element, penOf, percent } from "../parts/words.js";
/** @import { Call, Place } from "../parts/views.js" */

const dress = await dressIn("parts/base.css", "checkpoints/cards.css");
/** @typedef {{ by: string, title: string, most?: boolean }} Order by a field; `most` where the largest comes first */
/** @type {Order[]} */
const ORDERS = [
  { by: "", title: "newest first" },
  { by: "name", title: "name" },
  { by: "task", title: "task" },
  { by: "exact", title: "accuracy, best first", most: true },
  { by: "bytes", title: "size, largest first", most: true },
];
const TYPING = 400; // milliseconds of rest after which the page hears what is searched for
const PATIENCE = 20_000; // milliseconds
const AT_ONCE = 2; // pictures that are asked for at a time
const day = new Intl.DateTimeFormat("en", { dateStyle: "medium" });
const hour = new Intl.DateTimeFormat("en", { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
const views = new Views((place) => build(place));
const pictures = new Map(); // address -> tensor, or the sentence that says why there is none
const waiting = []; // cards in view whose picture has not come
let asking = 0;

/**
 * `typing` is a timer, `sight` watches which cards are in view; all else is set by `build` and the first drawing.
 * @typedef {{ cards: Map<string, any>, acts: Acts, host: HTMLElement, typing: number, close(): void,
 *   [more: string]: any }} View
 */

/** @param {Call<any>} call */
export default function ({ data, parentElement, setStateValue }) {
  const view = views.at(parentElement);
  view.acts.adopt(data, (told) => setStateValue("acts", told));
  const chosen = view.data?.selected;
  view.data = data;
  view.theme = readTheme(view.host);
  if (view.search.value !== data.search && !view.typing && !view.acts.unheard.some(([, verb]) => verb === "search")) {
    view.search.value = data.search;
  }
  draw(view);
  if (chosen !== undefined && chosen !== data.selected) reveal(view, data.selected);
  if (!view.typing && !view.acts.unheard.length) settle(view);
  keepClear(view.host);
  return views.leave(parentElement);
}

/** @param {Place} root */
function build(root) {
  dress(root);
  /** @type {View} */
  const view = {
    ...{ cards: new Map(), acts: new Acts(), host: root.host ?? root, typing: 0 },
    close() {
      clearTimeout(view.typing);
      view.sight.disconnect();
      box.remove();
    },
  };
  view.search = Object.assign(element("input"), { type: "search", placeholder: "Search", ariaLabel: "Search the library" });
  view.search.addEventListener("input", () => {
    clearTimeout(view.typing);
    view.typing = setTimeout(() => tellSearch(view), TYPING);
    draw(view);
  });
  view.search.addEventListener("keydown", (event) => event.stopPropagation()); // keys of the page are letters here
  view.order = element("select");
  view.order.append(...ORDERS.map(({ by, title }) => new Option(title, by)));
  view.order.addEventListener("change", () => act(view, "sort", "", view.order.value));
  const label = element("label", "order", "Sorted by ");
  label.append(view.order);
  view.count = element("span", "count");
  view.count.setAttribute("role", "status");
  const file = Object.assign(element("input"), { type: "file", accept: ".zip,application/zip", hidden: true });
  file.addEventListener("change", async () => {
    const chosen = file.files?.[0];
    const name = chosen ? await upload(chosen, view.data.most) : null;
    file.value = ""; // the same file may be chosen again
    if (name) act(view, "added", name);
  });
  const choose = element("button", "upload", "Upload");
  choose.type = "button";
  choose.title = "A checkpoint as a zip file; it can also be dropped anywhere on the page.";
  choose.addEventListener("click", () => file.click());
  const bar = element("div", "bar");
  bar.append(view.search, label, view.count, choose, file);
  view.grid = element("ul", "grid");
  view.grid.setAttribute("aria-label", "Checkpoints");
  view.grid.addEventListener("keydown", (event) => move(view, event));
  view.nothing = element("p", "nothing");
  const box = element("div", "box");
  box.append(bar, view.grid, view.nothing);
  root.append(box);
  view.sight = new IntersectionObserver((seen) => {
    for (const { target, isIntersecting } of seen) {
      const card = view.cards.get(/** @type {HTMLElement} */ (target).dataset.name ?? "");
      if (!card) continue;
      card.seen = isIntersecting;
      if (isIntersecting) look(view, card);
    }
  }, { rootMargin: "120px" });
  return view;
}

function tellSearch(view) {
  view.typing = 0;
  act(view, "search", "", view.search.value);
}

function act(view, verb, name, value) {
  view.acts.add(verb, name, value);
  draw(view);
}

// The newest value that was given with a verb and has not been heard, or what the page says.
function latest(view, verb, told) {
  return view.acts.unheard.findLast((each) => each[1] === verb)?.[3] ?? told;
}

// The card that is chosen once the page has heard everything.
function chosenOf({ acts, data }) {
  let name = data.selected;
  for (const [, verb, id, value] of acts.unheard) {
    if (["select", "move", "open", "added"].includes(verb)) name = id;
    else if (verb === "delete") name = value ?? name;
  }
  return name;
}

// What is not among the cards that are found is not chosen: nothing is done to what nobody sees.
function settle(view) {
  const { selected } = view.data;
  if (view.shown.some(({ name }) => name === selected)) return;
  const to = view.shown[0]?.name ?? "";
  if (to !== selected) act(view, "move", to);
}

function ticked(view) {
  const names = new Set(view.data.ticked);
  for (const [, verb, name, value] of view.acts.unheard) {
    if (verb === "tick") value ? names.add(name) : names.delete(name);
  }
  return names;
}

// ---- the whole

function draw(view) {
  const going = new Set(view.acts.unheard.filter(([, verb]) => verb === "delete").map(([, , name]) => name));
  const rows = view.data.rows.filter(({ name }) => !going.has(name));
  const sort = latest(view, "sort", view.data.sort);
  view.order.value = sort;
  const words = view.search.value.toLowerCase().split(/\s+/).filter(Boolean);
  const shown = rows.filter((row) => words.every((word) => textOf(row).includes(word)));
  const order = ORDERS.find(({ by }) => by && by === sort);
  if (order) shown.sort(comparing(order));
  view.shown = shown;
  const selected = chosenOf(view);
  const ticks = ticked(view);
  const days = new Map();
  for (const row of rows) days.set(dayOf(row), (days.get(dayOf(row)) ?? 0) + 1);
  const wanted = shown.map((row) => {
    let card = view.cards.get(row.name);
    if (!card) view.cards.set(row.name, (card = plant(view, row.name)));
    fill(view, card, row, { selected: row.name === selected, ticks, hours: days.get(dayOf(row)) > 1 });
    return card.node;
  });
  for (const [name, card] of view.cards) {
    if (rows.some((row) => row.name === name)) continue;
    view.sight.unobserve(card.node);
    view.cards.delete(name);
  }
  // A card is moved only where it has to be: what is moved loses the focus.
  const { children } = view.grid;
  if (children.length !== wanted.length || wanted.some((node, at) => children[at] !== node)) {
    const focused = view.grid.getRootNode().activeElement;
    const at = [...children].findIndex((node) => node.contains(focused));
    view.grid.replaceChildren(...wanted);
    if (view.grid.contains(focused)) focused.focus({ preventScroll: true });
    else if (at >= 0) view.cards.get(shown[Math.min(at, shown.length - 1)]?.name)?.pick.focus(); // the next takes it over
  }
  const reached = shown.some(({ name }) => name === selected) ? selected : shown[0]?.name;
  for (const [name, card] of view.cards) card.pick.tabIndex = name === reached ? 0 : -1;
  // Until the page has heard that the chosen card is hidden, its buttons rest.
  document.querySelector(keyed("card-buttons"))?.toggleAttribute("inert", !shown.some(({ name }) => name === view.data.selected));
  write(view.count, words.length ? `${shown.length} of ${rows.length}` : `${rows.length} checkpoint${rows.length === 1 ? "" : "s"}`);
  view.nothing.hidden = shown.length > 0;
  write(view.nothing, rows.length ? `Nothing here has “${view.search.value}” in its name, task or architecture.`
    : "Nothing is kept here yet: train a model and save it, or drop a checkpoint on the page.");
}

function dayOf({ saved, shipped }) {
  return shipped ? "" : day.format(1000 * saved);
}

function textOf(row) {
  row.text ??= [row.name, row.task, row.reads, row.architecture, row.origin, row.begun, row.problem && "unusable"].join(" ").toLowerCase();
  return row.text;
}

/**
 * @param {Order} order
 * @returns {(one: any, other: any) => number}
 */
function comparing({ by, most }) {
  return (one, other) => {
    const [a, b] = [one[by], other[by]];
    const [no, none] = [a === null || a === undefined, b === null || b === undefined];
    if (no || none) return Number(no) - Number(none); // what has no value comes last
    return most ? b - a : String(a).localeCompare(String(b), "en", { numeric: true });
  };
}

// Arrows go from card to card as they lie on the page.
function move(view, event) {
  const cards = [...view.grid.children];
  const at = cards.findIndex((node) => node.contains(event.target));
  if (at < 0 || event.altKey || event.ctrlKey || event.metaKey) return;
  const across = cards.filter(({ offsetTop }) => offsetTop === cards[0].offsetTop).length;
  const by = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -across, ArrowDown: across, Home: -at, End: cards.length - 1 - at }[event.key];
  const card = view.cards.get(cards[at].dataset.name);
  if (by !== undefined) {
    event.preventDefault();
    event.stopPropagation();
    const next = view.cards.get(cards[Math.min(cards.length - 1, Math.max(0, at + by))].dataset.name);
    for (const each of view.cards.values()) each.pick.tabIndex = -1;
    next.pick.tabIndex = 0;
    next.pick.focus();
  } else if (event.key === "Delete" && !event.repeat && !card.row.shipped) {
    act(view, "delete", card.row.name, (cards[at + 1] ?? cards[at - 1])?.dataset.name);
  }
}

function reveal(view, name) {
  view.cards.get(name)?.node.scrollIntoView({ block: "nearest" });
}

// ---- a card

function plant(view, name) {
  const node = element("li", "card");
  node.dataset.name = name;
  const card = { node };
  card.pick = element("button", "pick");
  card.pick.type = "button";
  card.pick.addEventListener("click", () => act(view, "select", name));
  card.pick.addEventListener("dblclick", () => act(view, "open", name));
  card.name = element("span", "name", name);
  card.pick.append(card.name);
  card.box = Object.assign(element("input"), { type: "checkbox" });
  card.box.addEventListener("change", () => act(view, "tick", name, card.box.checked));
  card.tick = element("label", "tick");
  card.tick.append(card.box, element("span", "", "Compare"));
  card.heads = element("div", "heads");
  card.about = element("div", "about");
  card.kind = element("div", "kind");
  card.score = element("div", "score");
  card.share = element("strong");
  card.scored = element("span");
  card.gauge = element("div", "gauge");
  card.score.append(card.share, card.scored);
  card.facts = element("div", "facts");
  card.badges = element("div", "badges");
  node.append(card.heads, card.pick, card.about, card.kind, card.score, card.gauge, card.facts, card.badges, card.tick);
  view.sight.observe(node);
  return card;
}

function fill(view, card, row, { selected, ticks, hours }) {
  card.node.classList.toggle("selected", selected);
  card.pick.setAttribute("aria-pressed", String(selected));
  card.box.checked = ticks.has(row.name);
  card.box.disabled = Boolean(row.problem) || (!card.box.checked && ticks.size >= 2);
  card.tick.title = row.problem ? "It cannot be used." : card.box.disabled ? "Two at a time are compared." : "";
  card.box.setAttribute("aria-label", `Compare ${row.name}`);
  const told = hours && !row.shipped; // cards of one day are told apart by the hour
  const stamp = JSON.stringify([row, told]);
  if (card.stamp !== stamp) {
    card.stamp = stamp;
    card.row = row;
    card.node.classList.toggle("unusable", Boolean(row.problem));
    write(card.about, row.problem ? "" : `${row.task}, ${row.reads}`);
    write(card.kind, row.problem || row.architecture);
    const tested = typeof row.exact === "number";
    write(card.share, tested ? percent(row.exact) : "");
    write(card.scored, row.problem ? "" : tested ? "exact match" : "not tested");
    card.gauge.hidden = !tested;
    card.gauge.style.setProperty("--share", tested ? row.exact : 0);
    const when = `${day.format(1000 * row.saved)}${told ? `, ${hour.format(1000 * row.saved)}` : ""}`;
    write(card.facts, [row.step, bytes(row.bytes), when].filter(Boolean).join(" · "));
    const badges = [row.problem && "unusable", row.origin && `from ${row.origin}`, row.begun && `goes on from ${row.begun}`, row.shipped && "ships with the app"];
    card.badges.replaceChildren(...badges.filter(Boolean).map((text) => element("span", "badge", text)));
  }
  const address = `${row.name}?${row.stamp}`;
  if (card.address !== address) {
    card.address = address;
    card.shown = null;
    card.heads.replaceChildren();
    if (card.seen) look(view, card);
  }
  if (card.shown && card.theme !== view.theme.ink) paint(view, card);
}

// ---- its picture

// Asks for the picture of a card that is in view; in turn, since many may be.
function look(view, card) {
  if (card.shown || card.row.problem) return;
  const known = pictures.get(card.address);
  if (known) return show(view, card, known);
  if (!waiting.some((each) => each.card === card)) waiting.push({ view, card });
  work();
}

async function work() {
  while (asking < AT_ONCE && waiting.length) {
    const { view, card } = waiting.shift();
    if (!card.seen || !card.node.isConnected || card.shown) continue;
    asking += 1;
    ask(card).then((answer) => {
      asking -= 1;
      if (!answer || answer.address !== card.address) return work();
      if (answer.picture) show(view, card, answer.picture);
      else card.heads.replaceChildren(element("span", "why", answer.refused)); // asked for again when it comes into view
      work();
    });
  }
}

async function ask(card) {
  const { row, address } = card;
  const query = new URLSearchParams({ heads: "few", stamp: row.stamp });
  try {
    const place = new URL(`./library/${encodeURIComponent(row.name)}/attention?${query}`, document.baseURI);
    const answer = await patiently(place, PATIENCE, () => card.seen && card.address === address);
    if (answer.status === 429) return { address, refused: await answer.text() };
    const picture = answer.ok ? decode(new Uint8Array(await answer.arrayBuffer())).tensors[0] : await answer.text();
    pictures.set(address, picture);
    return { address, picture };
  } catch {
    return null; // the server does not answer; it is asked again when the card comes into view again
  }
}

function show(view, card, picture) {
  card.shown = picture;
  paint(view, card);
}

function paint(view, card) {
  card.theme = view.theme.ink;
  const tensor = card.shown;
  if (typeof tensor === "string") {
    card.heads.replaceChildren(element("span", "why", tensor));
    return;
  }
  const { rows, columns, cells, heads } = tensor;
  card.heads.replaceChildren(...Array.from({ length: heads.count }, (_, head) => {
    const canvas = Object.assign(element("canvas"), { width: columns.count, height: rows.count });
    const image = new ImageData(columns.count, rows.count);
    for (let at = 0; at < cells; at++) image.data.set([...shade(tensor, tensor.values[head * cells + at], view.theme), 255], 4 * at);
    penOf(canvas).putImageData(image, 0, 0);
    return canvas;
  }));
  const more = heads.size - heads.count;
  const told = `Attention of ${heads.count}${more > 0 ? ` of ${heads.size}` : ""} head${heads.size > 1 ? "s" : ""}`;
  card.heads.title = `${told}, reading an example`;
  card.heads.setAttribute("role", "img");
  card.heads.setAttribute("aria-label", told);
}

function bytes(size) {
  return size >= 1e6 ? `${(size / 1e6).toFixed(1)} MB` : `${Math.round(size / 1000)} kB`;
}

function write(node, text) {
  if (node.textContent !== text) node.textContent = text;
}
