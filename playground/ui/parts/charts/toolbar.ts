// Toolbar above the charts: the current step and view settings.

import { button as buttonOf, element, write } from "../words.ts";
import type { Board } from "./charts.ts";

const OVER = [0, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000]; // steps to smooth over

export function toolbar(board: Board) {
  const last = element("span");
  const at = element("span");
  const open = button("Step through", () => board.open(board.step ?? board.newest));
  const newest = button("Latest", () => board.hold(null));
  const whole = button("Whole run", () => board.zoom());
  const announcement = element("span", "word", { role: "status" });
  const log = check("Log scale", (on) => board.change({ log: on }));
  const norm = check("Gradient norm", (on) => board.observe(on));
  const slider = element("input", "", { type: "range", min: "0", max: String(OVER.length - 1), step: "1", ariaLabel: "Smoothing" });
  const over = element("output", "over");
  slider.addEventListener("input", () => board.change({ smoothing: OVER[Number(slider.value)] }));
  const menu = downloads(board);
  open.title = "Open this training step in Step through.";
  const step = element("output", "now", at, last);
  const acts = element("span", "acts", open, newest, whole);
  const smoothing = element("label", "smoothing", "Smoothing ", slider, over);
  const node = element("div", "bar wrap", step, acts, announcement, smoothing, log.node, norm.node, menu.node, { role: "toolbar", ariaLabel: "Charts" });
  return {
    node,
    say: (text: string) => (announcement.textContent = text),
    tell(shown: number | null, newestStep: number) {
      write(at, `Step ${words(shown ?? newestStep)}`);
      last.textContent = shown === null ? " (latest)" : "";
      newest.classList.toggle("unused", board.held === null);
      open.classList.toggle("unused", !board.data.opens || board.held === null);
    },
    update() {
      const { look, data } = board;
      log.input.checked = look.log;
      slider.value = String(OVER.indexOf(look.smoothing));
      over.textContent = look.smoothing ? `over ${look.smoothing} steps` : "off";
      slider.setAttribute("aria-valuetext", over.textContent);
      whole.classList.toggle("unused", !board.zoomed);
      norm.node.hidden = data.observes === null;
      norm.input.disabled = !data.observes;
      norm.node.title = data.observes === false ? "You can turn the gradient norm on or off only while the run trains." : "";
      norm.input.checked = board.observed;
      menu.update();
    },
  };
}

function words(step: number) {
  return step.toLocaleString("en-US");
}

function button(text: string, act: () => void) {
  const node = buttonOf("", text, act);
  // A press while a chart has the focus must keep the step chosen there.
  node.addEventListener("pointerdown", (event) => event.preventDefault());
  return node;
}

function check(text: string, act: (on: boolean) => void) {
  const input = element("input", "", { type: "checkbox" });
  input.addEventListener("change", () => act(input.checked));
  return { node: element("label", "check", input, text), input };
}

// The download menu: one or all charts, as an image or as numbers.
function downloads(board: Board) {
  const which = element("select", "", { ariaLabel: "Which charts" });
  const kinds = [["PNG", "png"], ["SVG", "svg"], ["CSV", "csv"]].map(([text, kind]) => {
    const one = button(text, () => {
      board.download(kind, which.value);
      node.open = false;
    });
    return Object.assign(one, { ariaLabel: `Download as ${text}` });
  });
  const note = element("small", "", "PNG and SVG show the charts as drawn. CSV has every recorded step.");
  const summary = element("summary", "", "Download");
  const node = element("details", "downloads", summary, element("div", "menu", which, element("div", "kinds", ...kinds), note));
  const leave = (event: Event) => {
    if (node.open && !event.composedPath().includes(node)) node.open = false;
  };
  node.addEventListener("toggle", () => {
    if (node.open) document.addEventListener("pointerdown", leave);
    else document.removeEventListener("pointerdown", leave);
  });
  node.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !node.open) return;
    node.open = false;
    summary.focus();
    event.stopPropagation();
  });
  return {
    node,
    update() {
      const names = [["", "All charts"], ...board.panels.filter((panel) => "picture" in panel).map(({ panel }) => [panel.name, panel.title])];
      const text = JSON.stringify(names);
      if (which.dataset.names === text) return;
      which.dataset.names = text;
      which.replaceChildren(...names.map(([name, title]) => new Option(title, name)));
    },
  };
}
