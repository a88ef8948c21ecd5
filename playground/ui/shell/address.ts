// The address follows every step on a page without new history entries: "back" leads to the previous page, not to the
// previous step. Only a comparison has its own entry, so "back" leaves it.

const PARAMETER = "compare"; // a query parameter
const PATIENCE = 1000; // ms
const push = history.pushState.bind(history);
let emptied = { from: "", at: -Infinity }; // the last address that lost its query, and when

history.pushState = (state, title, address) => {
  const to = new URL(address ?? "", location.href);
  const leaves = to.pathname !== location.pathname;
  const enters = to.searchParams.has(PARAMETER) && !new URLSearchParams(location.search).has(PARAMETER);
  if (!leaves && location.search && !to.search) emptied = { from: location.href, at: performance.now() };
  // Before a page switch, Streamlit removes the query of the previous page, to which "back" leads.
  if (leaves && !location.search && performance.now() - emptied.at < PATIENCE) {
    history.replaceState(history.state, "", emptied.from);
  }
  leaves || enters ? push(state, title, to.href) : history.replaceState(state, title, address);
};
