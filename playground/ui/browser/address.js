// The address follows every step on a page. That is no travel: "back" leads to the page before, not to the step before.
// Only a comparison is a place of its own, and "back" leads out of it.

const PLACE = "compare"; // a word of the address
const PATIENCE = 1000; // ms
const push = history.pushState.bind(history);
let emptied = null; // what will take all words out of the address

history.pushState = (state, title, address) => {
  const to = new URL(address ?? "", location.href);
  const here = to.pathname === location.pathname;
  const waited = emptied !== null;
  clearTimeout(emptied);
  emptied = null;
  // Before it turns to another page, Streamlit takes the words from the one that is left, to which "back" shall lead.
  if (here && location.search && !to.search) {
    emptied = setTimeout(() => {
      emptied = null;
      if (location.pathname === to.pathname) history.replaceState(state, title, address);
    }, PATIENCE);
    return;
  }
  const enters = to.searchParams.has(PLACE) && !new URLSearchParams(location.search).has(PLACE);
  // The new page would inherit what was to be taken away.
  const target = !here && waited ? to.pathname : address;
  !here || enters ? push(state, title, target) : history.replaceState(state, title, target);
};
