// The address follows every step on a page. That is no travel: "back" leads to the page before, not to the step before.
// Only a comparison is a place of its own, and "back" leads out of it.

const PLACE = "compare"; // a word of the address
const push = history.pushState.bind(history);

history.pushState = (state, title, address) => {
  const to = new URL(address ?? "", location.href);
  const enters = to.searchParams.has(PLACE) && !new URLSearchParams(location.search).has(PLACE);
  const travels = to.pathname !== location.pathname || enters;
  travels ? push(state, title, address) : history.replaceState(state, title, address);
};
