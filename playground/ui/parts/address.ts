// The address of the page: its history, what every address keeps, what a link to the page has, and how one is opened.
//
// The address follows every step on a page without new history entries: "back" leads to the previous page, not to the
// previous step. Only a comparison has its own entry, so "back" leaves it.

const PARAMETER = "compare"; // a query parameter
const PATIENCE = 1000; // ms
const push = history.pushState.bind(history);
const replace = history.replaceState.bind(history);
const kept: Map<string, () => string | null> = new Map(); // query parameters that Streamlit doesn't know
const watchers: Set<() => void> = new Set();
let emptied = { from: "", at: -Infinity }; // the last address that lost its query, and when
let link: Record<string, string> = {}; // additional query parameters of the shared link

history.replaceState = (state, title, address) => {
  replace(state, title, marked(address));
  changed();
};

history.pushState = (state, title, address) => {
  const marks = marked(address);
  const to = new URL(marks ?? "", location.href);
  const leaves = to.pathname !== location.pathname;
  const enters = to.searchParams.has(PARAMETER) && !new URLSearchParams(location.search).has(PARAMETER);
  if (!leaves && location.search && !to.search) emptied = { from: location.href, at: performance.now() };
  // Before a page switch, Streamlit removes the query of the previous page, to which "back" leads.
  if (leaves && !location.search && performance.now() - emptied.at < PATIENCE) {
    history.replaceState(history.state, "", emptied.from);
  }
  leaves || enters ? push(state, title, to.href) : replace(state, title, marks);
  changed();
};

addEventListener("popstate", changed);

/** Keeps a query parameter in every address, also in those that Streamlit writes; `value` returns null to remove it. */
export function keep(word: string, value: () => string | null) {
  kept.set(word, value);
}

/** Writes the address again, with what it keeps. */
export function renew() {
  history.replaceState(history.state, "", location.href);
}

/** Calls `watcher` at each change of the address or of the shared link. */
export function onAddress(watcher: () => void) {
  watchers.add(watcher);
}

/** Sets additional query parameters of the shared link, such as { run: "…" }. */
export function setLink(words: Record<string, string>) {
  link = words;
  changed();
}

/** The shareable address of the current view, without what only this tab keeps. */
export function shared() {
  const url = bare(new URL(location.href));
  for (const [word, value] of Object.entries(link)) url.searchParams.set(word, value);
  return url;
}

/** Removes what only a tab keeps. */
export function bare(url: URL) {
  for (const word of kept.keys()) url.searchParams.delete(word);
  return url;
}

/** Whether two addresses differ only in what a tab keeps. */
export function alike(one: URL, other: URL) {
  const [first, second] = [one, other].map((each) => bare(new URL(each)));
  for (const { searchParams } of [first, second]) searchParams.sort();
  return first.pathname === second.pathname && String(first.searchParams) === String(second.searchParams);
}

/** Opens an address of the app. The server reads it as it does when a page is loaded, see session/address.py. */
export function visit(url: URL) {
  history.pushState(history.state, "", url.href);
  dispatchEvent(new PopStateEvent("popstate", { state: history.state }));
}

function marked(address: string | URL | null | undefined) {
  if (address === undefined || address === null) return address;
  const url = new URL(address, location.href);
  const before = url.href;
  for (const [word, value] of kept) {
    const now = value();
    if (url.searchParams.get(word) === now) continue;
    now === null ? url.searchParams.delete(word) : url.searchParams.set(word, now);
  }
  return url.href === before ? address : url.href;
}

function changed() {
  for (const watcher of watchers) watcher();
}
