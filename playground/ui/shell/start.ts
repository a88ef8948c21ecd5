// Code that must run before Streamlit's own script.

import "./opening.ts";
import { COMPONENT } from "../parts/streamlit_dom.ts";

// The server's address. Streamlit would first try addresses below the page's own: two failed requests per visit.
(window as any).__streamlit = { BACKEND_BASE_URL: new URL("./", document.baseURI).href };

// The theme. Streamlit follows the system theme by this media query; a person's choice overrides its result.
{
  const QUERY = "(prefers-color-scheme: dark)";
  const KEY = "playground theme"; // in localStorage: "light", "dark" or unset
  const ask = matchMedia.bind(window);
  const system = ask(QUERY);
  const read = () => {
    try {
      return localStorage.getItem(KEY) ?? "";
    } catch {
      return ""; // a browser without storage
    }
  };
  let chosen = read();
  let printing = false;

  class Theme extends EventTarget {
    media = QUERY;
    get matches() {
      return !printing && (chosen ? chosen === "dark" : system.matches);
    }
  }
  const theme = new Theme();
  const change = () => {
    document.documentElement.style.colorScheme = theme.matches ? "dark" : "light";
    theme.dispatchEvent(Object.assign(new Event("change"), { matches: theme.matches, media: QUERY }));
  };
  system.addEventListener("change", () => chosen || change());
  // Paper is white. What is drawn already, in pixels, keeps its colours and width: style sheets invert and scale it.
  const root = document.documentElement.style;
  addEventListener("beforeprint", () => {
    if (theme.matches) root.setProperty("--paper", "invert(1) hue-rotate(180deg)");
    document.querySelectorAll<HTMLElement>(COMPONENT).forEach((each) => each.style.setProperty("--drawn", String(each.clientWidth)));
    printing = true;
    change();
  });
  addEventListener("afterprint", () => {
    root.removeProperty("--paper");
    printing = false;
    change();
  });
  window.matchMedia = (query) => (query === QUERY ? (theme as any) : ask(query));
  (window as any).playgroundTheme = {
    chosen: () => chosen,
    /** @param name "light", "dark", or "" for the system's */
    choose(name: string) {
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

// Prefetch files that are needed later, now that the page's own scripts have loaded.
addEventListener("DOMContentLoaded", () => {
  const soon = document.getElementById("soon") as HTMLTemplateElement | null;
  if (soon) document.head.append(soon.content);
});
