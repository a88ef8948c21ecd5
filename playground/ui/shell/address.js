// The address follows every step on a page. That is no travel: "back" leads to the page before, not to the step before.
// Only a comparison is a place of its own, and "back" leads out of it.

const PLACE = "compare"; // a word of the address
const PATIENCE = 1000; // ms
const push = history.pushState.bind(history);
let emptied = { from: "", at: -Infinity }; // the address that lost all its words last, and when

history.pushState = (state, title, address) => {
  const to = new URL(address ?? "", location.href);
  const leaves = to.pathname !== location.pathname;
  const enters = to.searchParams.has(PLACE) && !new URLSearchParams(location.search).has(PLACE);
  if (!leaves && location.search && !to.search) emptied = { from: location.href, at: performance.now() };
  // Before it turns to another page, Streamlit takes the words from the one that is left, to which "back" leads.
  if (leaves && !location.search && performance.now() - emptied.at < PATIENCE) {
    history.replaceState(history.state, "", emptied.from);
  }
  leaves || enters ? push(state, title, to.href) : history.replaceState(state, title, address);
};
