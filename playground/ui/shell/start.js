// What must run before Streamlit's own script.

// Where the server is. Streamlit would ask below the page's own address first, in vain: two failed requests a visit.
/** @type {any} */ (window).__streamlit = { BACKEND_BASE_URL: new URL("./", document.baseURI).href };

// The theme. Streamlit follows the system's, which it asks for by this query: a person's choice answers in its place.
{
  const QUERY = "(prefers-color-scheme: dark)";
  const KEY = "playground theme"; // in this browser's storage: "light", "dark", or nothing
  const ask = matchMedia.bind(window);
  const system = ask(QUERY);
  const read = () => {
    try {
      return localStorage.getItem(KEY) ?? "";
    } catch {
      return ""; // a browser that refuses storage
    }
  };
  let chosen = read();

  class Theme extends EventTarget {
    media = QUERY;
    get matches() {
      return chosen ? chosen === "dark" : system.matches;
    }
  }
  const theme = new Theme();
  const change = () => {
    document.documentElement.style.colorScheme = theme.matches ? "dark" : "light";
    theme.dispatchEvent(Object.assign(new Event("change"), { matches: theme.matches, media: QUERY }));
  };
  system.addEventListener("change", () => chosen || change());
  window.matchMedia = (query) => (query === QUERY ? /** @type {any} */ (theme) : ask(query));
  /** @type {any} */ (window).playgroundTheme = {
    chosen: () => chosen,
    /** @param {string} name "light", "dark", or "" for the system's */
    choose(name) {
      chosen = name;
      try {
        name ? localStorage.setItem(KEY, name) : localStorage.removeItem(KEY);
      } catch {
        // For this page only.
      }
      change();
    },
  };
  change();
}

// What will be needed, now that the scripts of the page itself are here and run: their files come first.
addEventListener("DOMContentLoaded", () => {
  const soon = /** @type {HTMLTemplateElement | null} */ (document.getElementById("soon"));
  if (soon) document.head.append(soon.content);
});
