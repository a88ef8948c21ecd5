// A lesson plan: views of this app in order. The browser keeps it for all tabs; each change reads it again, so that no
// tab loses what another one has added. A link carries it in its fragment, which no server gets.

import { remember, remembered } from "../parts/words.ts";

/** A view: `at` is its page and query parameters, relative to the app, such as "train?run=7&present=loss". */
export type View = { id: string, title: string, at: string };

export const MAX_VIEWS = 40;
export const MAX_TITLE = 100; // characters
const MAX_ADDRESS = 2000;
const MAX_LINK = 8000;
const MAX_TEXT = 200_000; // of a link, decompressed

const MARK = "#plan=";
const PLAN = "playground lesson plan"; // in localStorage
const BEFORE = `${PLAN} before`; // the plan before the last change, for Undo
const unkept: Record<string, string> = {}; // in a browser without storage

export const FULL = `A lesson plan holds ${MAX_VIEWS} views at most. Delete one first.`;
export const LONG_ADDRESS = "The link to this view is too long for a lesson plan.";
export const LONG_PLAN = "This plan is too long for a link. Delete some of its views.";

/** The plan without what leads to none of these pages of the app. */
export function views(pages: string[]) {
  return valid(parsed(kept(PLAN)), pages);
}

/** Whether `undo` would change something. */
export function undoable() {
  return kept(BEFORE) !== "" && kept(BEFORE) !== kept(PLAN);
}

export function undo() {
  keep(kept(BEFORE) || "[]", kept(PLAN) || "[]");
}

/** Replaces the plan by what `by` makes of it. */
export function change(pages: string[], by: (plan: View[]) => View[]) {
  keep(JSON.stringify(by(views(pages))), kept(PLAN) || "[]");
}

/** Undo keeps the new name. */
export function rename(pages: string[], id: string, title: string) {
  const renamed = (name: string) =>
    JSON.stringify(valid(parsed(kept(name)), pages).map((view) => (view.id === id ? { ...view, title } : view)));
  keep(renamed(PLAN), kept(BEFORE) && renamed(BEFORE));
}

/** Adds a view; returns why it can't, or "". */
export function add(pages: string[], title: string, address: string) {
  const at = relative(address, pages);
  if (at === null) return LONG_ADDRESS;
  if (views(pages).length >= MAX_VIEWS) return FULL;
  change(pages, (plan) => [...plan, { id: newId(), title: title.slice(0, MAX_TITLE), at }]);
  return "";
}

/** Calls `watcher` when another tab has changed the plan. */
export function onOtherTab(watcher: () => void) {
  addEventListener("storage", ({ key }) => (key === PLAN || key === null) && watcher());
}

// ---- links

/** The link that carries a plan, or null if it would be too long. */
export async function linkOf(plan: View[]) {
  const text = JSON.stringify(plan.map(({ title, at }) => [title, at]));
  const packed = new Blob([text]).stream().pipeThrough(new CompressionStream("deflate-raw"));
  const bytes = new Uint8Array(await new Response(packed).arrayBuffer());
  const word = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
  const link = MARK + word.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
  return link.length > MAX_LINK ? null : new URL(link, new URL("./", document.baseURI)).href;
}

/** What a fragment has of a plan, "" if it is none. */
export function inFragment(hash: string) {
  return hash.startsWith(MARK) ? hash.slice(MARK.length) : "";
}

/**
 * The plan of a link, of which nothing is trusted, and how many of its views are left out: they lead to no page of this
 * app, or are too many. Null if it can't be read.
 */
export async function ofLink(word: string, pages: string[]) {
  try {
    if (word.length > MAX_LINK) return null;
    const bytes = Uint8Array.from(atob(word.replaceAll("-", "+").replaceAll("_", "/")), (letter) => letter.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw")).pipeThrough(new TextDecoderStream());
    let text = "";
    for (const reader = stream.getReader(); ;) {
      const { done, value } = await reader.read();
      if (done) break;
      text += value;
      if (text.length > MAX_TEXT) return null;
    }
    const list: unknown = JSON.parse(text);
    if (!Array.isArray(list)) return null;
    const plan = valid(list.map((each) => ({ id: newId(), title: each?.[0], at: each?.[1] })), pages);
    return { plan, left: list.length - plan.length };
  } catch {
    return null;
  }
}

/** Whether two plans have the same views in the same order. */
export function same(one: View[], other: View[]) {
  return one.length === other.length && one.every(({ title, at }, index) => title === other[index].title && at === other[index].at);
}

// ---- checks

function valid(list: unknown, pages: string[]): View[] {
  if (!Array.isArray(list)) return [];
  return list.flatMap((each) => {
    const at = typeof each?.at === "string" ? relative(each.at, pages) : null;
    return at === null || typeof each.id !== "string" || typeof each.title !== "string" ? [] : [{ id: each.id, title: each.title.slice(0, MAX_TITLE), at }];
  }).slice(0, MAX_VIEWS);
}

// Page and query parameters of an address of this app; null for any other.
function relative(address: string, pages: string[]) {
  const base = new URL("./", document.baseURI);
  const url = URL.canParse(address, base.href) && new URL(address, base.href);
  if (!url || url.origin !== base.origin || !url.pathname.startsWith(base.pathname) || address.length > MAX_ADDRESS) return null;
  const path = url.pathname.slice(base.pathname.length);
  return pages.includes(path) ? `${path || "./"}${url.search}` : null;
}

// ---- storage

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function kept(name: string) {
  return unkept[name] || (remembered("localStorage", name) ?? "");
}

function keep(plan: string, before: string) {
  for (const [name, text] of [[PLAN, plan], [BEFORE, before]]) {
    remember("localStorage", name, text);
    unkept[name] = remembered("localStorage", name) === text ? "" : text;
  }
}

// crypto.randomUUID is missing where a page comes by http from another machine.
function newId() {
  return crypto.getRandomValues(new Uint32Array(2)).join("-");
}
