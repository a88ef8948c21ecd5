// The library as cards: searched and sorted here at once; the page carries out actions on a card.

import baseCss from "../parts/base.css";
import cardsCss from "./cards.css";
import { Acts } from "../parts/acts.ts";
import { drawn, imageOf, readTheme } from "../parts/heatmaps/colours.ts";
import { attentionOf } from "../parts/attention.ts";
import { keepClear } from "./corner.ts";
import { stylesOf } from "../parts/styles.ts";
import { keyed } from "../parts/streamlit_dom.ts";
import { upload } from "./upload.ts";
import { Views } from "../parts/views.ts";
import { arrange, element, percent, write } from "../parts/words.ts";
import type { Theme } from "../parts/heatmaps/colours.ts";
import type { Tensor } from "../parts/heatmaps/message.ts";
import type { Call, Root } from "../parts/views.ts";

const dress = stylesOf(baseCss, cardsCss);
// Sort orders by field: numbers descending, words alphabetically.
const ORDERS = { "": "newest first", name: "name", task: "task", exact: "accuracy, best first", bytes: "size, largest first" };
const CHOOSING = ["select", "move", "open", "added"];
const TYPING = 400; // milliseconds after the last key until the page gets the search text
const AT_ONCE = 2; // pictures requested at a time
const time = new Intl.DateTimeFormat("en", { dateStyle: "medium", timeStyle: "short", hourCycle: "h23" });
const words = new Intl.Collator("en", { numeric: true });
const views = new Views(build);
const waiting: Set<Card> = new Set(); // visible cards without a picture

/** A row of the library, as cards.py sends it; `text` is what a search finds. */
type Row = { name: string, task: string, reads: string, architecture: string, exact: number | null, evidence: string, step: string,
    size: string, bytes: number, saved: number, origin: string, begun: string, shipped: boolean, stamp: string, problem: string, text?: string };
/** A card with its row; `stamp` is that of the row shown, `picture` its attention or why there is none, in the theme with this `ink`. */
type Card = { view: View, box: HTMLInputElement, pick: HTMLButtonElement, heads: HTMLElement, facts: HTMLElement, tick: HTMLElement,
    node: HTMLElement, row: Row, stamp: string, seen: boolean, picture: Tensor | string | null, ink: string };
type Data = { rows: Row[], selected: string, sort: string, ticked: string[], search: string, most: number, session: string, heard: number };
let asking = 0;
const NOTHING: Data = { rows: [], selected: "", sort: "", ticked: [], search: "", most: 0, session: "", heard: 0 };

/** `typing` is a timer, `sight` observes which cards are visible, `shown` are the rows that the search finds. */
type View = { cards: Map<string, Card>, acts: Acts, host: HTMLElement, typing: number, sight: IntersectionObserver,
    search: HTMLInputElement, order: HTMLSelectElement, count: HTMLElement, grid: HTMLElement, nothing: HTMLElement, data: Data,
    theme: Theme, shown: Row[], close(): void };

export default function ({ data, parentElement, setStateValue }: Call<Data>) {
  const view = views.at(parentElement);
  view.acts.adopt(data, (message) => setStateValue("acts", message));
  const chosen = view.data === NOTHING ? data.selected : view.data.selected;
  view.data = data;
  view.theme = readTheme(view.host);
  if (!view.typing && !view.acts.pending.some(([, verb]) => verb === "search")) view.search.value = data.search;
  draw(view);
  if (chosen !== data.selected) view.cards.get(data.selected)?.node.scrollIntoView({ block: "nearest" });
  if (!view.typing && !view.acts.pending.length) settle(view);
  keepClear(view.host);
  return views.leave(parentElement);
}

function build(root: Root) {
  dress(root);
  const box = element("div", "box");
  const order = element("select", "", ...Object.entries(ORDERS).map(([by, title]) => new Option(title, by)));
  const view: View = {
    ...{ cards: new Map(), acts: new Acts(), host: root.host ?? root, typing: 0, data: NOTHING, shown: [], order },
    search: Object.assign(element("input"), { type: "search", placeholder: "Search", ariaLabel: "Search the library" }),
    count: Object.assign(element("span", "count"), { role: "status" }),
    grid: Object.assign(element("ul", "grid"), { ariaLabel: "Checkpoints" }),
    nothing: element("p", "nothing"),
    theme: readTheme(root.host ?? root),
    sight: new IntersectionObserver((seen) => {
      for (const { target, isIntersecting } of seen) {
        const card = view.cards.get((target as HTMLElement).dataset.name ?? "");
        if (!card) continue;
        card.seen = isIntersecting;
        look(card);
      }
    }, { rootMargin: "120px" }),
    close() {
      clearTimeout(view.typing);
      view.sight.disconnect();
      box.remove();
    },
  };
  view.search.addEventListener("input", () => {
    clearTimeout(view.typing);
    view.typing = setTimeout(() => {
      view.typing = 0;
      act(view, "search", "", view.search.value);
    }, TYPING);
    draw(view);
  });
  view.search.addEventListener("keydown", (event) => event.stopPropagation()); // letters are text here, not keys of the page
  order.addEventListener("change", () => act(view, "sort", "", order.value));
  const file = Object.assign(element("input"), { type: "file", accept: ".zip,application/zip", hidden: true });
  file.addEventListener("change", async () => {
    const chosen = file.files?.[0];
    const name = chosen ? await upload(chosen, view.data.most) : null;
    file.value = ""; // allow choosing the same file again
    if (name) act(view, "added", name);
  });
  const choose = Object.assign(element("button", "", "Upload"), {
    type: "button", title: "Choose a checkpoint .zip, or drop it on this page.", onclick: () => file.click(),
  });
  view.grid.addEventListener("keydown", (event) => move(view, event));
  box.append(element("div", "bar", view.search, element("label", "", "Sort by ", view.order), view.count, choose, file));
  box.append(view.grid, view.nothing);
  root.append(box);
  return view;
}

function act(view: View, verb: string, name: string, value?: unknown) {
  view.acts.add(verb, name, value);
  draw(view);
}

// A card that the search hides is not selected, so that no action applies to a hidden card.
function settle(view: View) {
  const to = view.shown[0]?.name ?? "";
  if (to !== view.data.selected && !view.shown.some(({ name }) => name === view.data.selected)) act(view, "move", to);
}

// ---- the whole

// The state that the page will have once it has received all acts.
function expected({ acts, data }: View) {
  const { rows, selected, sort } = data;
  const state = { rows, selected, sort, ticked: new Set(data.ticked) };
  for (const [, verb, name, value] of acts.pending) {
    if (verb === "sort") state.sort = value;
    if (verb === "tick") state.ticked[value ? "add" : "delete"](name);
    if (verb === "delete") state.rows = state.rows.filter((row) => row.name !== name);
    if (CHOOSING.includes(verb)) state.selected = name;
    if (verb === "delete") state.selected = value ?? name;
  }
  return state;
}

function draw(view: View) {
  const { rows, selected, sort, ticked } = expected(view);
  view.order.value = sort;
  const wanted = view.search.value.toLowerCase().split(/\s+/);
  const shown = rows.filter((row) => wanted.every((word) => textOf(row).includes(word)));
  if (sort) shown.sort((one, other) => compare(one[sort as keyof Row], other[sort as keyof Row]));
  view.shown = shown;
  const cards = shown.map((row) => {
    const card = view.cards.get(row.name) ?? plant(view, row);
    fill(card, row, row.name === selected, ticked);
    return card;
  });
  const here = [...view.grid.children].findIndex((node) => node.matches(":focus-within"));
  arrange(view.grid, cards.map(({ node }) => node));
  if (here >= 0 && !view.grid.matches(":focus-within")) cards[Math.min(here, cards.length - 1)]?.pick.focus(); // focus moves to the next card
  const reached = cards.find(({ row }) => row.name === selected) ?? cards[0];
  for (const card of view.cards.values()) card.pick.tabIndex = card === reached ? 0 : -1;
  // Buttons of a hidden selected card are disabled until the page knows.
  document.querySelector(keyed("card-buttons"))?.toggleAttribute("inert", !shown.some(({ name }) => name === view.data.selected));
  write(view.count, view.search.value.trim() ? `${shown.length} of ${rows.length}` : `${rows.length} checkpoint${rows.length === 1 ? "" : "s"}`);
  view.nothing.hidden = shown.length > 0;
  write(view.nothing, rows.length ? `No checkpoint matches “${view.search.value}”.`
    : "No checkpoints yet. Train a model and save it, or drop a .zip on this page.");
}

function textOf(row: Row) {
  row.text ??= [row.name, row.task, row.reads, row.architecture, row.origin, row.begun, row.problem && "unusable"].join(" ").toLowerCase();
  return row.text;
}

function compare(one: unknown, other: unknown) {
  const [no, none] = [one ?? null, other ?? null].map((value) => value === null);
  if (no || none) return Number(no) - Number(none); // missing values come last
  return typeof one === "number" ? Number(other) - one : words.compare(String(one), String(other));
}

// In the order of the page.
function cardsIn({ grid, cards }: View) {
  return [...grid.children].flatMap((node) => cards.get((node as HTMLElement).dataset.name ?? "") ?? []);
}

// Arrow keys move between cards by their position on the page.
function move(view: View, event: KeyboardEvent) {
  const cards = cardsIn(view);
  const at = cards.findIndex(({ node }) => node.contains(event.target as Node));
  if (at < 0 || event.altKey || event.ctrlKey || event.metaKey) return;
  const across = cards.filter(({ node }) => node.offsetTop === cards[0].node.offsetTop).length;
  const by = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -across, ArrowDown: across, Home: -at, End: cards.length }[event.key];
  if (by !== undefined) {
    event.preventDefault();
    event.stopPropagation();
    const next = cards[Math.min(cards.length - 1, Math.max(0, at + by))];
    for (const card of cards) card.pick.tabIndex = card === next ? 0 : -1;
    next.pick.focus();
  } else if (event.key === "Delete" && !event.repeat && !cards[at].row.shipped) {
    act(view, "delete", cards[at].row.name, (cards[at + 1] ?? cards[at - 1])?.row.name);
  }
}

// ---- a card

function plant(view: View, row: Row): Card {
  const { name } = row;
  const box = Object.assign(element("input"), { type: "checkbox", ariaLabel: `Compare ${name}` });
  box.addEventListener("change", () => act(view, "tick", name, box.checked));
  const pick = Object.assign(element("button", "pick", name), { type: "button" });
  pick.addEventListener("click", () => act(view, "select", name));
  pick.addEventListener("dblclick", () => act(view, "open", name));
  const [heads, facts, tick] = [element("div", "heads"), element("div", "facts"), element("label", "tick", box, "Compare")];
  const node = element("li", "card", heads, pick, facts, tick);
  node.dataset.name = name;
  const card: Card = { view, box, pick, heads, facts, tick, node, row, stamp: "", seen: false, picture: null, ink: "" };
  view.cards.set(name, card);
  view.sight.observe(card.node);
  return card;
}

function fill(card: Card, row: Row, selected: boolean, ticked: Set<string>) {
  const { box, node, pick, tick } = card;
  node.classList.toggle("selected", selected);
  pick.ariaPressed = String(selected);
  box.checked = ticked.has(row.name);
  box.disabled = Boolean(row.problem) || (!box.checked && ticked.size >= 2);
  tick.title = row.problem ? "This checkpoint can't be used." : box.disabled ? "Compare two at a time." : "";
  const stamp = JSON.stringify(row);
  if (card.stamp !== stamp) {
    Object.assign(card, { row, stamp, picture: null });
    node.classList.toggle("unusable", Boolean(row.problem));
    card.facts.replaceChildren(...factsOf(row));
    card.heads.replaceChildren();
    look(card);
  }
  if (card.picture && card.ink !== card.view.theme.ink) paint(card);
}

function factsOf({ problem, task, reads, architecture, exact, evidence, step, size, saved, origin, begun, shipped }: Row) {
  const tested = typeof exact === "number";
  const gauge = tested && element("div", "gauge");
  if (gauge) gauge.style.setProperty("--share", String(exact));
  const score = element("div", "score", tested && element("strong", "", percent(exact), " "), element("span", "soft", tested ? "exact match" : "not tested"));
  score.title = evidence;
  const badges = [problem && "unusable", origin && `from ${origin}`, begun && `goes on from ${begun}`, shipped && "included with the app"];
  return [
    problem ? "" : element("div", "", `${task}, ${reads}`),
    element("div", "soft", problem || architecture),
    problem ? "" : score,
    gauge || "",
    element("div", "soft", [step, size, !shipped && time.format(1000 * saved)].filter(Boolean).join(" · ")),
    element("div", "badges", ...badges.map((text) => text && element("span", "badge", text))),
  ];
}

// ---- its picture

// Requests the picture of a visible card; queued, since there can be many.
async function look(card: Card) {
  if (!card.seen || card.picture || card.row.problem) return;
  waiting.add(card);
  if (asking >= AT_ONCE) return;
  asking += 1;
  for (const each of waiting) {
    waiting.delete(each);
    if (each.seen && each.node.isConnected && !each.picture) await ask(each);
  }
  asking -= 1;
}

async function ask(card: Card) {
  const { name, stamp } = card.row;
  const wanted = () => card.seen && card.row.stamp === stamp;
  const { tensor, problem, later } = await attentionOf(name, { heads: "few", stamp }, wanted);
  if (card.row.stamp !== stamp) return;
  if (!later) card.picture = tensor ?? problem; // otherwise it is requested again when it becomes visible
  if (tensor) paint(card);
  else if (problem) card.heads.replaceChildren(element("span", "why", problem));
}

function paint(card: Card) {
  const { picture, heads: box, view: { theme } } = card;
  card.ink = theme.ink;
  if (!picture || typeof picture === "string" || !picture.heads) return;
  const { rows, columns, cells, heads } = picture;
  box.replaceChildren(...Array.from({ length: heads.count }, (_, head) => {
    const values = picture.values.subarray(head * cells, (head + 1) * cells);
    return drawn(element("canvas"), imageOf({ ...picture, values, rows: rows.count, columns: columns.count }, theme));
  }));
  const label = `Attention of ${heads.count}${heads.size > heads.count ? ` of ${heads.size}` : ""} head${heads.size > 1 ? "s" : ""}`;
  Object.assign(box, { role: "img", ariaLabel: label, title: `${label} on an example` });
}
