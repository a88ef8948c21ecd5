// The theme selector of every page; start.ts makes Streamlit follow the choice.

import { element } from "../parts/words.ts";

const THEMES = { "": "System theme", light: "Light theme", dark: "Dark theme" };
const { chosen, choose }: { chosen(): string, choose(name: string): void } = (window as any).playgroundTheme;

export function themes() {
  const options = Object.entries(THEMES).map(([name, title]) => new Option(title, name));
  const list = element("select", "small-button", ...options, { ariaLabel: "Theme", title: "Choose a light or dark theme", value: chosen() });
  list.addEventListener("change", () => choose(list.value));
  return list;
}
