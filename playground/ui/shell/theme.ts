// The theme selector of every page; start.ts makes Streamlit follow the choice.

import { element } from "../parts/words.ts";

const THEMES = { "": "System theme", light: "Light theme", dark: "Dark theme" };
const { chosen, choose }: { chosen(): string, choose(name: string): void } = (window as any).playgroundTheme;

export function themes() {
  const options = Object.entries(THEMES).map(([name, title]) => new Option(title, name));
  const list = element("select", "small-button", ...options, { ariaLabel: "Theme", title: "Choose a light or dark theme", value: chosen() });
  list.addEventListener("change", () => choose(list.value));
  const symbol = element("span", "symbol", { ariaHidden: "true" });
  symbol.innerHTML = '<svg viewBox="0 0 14 14"><circle cx="7" cy="7" r="6"/><path d="M7 1a6 6 0 0 1 0 12z" fill="currentColor"/></svg>';
  return element("span", "theme", list, symbol);
}
