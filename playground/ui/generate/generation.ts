// An answer token by token: the tokens so far, the probabilities of the next one, and buttons.

import pageCss from "../parts/page.css";
import baseCss from "../parts/base.css";
import generationCss from "./generation.css";
import { Acts } from "../parts/acts.ts";
import { free, nameOf } from "../parts/shortcuts.ts";
import { component } from "../parts/component.ts";
import { arrange, button, element, percent, visible, write } from "../parts/words.ts";
import type { Call, Root } from "../parts/component.ts";

const PACE = 900; // milliseconds from token to token
const PLAY = "Play tokens"; // the training has a Play of its own

const KEYS: Record<string, string> = {
  ArrowRight: "next",
  ArrowLeft: "undo",
  p: "play",
  End: "finish",
  Home: "restart",
};

/** `cut` names the rule that excludes a token from sampling: "" if none. */
type Bar = { id: number, label: string, probability: number, drawn: number, cut: string };
type Token = { label: string, forced: boolean, probability: number };
/**
 * `position`, from 0, is that of the token whose bars are shown; `chosen` is its id, as the settings choose it, unless a
 * person has forced another. `complete`: nothing can follow; `ended`: because the last token ends the answer.
 */
type Data = { answer: Token[], position: number, bars: Bar[], more: number, rest: number, chosen: number,
    sampled: boolean, complete: boolean, ended: boolean, session: string,
    heard: number };

let shown: Generation | null = null; // the newest

document.addEventListener("keydown", (event) => {
  if (!shown?.root.isConnected || !free(event)) return;
  const action = KEYS[nameOf(event)];
  if (!action) return;
  event.preventDefault();
  if (!event.repeat || action === "next" || action === "undo") shown.act(action);
});

export default component([pageCss, baseCss, generationCss], (root) => new Generation(root), (generation, { data, setStateValue }: Call<Data>) => {
  shown = generation;
  generation.show(data);
  generation.acts.adopt(data, (message) => setStateValue("acts", message));
});

class Generation {
  root: Root;
  undo = this.tool("Undo", "undo", "ArrowLeft");
  next = this.tool("Next token", "next", "ArrowRight");
  play = this.tool(PLAY, "play", "P");
  finish = this.tool("Finish", "finish", "End");
  restart = this.tool("Start over", "restart", "Home");
  tools = element("div", "tools wrap", this.undo, this.next, this.play, this.finish, this.restart);
  answer = element("ol", "answer wrap", { ariaLabel: "Answer so far" });
  announcement = element("div", "announcement", { role: "status" });
  heads = element("div", "bar heads small soft", { ariaHidden: "true" });
  bars = element("ol", "bars", { ariaLabel: "Probabilities of the token" });
  more = element("div", "small soft");
  parts = [this.answer, this.tools, this.announcement, this.heads, this.bars, this.more];
  acts = new Acts();
  data!: Data;
  timer = 0;
  playing = false;

  constructor(root: Root) {
    this.root = root;
    root.querySelector(".generation")?.append(...this.parts);
  }

  tool(label: string, action: string, key: string) {
    return button("small-button", label, () => this.act(action), { ariaKeyShortcuts: key });
  }

  close() {
    this.pause();
    this.acts.release();
    for (const part of this.parts) part.remove();
    if (shown === this) shown = null;
  }

  act(action: string) {
    if (action === "play") return this.playing ? this.pause() : this.begin();
    this.pause();
    if ((action === "next" || action === "finish") && this.data.complete) return;
    if ((action === "undo" || action === "restart") && !this.data.answer.length) return;
    action === "restart" ? this.acts.add("back", "", 0) : this.acts.add(action);
  }

  begin() {
    if (this.data.complete) this.acts.add("back", "", 0);
    this.playing = true;
    write(this.play, "Pause tokens");
    this.tick();
  }

  pause() {
    clearTimeout(this.timer);
    this.playing = false;
    write(this.play, PLAY);
  }

  // One token after the other, each after the previous one has arrived.
  tick() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      if (!this.root.isConnected) return this.pause();
      if (this.acts.pending.length) return this.tick();
      if (this.data.complete) return this.pause();
      this.acts.add("next");
      this.tick();
    }, PACE);
  }

  show(data: Data) {
    this.data = data;
    const { answer, complete, ended, position, sampled } = data;
    this.undo.disabled = this.restart.disabled = !answer.length;
    this.next.disabled = this.finish.disabled = complete;
    const tokens = answer.map((token, at) => this.token(token, at));
    const grown = tokens.length !== this.answer.querySelectorAll("button").length;
    arrange(this.answer, tokens.length ? tokens : [element("li", "soft", "No tokens yet")]);
    if (grown) this.answer.scrollTop = this.answer.scrollHeight; // to the newest token
    const chosen = data.bars.find(({ id }) => id === data.chosen);
    const chance = sampled ? `sampling probability ${percent(chosen?.drawn ?? 0)}` : percent(chosen?.probability ?? 0);
    const named = `token ${position + 1}, “${visible(chosen?.label ?? "")}” (${chance})`;
    write(this.announcement, ended ? `The answer is complete: ${named} ends it.`
      : complete ? `The answer has reached its maximum length. It ends with ${named}.`
      : `Next: ${named}. Click another token to use it instead.`);
    const heads = ["token", "probability, 0 to 100 %", "", ...(sampled ? ["sampling probability", ""] : [])].map((text) => element("span", "", text));
    this.heads.replaceChildren(...heads);
    this.heads.classList.toggle("sampled", sampled);
    this.bars.replaceChildren(...data.bars.map((bar) => this.bar(bar)));
    write(this.more, data.more ? `${data.more} more tokens have ${percent(data.rest)} together.` : "");
  }

  // Returns to the state before a token.
  token({ label, forced, probability }: Token, at: number) {
    const inside = element("span", "", visible(label));
    const description = `${visible(label)}, token ${at + 1}, ${percent(probability)}${forced ? ", forced" : ""}`;
    const node = button(`tok${forced ? " forced" : ""}`, inside, () => {
      this.pause();
      this.acts.add("back", "", at);
    }, { ariaLabel: `${description}. Remove it and all later tokens`, title: `${description}. Click to remove it and all later tokens.` });
    return element("li", "", node, element("span", "small soft", forced ? "forced" : percent(probability)));
  }

  // One token of the vocabulary: its probability and, when sampling, its probability after the settings.
  bar({ id, label, probability, drawn, cut }: Bar) {
    const { chosen, position, sampled } = this.data;
    const amount: (value: number, kind: string) => HTMLElement = (value, kind) => {
      const track = element("span", `track ${kind}`);
      track.style.setProperty("--high", `${100 * value}%`);
      return track;
    };
    const heard = (text: string) => element("span", "unseen", text);
    const cells = [heard("Force "), element("span", "tok", visible(label)), amount(probability, cut && "cut")];
    cells.push(heard(": probability "), element("span", "", percent(probability)));
    if (sampled) {
      cells.push(amount(drawn, "drawn"), heard(cut ? ", " : ", sampling probability "));
      cells.push(element("span", cut ? "soft" : "", cut ? `cut by ${cut}` : percent(drawn)));
    }
    const line = element("span", `bar${sampled ? " sampled" : ""}`, ...cells);
    const node = button("choice", line, () => {
      this.pause();
      this.acts.add("force", "", [position, id]);
    }, { ariaCurrent: id === chosen ? "true" : null });
    return element("li", "", node);
  }
}
