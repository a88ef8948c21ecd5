// The theme selector of every page; start.ts makes Streamlit follow the choice.

import { element } from "../parts/words.ts";

const THEMES = { "": "System theme", light: "Light theme", dark: "Dark theme" };
const { chosen, choose }: { chosen(): string, choose(name: string): void } = (window as any).playgroundTheme;

export function themes() {
  const list = element("select", "small-button");
  list.setAttribute("aria-label", "Theme");
  list.title = "Choose a light or dark theme";
  for (const [name, title] of Object.entries(THEMES)) list.add(new Option(title, name));
  list.value = chosen();
  list.addEventListener("change", () => choose(list.value));
  return list;
}
