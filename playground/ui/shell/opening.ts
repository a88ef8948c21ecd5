// Removes the opening once the page is drawn to its foot; what was typed into it goes on there. Until then it shows how many
// of the files have come.

import { keyed, MAIN, SKELETON } from "../parts/streamlit_dom.ts";

const LONGEST = 10_000; // milliseconds that it stays after the page's first text has come
const PAUSE = 20; // milliseconds between two looks; an animation frame never comes to a tab in the background
const FAILED = "A part of the app didn't load. Reload the page.";

const words = new URLSearchParams(location.search);
document.documentElement.classList.toggle("bare", words.has("present") || words.has("embed"));

// The end of the page's own text comes late: after all its scripts. A part of it can come before the rest.
function begin() {
  const opening = document.getElementById("opening");
  const [status, bar] = [opening?.querySelector(".loading [role=status]"), opening?.querySelector("progress")];
  if (!opening || !status || !bar) return void (document.readyState === "loading" && setTimeout(begin));
  const { content } = document.getElementById("soon") as HTMLTemplateElement;
  bar.max = document.querySelectorAll("head :is(script[src], link)").length + content.childElementCount;

  const files = new PerformanceObserver((list) => bar.value += list.getEntries().length);
  files.observe({ type: "resource", buffered: true });
  const failed = () => status.textContent = FAILED; // of a file, or of a script
  addEventListener("error", failed, { capture: true });

  let since = 0; // when the page's text began to come
  const look = () => {
    if (document.querySelector(MAIN)?.textContent?.trim()) since ||= performance.now();
    const [asked] = [...document.querySelectorAll(`${keyed("first-look")} *`)].map((node) => node.shadowRoot).filter(Boolean);
    const waits = !document.querySelector(".page-foot") || document.querySelector(`${MAIN} ${SKELETON}`)
      || (asked && !asked.querySelector(".token, .status:not(:empty)"));
    const late = since && performance.now() - since > LONGEST;
    if (waits && !late && !document.querySelector("section[role=dialog]")) return setTimeout(look, PAUSE);
    files.disconnect();
    removeEventListener("error", failed, { capture: true });
    const typed = opening.querySelector(".look")?.shadowRoot?.querySelector("input");
    const focused = Boolean(typed?.matches(":focus"));
    opening.remove();
    const field = asked?.querySelector("input");
    if (!typed || !field) return;
    if (field.value !== typed.value) Object.assign(field, { value: typed.value }).dispatchEvent(new Event("input"));
    if (focused) field.focus();
  };
  look();
}

begin();
