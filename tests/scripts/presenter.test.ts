import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";

import "./browser.ts";

// Streamlit's page: a navigation and two parts, of which each slide shows one.
document.body.innerHTML = `
  <div class="stAppHeader"><a href="/build">Build</a><a href="/train">Train</a><a href="/learn">Learn</a></div>
  <div class="stMain"><div class="stMainBlockContainer">
    <div class="stElementContainer st-key-first"></div>
    <div class="stElementContainer st-key-second"><div class="st-key-reveal-1"><button>Show the answer</button></div></div>
  </div></div>`;
mock.timers.enable({ apis: ["setTimeout", "setInterval"] });
await import("../../playground/ui/shell/start.ts");
const { default: component, listen } = await import("../../playground/ui/shell/presenter.ts");

const page = document.documentElement;
const slide = (name: string, parts: string[]) => ({ name, title: `Slide ${name}`, parts, panels: [], shrinks: false });
const SLIDES = [slide("one", ["first"]), slide("two", ["second"])];
const KEYS = ["f", "Escape", "PageDown", "PageUp", "ArrowRight", "ArrowLeft", "Shift+PageDown", "Shift+PageUp", " ", "s", "b", ".", "q", "l", "a"];
const root = document.createElement("div");
document.body.append(root);
let sent: any[] = [];

function press(key: string, more: object = {}) {
  const event = new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true, composed: true, ...more });
  document.body.dispatchEvent(event);
  return event;
}

function draw(slides = SLIDES) {
  const data = { page: "train", title: "Train", max_chars: {}, pages: ["build", "train", "learn"], slides, keys: KEYS };
  component({ data, parentElement: root, setStateValue: () => {}, setTriggerValue: () => {} });
}

beforeEach(() => {
  history.replaceState(null, "", "/train");
  sent = [];
  draw();
  press("Escape");
});

test("a key enters at the first slide, a clicker turns slides, and Escape leaves", () => {
  press("f");
  assert.equal(page.dataset.slide, "one");
  press("PageDown");
  assert.deepEqual([page.dataset.slide, page.dataset.parts], ["two", "second"]);
  press("PageUp");
  assert.equal(page.dataset.slide, "one");
  press("Escape");
  assert.deepEqual([page.dataset.slide, page.hasAttribute("data-present")], [undefined, false]);
});

test("every change of the address keeps the slide, also Streamlit's own", () => {
  press("f");
  press("PageDown");
  assert.equal(location.search, "?present=two");
  history.replaceState(null, "", "/train?run=7");
  assert.equal(location.search, "?run=7&present=two");
  press("Escape");
  assert.equal(location.search, "?run=7");
});

test("keys do nothing on a page without slides, or with a modifier, or while somebody types", () => {
  draw([]);
  press("f");
  assert.equal(page.hasAttribute("data-present"), false);
  draw();
  press("f", { ctrlKey: true });
  assert.equal(page.hasAttribute("data-present"), false);
  const field = document.createElement("input");
  document.body.append(field);
  field.dispatchEvent(new KeyboardEvent("keydown", { key: "f", bubbles: true, composed: true }));
  field.remove();
  assert.equal(page.hasAttribute("data-present"), false);
});

test("keys that steer a run are acts, one for each press and none while a key is held", () => {
  const end = listen({ data: { link: { run: "7" }, session: "a", heard: 0 }, parentElement: root, setTriggerValue: () => {},
    setStateValue: (_name, value) => sent.push(value) });
  press("f");
  press("s");
  press(" ", { repeat: true });
  listen({ data: { link: { run: "7" }, session: "a", heard: 1 }, parentElement: root, setTriggerValue: () => {},
    setStateValue: (_name, value) => sent.push(value) });
  press(" ");
  assert.deepEqual(sent.map(({ acts }) => acts), [[[1, "step", "", 1]], [[2, "run", "", 1]]]);
  end();
});

test("on the slide of a question the space bar shows its answer", () => {
  let clicks = 0;
  document.querySelector(".st-key-reveal-1 button")?.addEventListener("click", () => (clicks += 1));
  press("f");
  press("PageDown");
  press(" ");
  assert.equal(clicks, 1);
});

test("any key closes the black screen and does nothing else", () => {
  press("f");
  press("b");
  const black = document.querySelector<HTMLElement>(".playground-presenter .black");
  assert.equal(black?.hidden, false);
  press("PageDown");
  assert.deepEqual([black?.hidden, page.dataset.slide], [true, "one"]);
});

test("a clicker's reload key does nothing while presenting", () => {
  assert.equal(press("F5").defaultPrevented, false);
  press("f");
  assert.equal(press("F5").defaultPrevented, true);
});

test("the next page is opened by its link in the navigation", () => {
  const opened: string[] = [];
  for (const link of document.querySelectorAll("a")) {
    link.addEventListener("click", (event) => {
      event.preventDefault();
      opened.push(link.textContent ?? "");
    });
  }
  press("f");
  press("PageDown", { shiftKey: true });
  press("PageUp", { shiftKey: true });
  assert.deepEqual(opened, ["Learn", "Build"]);
});

test("after the last slide the next page follows, before the first one the last slide of the previous page", () => {
  const opened: string[] = [];
  const note = (event: Event) => {
    event.preventDefault();
    opened.push((event.target as Element).textContent ?? "");
  };
  document.querySelector(".stAppHeader")?.addEventListener("click", note);
  press("f");
  press("PageDown");
  press("PageDown");
  assert.deepEqual([opened, page.dataset.slide], [["Learn"], "two"]);
  draw();
  assert.equal(page.dataset.slide, "one", "the next page shows its first slide");
  press("PageUp");
  draw();
  assert.deepEqual([opened, page.dataset.slide], [["Learn", "Build"], "two"]);
  document.querySelector(".stAppHeader")?.removeEventListener("click", note);
});

test("the list of slides jumps to one", () => {
  press("f");
  const menu = document.querySelector<HTMLElement>(".playground-presenter .slides");
  Object.assign(menu as object, { togglePopover: () => {}, hidePopover: () => {} });
  press("l");
  const items = [...(menu?.querySelectorAll("section:first-child button") ?? [])] as HTMLElement[];
  assert.deepEqual(items.map(({ textContent }) => textContent), ["Slide one", "Slide two"]);
  assert.deepEqual(items.map(({ ariaCurrent }) => ariaCurrent), ["true", null]);
  items[1].click();
  assert.equal(page.dataset.slide, "two");
});

test("a view that is added to the lesson plan has the address and the slide that are shown", () => {
  localStorage.clear();
  listen({ data: { link: { run: "7" }, session: "a", heard: 0 }, parentElement: root, setStateValue: () => {}, setTriggerValue: () => {} });
  history.replaceState(null, "", "/train?view=compare");
  press("f");
  press("PageDown");
  press("a");
  const [{ title, at }] = JSON.parse(localStorage["playground lesson plan"]);
  assert.deepEqual([title, at], ["Train: Slide two", "train?view=compare&run=7&present=two"]);
});

test("a shared link has what the page shows, and no slide", () => {
  listen({ data: { link: { run: "7" }, session: "a", heard: 0 }, parentElement: root, setStateValue: () => {}, setTriggerValue: () => {} });
  press("f");
  press("q");
  assert.equal(document.querySelector(".playground-presenter .address")?.textContent, "http://localhost:8501/train?run=7");
});
