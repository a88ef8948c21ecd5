// The library as cards: searched and sorted here at once; the page carries out actions on a card.

import baseCss from "../parts/base.css";
import cardsCss from "./cards.css";
import { Acts } from "../parts/acts.ts";
import { drawn, imageOf, readTheme } from "../parts/heatmaps/colours.ts";
import { attentionOf } from "../parts/attention.ts";
import { keepClear } from "./corner.ts";
import { claim } from "../parts/shortcuts.ts";
import { keyed } from "../parts/streamlit_dom.ts";
import { upload } from "./upload.ts";
import { component } from "../parts/component.ts";
import { arrange, button, chooser, element, percent, whole, write } from "../parts/words.ts";
import type { Theme } from "../parts/heatmaps/colours.ts";
import type { Tensor } from "../parts/heatmaps/message.ts";
import type { Call, Root } from "../parts/component.ts";

// Sort orders by field: numbers descending, words alphabetically.
const ORDERS = { "": "newest first", name: "name", task: "task", exact: "exact match, best first", bytes: "size, largest first" };
const CHOOSING = ["select", "move", "open", "added"];
const TYPING = 400; // milliseconds after the last key until the page gets the search text
const AT_ONCE = 2; // pictures requested at a time
const time = new Intl.DateTimeFormat("en", { dateStyle: "medium", timeStyle: "short", hourCycle: "h23" });
const words = new Intl.Collator("en", { numeric: true });
const waiting: Set<Card> = new Set(); // visible cards without a picture

/** A row of the library, as cards.py sends it; `text` is what a search finds. */
type Row = { name: string, task: string, reads: string, architecture: string, exact: number | null, sequences: number | null, evidence: string, step: string,
    size: string, bytes: number, saved: number, origin: string, begun: string, shipped: boolean, stamp: string, problem: string, text?: string };
type Data = { rows: Row[], selected: string, sort: string, ticked: string[], search: string, most: number, session: string, heard: number };
let asking = 0;

export default component([baseCss, cardsCss], (root) => new Cards(root), (cards, { data, setStateValue }: Call<Data>) => {
  cards.acts.adopt(data, (message) => setStateValue("acts", message));
  cards.show(data);
});

class Cards {
  root: Root;
  theme: Theme;
  data!: Data;
  cards: Map<string, Card> = new Map(); // by name
  shown: Row[] = []; // that the search finds
  acts = new Acts();
  typing = 0; // a timer
  search = element("input", "", { type: "search", placeholder: "Search", ariaLabel: "Search the library" });
  order = element("select", "", ...Object.entries(ORDERS).map(([by, title]) => new Option(title, by)));
  count = element("span", "count", { role: "status" });
  grid = element("ul", "grid", { ariaLabel: "Checkpoints" });
  nothing = element("p", "nothing");
  file = chooser(".zip,application/zip", async ([chosen]) => {
    const name = chosen ? await upload(chosen, this.data.most) : null;
    if (name) this.act("added", name);
  });
  choose = button("", "Upload", () => this.file.click(), { title: "Choose a checkpoint .zip, or drop it on this page." });
  bar = element("div", "bar wrap large", this.search, element("label", "", "Sort by ", this.order), this.count, this.choose, this.file);
  box = element("div", "box", this.bar, this.grid, this.nothing);
  // Observes which cards are visible.
  sight = new IntersectionObserver((seen) => {
    for (const { target, isIntersecting } of seen) this.cards.get((target as HTMLElement).dataset.name ?? "")?.look(isIntersecting);
  }, { rootMargin: "120px" });

  constructor(root: Root) {
    this.root = root;
    this.theme = readTheme(root);
    this.search.addEventListener("input", () => {
      clearTimeout(this.typing);
      this.typing = setTimeout(() => {
        this.typing = 0;
        this.act("search", "", this.search.value);
      }, TYPING);
      this.draw();
    });
    this.search.addEventListener("keydown", (event) => event.stopPropagation()); // letters are text here, not keys of the page
    this.order.addEventListener("change", () => this.act("sort", "", this.order.value));
    this.grid.addEventListener("keydown", (event) => this.move(event));
    root.append(this.box);
  }

  close() {
    clearTimeout(this.typing);
    this.sight.disconnect();
    this.box.remove();
  }

  show(data: Data) {
    const chosen = this.data?.selected ?? data.selected;
    this.data = data;
    this.theme = readTheme(this.root);
    if (!this.typing && !this.acts.pending.some(([, verb]) => verb === "search")) this.search.value = data.search;
    this.draw();
    if (chosen !== data.selected) this.cards.get(data.selected)?.node.scrollIntoView({ block: "nearest" });
    if (!this.typing && !this.acts.pending.length) this.settle();
    keepClear(this.box);
  }

  act(verb: string, name: string, value?: unknown) {
    this.acts.add(verb, name, value);
    this.draw();
  }

  // A card that the search hides is not selected, so that no action applies to a hidden card.
  settle() {
    const to = this.shown[0]?.name ?? "";
    if (to !== this.data.selected && !this.shown.some(({ name }) => name === this.data.selected)) this.act("move", to);
  }

  // The state that the page will have once it has received all acts.
  get expected() {
    const { rows, selected, sort } = this.data;
    const state = { rows, selected, sort, ticked: new Set(this.data.ticked) };
    for (const [, verb, name, value] of this.acts.pending) {
      if (verb === "sort") state.sort = value;
      if (verb === "tick") state.ticked[value ? "add" : "delete"](name);
      if (verb === "delete") state.rows = state.rows.filter((row) => row.name !== name);
      if (CHOOSING.includes(verb)) state.selected = name;
      if (verb === "delete") state.selected = value ?? name;
    }
    return state;
  }

  draw() {
    const { grid, search, nothing } = this;
    const { rows, selected, sort, ticked } = this.expected;
    this.order.value = sort;
    const wanted = search.value.toLowerCase().split(/\s+/);
    const shown = rows.filter((row) => wanted.every((word) => textOf(row).includes(word)));
    if (sort) shown.sort((one, other) => compare(one[sort as keyof Row], other[sort as keyof Row]));
    this.shown = shown;
    const cards = shown.map((row) => {
      const card = this.cards.get(row.name) ?? new Card(this, row);
      card.fill(row, row.name === selected, ticked);
      return card;
    });
    const here = [...grid.children].findIndex((node) => node.matches(":focus-within"));
    arrange(grid, cards.map(({ node }) => node));
    if (here >= 0 && !grid.matches(":focus-within")) cards[Math.min(here, cards.length - 1)]?.pick.focus(); // focus moves to the next card
    const reached = cards.find(({ row }) => row.name === selected) ?? cards[0];
    for (const card of this.cards.values()) card.pick.tabIndex = card === reached ? 0 : -1;
    // Buttons of a hidden selected card are disabled until the page knows.
    document.querySelector(keyed("card-buttons"))?.toggleAttribute("inert", !shown.some(({ name }) => name === this.data.selected));
    write(this.count, search.value.trim() ? `${shown.length} of ${rows.length}` : `${rows.length} checkpoint${rows.length === 1 ? "" : "s"}`);
    nothing.hidden = shown.length > 0;
    write(nothing, rows.length ? `No checkpoint matches “${search.value}”.`
      : "No checkpoints yet. Train a model and save it, or drop a .zip on this page.");
  }

  // Arrow keys move between cards by their position on the page.
  move(event: KeyboardEvent) {
    const cards = [...this.grid.children].flatMap((node) => this.cards.get((node as HTMLElement).dataset.name ?? "") ?? []);
    const at = cards.findIndex(({ node }) => node.contains(event.target as Node));
    if (at < 0 || event.altKey || event.ctrlKey || event.metaKey) return;
    const across = cards.filter(({ node }) => node.offsetTop === cards[0].node.offsetTop).length;
    const by = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -across, ArrowDown: across, Home: -at, End: cards.length }[event.key];
    if (by !== undefined) {
      claim(event);
      const next = cards[Math.min(cards.length - 1, Math.max(0, at + by))];
      for (const card of cards) card.pick.tabIndex = card === next ? 0 : -1;
      next.pick.focus();
    } else if (event.key === "Delete" && !event.repeat && !cards[at].row.shipped) {
      this.act("delete", cards[at].row.name, (cards[at + 1] ?? cards[at - 1])?.row.name);
    }
  }
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

/** A card with its row; `stamp` is that of the row shown. */
class Card {
  cards: Cards;
  row: Row;
  stamp = "";
  seen = false;
  picture: Tensor | string | null = null; // its attention, or why there is none
  ink = ""; // of the theme in which the picture is drawn
  box = element("input");
  pick: HTMLButtonElement;
  heads = element("div", "heads");
  facts = element("div", "facts");
  tick = element("label", "tick", this.box, "Compare");
  node: HTMLElement;

  constructor(cards: Cards, row: Row) {
    const { name } = row;
    this.cards = cards;
    this.row = row;
    Object.assign(this.box, { type: "checkbox", ariaLabel: `Compare ${name}` });
    this.box.addEventListener("change", () => cards.act("tick", name, this.box.checked));
    this.pick = button("pick", name, () => cards.act("select", name));
    this.pick.addEventListener("dblclick", () => cards.act("open", name));
    this.node = element("li", "card", this.heads, this.pick, this.facts, this.tick);
    this.node.dataset.name = name;
    cards.cards.set(name, this);
    cards.sight.observe(this.node);
  }

  fill(row: Row, selected: boolean, ticked: Set<string>) {
    const { box, node, pick, tick } = this;
    node.classList.toggle("selected", selected);
    pick.ariaPressed = String(selected);
    box.checked = ticked.has(row.name);
    box.disabled = Boolean(row.problem) || (!box.checked && ticked.size >= 2);
    tick.title = row.problem ? "This checkpoint can't be used." : box.disabled ? "Compare two at a time." : "";
    const stamp = JSON.stringify(row);
    if (this.stamp !== stamp) {
      Object.assign(this, { row, stamp, picture: null });
      node.classList.toggle("unusable", Boolean(row.problem));
      this.facts.replaceChildren(...factsOf(row));
      this.heads.replaceChildren();
      this.look(this.seen);
    }
    if (this.picture && this.ink !== this.cards.theme.ink) this.paint();
  }

  // Requests the picture of a visible card; queued, since there can be many.
  async look(seen: boolean) {
    this.seen = seen;
    if (!seen || this.picture || this.row.problem) return;
    waiting.add(this);
    if (asking >= AT_ONCE) return;
    asking += 1;
    for (const each of waiting) {
      waiting.delete(each);
      if (each.seen && each.node.isConnected && !each.picture) await each.ask();
    }
    asking -= 1;
  }

  async ask() {
    const { name, stamp } = this.row;
    const wanted = () => this.seen && this.row.stamp === stamp;
    const { tensor, problem, later } = await attentionOf(name, { heads: "few", stamp }, wanted);
    if (this.row.stamp !== stamp) return;
    if (!later) this.picture = tensor ?? problem; // otherwise it is requested again when it becomes visible
    if (tensor) this.paint();
    else if (problem) this.heads.replaceChildren(element("span", "why", problem));
  }

  paint() {
    const { picture, heads: box, cards: { theme } } = this;
    this.ink = theme.ink;
    if (!picture || typeof picture === "string" || !picture.heads) return;
    const { rows, columns, cells, heads } = picture;
    box.replaceChildren(...Array.from({ length: heads.count }, (_, head) => {
      const values = picture.values.subarray(head * cells, (head + 1) * cells);
      return drawn(element("canvas"), imageOf({ ...picture, values, rows: rows.count, columns: columns.count }, theme));
    }));
    const label = `Attention of ${heads.count}${heads.size > heads.count ? ` of ${heads.size}` : ""} head${heads.size > 1 ? "s" : ""}`;
    Object.assign(box, { role: "img", ariaLabel: label, title: `${label} on an example` });
  }
}

function factsOf({ problem, task, reads, architecture, exact, sequences, evidence, step, size, saved, origin, begun, shipped }: Row) {
  const tested = typeof exact === "number";
  const gauge = tested && element("div", "gauge");
  if (gauge) gauge.style.setProperty("--share", String(exact));
  const score = element("div", "score", tested && element("strong", "", percent(exact), " "), element("span", "soft", tested ? `exact match${sequences ? ` on ${whole(sequences)} inputs` : ""}` : "not tested"));
  score.title = evidence;
  const badges = [problem && "unusable", origin && `from ${origin}`, begun && `goes on from ${begun}`, shipped && "included with the app"];
  return [
    problem ? "" : element("div", "", `${task}, ${reads}`),
    element("div", "soft", problem || architecture),
    problem ? "" : score,
    gauge || "",
    element("div", "soft", [step, size, !shipped && time.format(1000 * saved)].filter(Boolean).join(" · ")),
    element("div", "badges wrap", ...badges.map((text) => text && element("span", "badge", text))),
  ];
}
