// The room's question, for all: its countdown, the controls of a seat and of the host, and what is revealed.

import questionsCss from "./questions.css";
import { axesOf, bars, inWords, nameOfTruth, numberOf, secondsLeft, truthInWords, written } from "./answers.ts";
import { AskPanel, askedAs } from "./ask_panel.ts";
import { know, room, send } from "./room_client.ts";
import { asked } from "../parts/shown.ts";
import { calm, dress } from "../parts/styles.ts";
import { keyed } from "../parts/streamlit_dom.ts";
import { button, element, write } from "../parts/words.ts";
import type { AskedMark } from "../parts/shown.ts";
import type { Here, Question } from "./room_client.ts";
import type { Bar } from "./answers.ts";

const TICK = 250; // milliseconds between two looks at the countdown
const HURRY = 10; // seconds
const PATIENCE = 250; // milliseconds between two looks for what a question is about
const LOOKS = 20;

/** The question of this tab's room and all that one does with it; empty without a room. */
export function questionArea() {
  dress(document, [questionsCss]);
  return new QuestionArea().node;
}

class QuestionArea {
  number = element("b");
  count = element("span", "count");
  fold = button("fold", "Hide", () => this.hide(!this.hides));
  hides = false; // what is revealed
  timer = element("span", "timer", { role: "timer" });
  text = element("p", "text");
  controls = element("div", "controls");
  own = element("p", "own", { role: "status" });
  problem = element("p", "problem", { role: "alert" });
  result = element("div", "result");
  host = element("div", "buttons");
  panel = new AskPanel();
  question = element("section", "question", { ariaLabel: "Question to the room", tabIndex: -1 });
  node = element("div", "room-question", this.question, this.host);
  news = element("p", "unseen", { role: "status" });
  given = document.createElement("style"); // hides the page's own answer until it is revealed
  drawn = ""; // keys of what is drawn
  announced = "";
  marked = "";
  ticking = 0;
  bringing = 0;
  refresh: (answer: unknown) => void = () => {}; // shows the answer in the controls

  constructor() {
    this.node.append(this.news);
    this.question.append(element("header", "", this.number, this.timer, this.count, this.fold), this.text, this.controls, this.own, this.result, this.problem);
    document.body.append(this.panel.dialog);
    document.head.append(this.given);
    room.watch((here) => this.draw(here));
    document.addEventListener("click", ({ target }) => {
      const of = target instanceof Element && target.closest(".ask-room")?.closest<HTMLElement>("[data-lesson]");
      if (of && room.value?.isHost) this.panel.askLesson(of);
    });
  }

  draw(here: Here | null) {
    const question = here?.state && here.state.mode !== "ended" && !here.gone ? here.state.question : null;
    const isHost = Boolean(here?.isHost && !here.gone && here.state?.mode !== "ended");
    here ? (document.documentElement.dataset.room = isHost ? "host" : "seat") : delete document.documentElement.dataset.room;
    this.question.hidden = !question;
    this.host.hidden = !isHost;
    this.node.hidden = !question && !isHost;
    document.documentElement.toggleAttribute("data-asks", Boolean(question) && !this.hides);
    if (!here || !question) {
      this.drawn = this.marked = "";
      asked.set(this, null);
      this.given.textContent = "";
      this.tick();
      if (here && isHost) this.drawHost(here, null);
      return;
    }
    const { counts } = here.state as NonNullable<Here["state"]>;
    write(this.number, `Question ${question.n}`);
    write(this.count, `${counts.answers} of ${counts.seats} answered`);
    write(this.text, question.text);
    this.question.dataset.state = question.state;
    this.question.dataset.kind = question.kind;
    const key = `${here.code} ${question.n} ${question.state} ${isHost}`;
    if (key !== this.drawn) {
      this.drawn = key;
      write(this.problem, "");
      this.fold.hidden = isHost || question.state !== "revealed"; // the host has Done
      this.hide(false);
      this.drawControls(question, isHost);
      this.tell(question, `${here.code} ${question.n} ${question.state}`);
      if (question.state === "open") this.bring(question);
    }
    this.drawOwn(here, question, isHost);
    this.mark(here, question);
    if (isHost) this.drawHost(here, question);
    this.tick();
  }

  // What is revealed gives its room back to the page.
  hide(hides: boolean) {
    this.hides = hides;
    write(this.fold, hides ? "Show" : "Hide");
    this.fold.ariaExpanded = String(!hides);
    this.question.classList.toggle("hides", hides);
    document.documentElement.toggleAttribute("data-asks", !hides);
  }

  // Scrolls to the lesson's question, once it is drawn and the bar has its new height.
  bring({ n, lesson, block = 0 }: Question, looks = LOOKS) {
    clearTimeout(this.bringing);
    if (lesson) this.bringing = window.setTimeout(() => {
      const question = room.value?.state?.question;
      if (question?.n !== n || question.state !== "open") return;
      const of = document.querySelector<HTMLElement>(`[data-lesson="${CSS.escape(lesson)}"][data-block="${block}"]`);
      if (of?.offsetHeight) of.scrollIntoView({ block: "start", behavior: calm() ? "auto" : "smooth" });
      else if (looks) this.bring(question, looks - 1);
    }, PATIENCE);
  }

  // ---- the countdown

  tick() {
    const here = room.value;
    const question = here?.state?.question;
    const left = question?.state === "open" ? secondsLeft(question.ends, here?.late ?? 0, Date.now()) : null;
    write(this.timer, left === null ? "" : `${left} s left`);
    this.timer.classList.toggle("hurry", left !== null && left <= HURRY);
    for (const each of this.controls.querySelectorAll("fieldset")) each.disabled = left === 0; // the server closes it now
    clearInterval(this.ticking);
    this.ticking = left === null ? 0 : window.setInterval(() => this.tick(), TICK);
  }

  // ---- a seat

  drawControls(question: Question, isHost: boolean) {
    this.refresh = () => {};
    const focused = this.controls.contains(document.activeElement);
    const inside = question.state !== "open" || isHost ? [] : this.makeControls(question);
    this.controls.replaceChildren(...(inside.length ? [element("fieldset", "", ...inside, { ariaLabel: "Your answer" })] : []));
    if (focused && !inside.length) this.question.focus();
    // Who looks at the lesson itself sees the answer when the others do.
    const { lesson, block = 0 } = question;
    const hides = !isHost && lesson && question.state !== "revealed";
    this.given.textContent = hides
      ? `:has([data-lesson="${CSS.escape(lesson)}"][data-block="${block}"]) :is(${keyed(`given-${block + 1}`)}, ${keyed(`answer-${block + 1}`)}) { display: none; }` : "";
  }

  makeControls(question: Question): HTMLElement[] {
    const pass = button("pass", "Pass", () => this.answer(question, null));
    if (question.kind === "choice") return [this.choices(question), pass];
    const fields = question.kind === "number" ? [field("Your answer, a number", "decimal")]
      : question.kind === "point" ? [field("Step", "numeric", String(question.step ?? "")), field("Loss", "decimal")]
      : axesOf(question).map(({ name, first, last }) => field(`${name} (${first} to ${last})`, "numeric"));
    const minus = button("minus", "±", () => {
      const [{ input }] = fields;
      input.value = /^[-−]/.test(input.value) ? input.value.slice(1) : `−${input.value}`;
      input.focus();
    }, { ariaLabel: "Change the sign" });
    const isCell = question.kind === "cell";
    const read = element("p", "read", { role: "status" });
    const form = element("form", "fields", ...fields.map(({ label }) => label), question.kind === "number" && minus,
      element("button", "main", "Send", { type: "submit" }), !isCell && pass, read);
    form.addEventListener("input", ({ target }) => { // a comma may mean two things
      const typed = target instanceof HTMLInputElement ? target.value.trim() : "";
      const number = typed.includes(",") ? numberOf(typed) : null;
      write(read, number === null ? "" : `Read as ${written(number)}`);
    });
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      const axes = axesOf(question);
      const numbers: number[] = [];
      for (const [at, { input }] of fields.entries()) {
        const number = numberOf(input.value);
        const problem = problemOf(number, axes[at]);
        write(this.problem, problem);
        if (problem) return input.focus();
        numbers.push((number as number) - (axes[at]?.first ?? 0));
      }
      this.answer(question, question.kind === "number" ? numbers[0] : numbers);
    });
    this.refresh = (answer) => {
      if (answer === null || answer === undefined) return;
      const first = axesOf(question).map((axis) => axis.first);
      [answer].flat().forEach((value, at) => (fields[at].input.value = String((value as number) + (first[at] ?? 0))));
    };
    const hint = { cell: "Click a cell of the output on the page.",
      point: "Click a point of the chart of the loss, or type it.", number: "", choice: "" }[question.kind];
    const shown = hint ? [element("p", "hint", hint)] : [];
    return isCell ? [...shown, element("details", "typed", element("summary", "", "Type it instead"), form), pass] : [...shown, form];
  }

  choices({ n, choices = [], ...question }: Question) {
    const all = choices.map((text, at) => {
      const input = element("input", "", { type: "radio", name: `room-choice-${n}`, value: String(at) });
      input.addEventListener("change", () => this.answer({ n, choices, ...question }, at));
      return { input, label: element("label", "choice", input, element("span", "", text)) };
    });
    this.refresh = (answer) => all.forEach(({ input }, at) => (input.checked = answer === at));
    return element("div", "choices", ...all.map(({ label }) => label));
  }

  async answer(question: Question, answer: unknown) {
    write(this.problem, "");
    const sent = await send("answer", { question: question.n, answer });
    const here = room.value;
    if (!sent.ok) {
      write(this.problem, sent.why);
      if (question.kind === "choice") this.refresh(here ? ownAnswer(here, question) : undefined); // what counts
    } else if (here?.seat) know({ seat: { ...here.seat, question: question.n, answered: true, answer } });
  }

  drawOwn(here: Here, question: Question, isHost: boolean) {
    const own = ownAnswer(here, question);
    const key = `${this.drawn} ${JSON.stringify(own)}`;
    const isNew = this.own.dataset.key !== key;
    this.own.dataset.key = key;
    if (!isNew) return;
    if (own !== undefined) this.refresh(own);
    const words = own === undefined ? "" : own === null ? "You passed" : `Your answer: ${inWords(question, own)}`;
    const waits = "The question is closed. The answer appears when the host reveals it.";
    write(this.own, isHost ? (question.state === "closed" ? "The question is closed." : "")
      : question.state === "closed" ? [words, waits].filter(Boolean).join(". ")
      : question.state === "revealed" ? ""
      : words && `${words}. You can change it until the question closes.`);
    this.result.replaceChildren(...(question.state === "revealed" ? this.makeResult(question, own) : []));
  }

  // On the page itself: where an answer is picked, and what was answered.
  mark(here: Here, question: Question) {
    const { kind, operation, shape, step } = question;
    const own = ownAnswer(here, question) as number[] | null | undefined;
    const key = JSON.stringify([this.drawn, own, question.result]);
    if (key === this.marked) return;
    this.marked = key;
    if (kind !== "point" && !operation) return void asked.set(this, null);
    const marks: AskedMark[] = [];
    const isRevealed = question.state === "revealed";
    if (isRevealed && kind !== "number") {
      for (const [at, count] of question.result?.positions ?? []) marks.push({ at, text: String(count), name: "given" });
      if (kind === "cell" && question.truth) marks.push({ at: question.truth.split(" ").map(Number), text: "", name: "true" });
    }
    if (Array.isArray(own)) marks.push({ at: own, text: "", name: "own" });
    const picks = question.state === "open" && !here.isHost && kind !== "number";
    const pick = picks ? (at: number[]) => void this.answer(question, at) : null;
    const where = kind === "point" ? { kind, panel: "loss" } as const : { kind: "output" } as const;
    asked.set(this, { ...where, operation, shape, step, hides: !isRevealed && kind !== "point", pick, marks });
  }

  // ---- what is revealed

  makeResult(question: Question, own: unknown) {
    const all = bars(question, own);
    const passed = question.result?.passed ?? 0;
    const where = { cell: "The cells with most answers, also marked on the page", point: "The points with most answers, also marked on the chart",
      choice: "Answers", number: "Answers" }[question.kind];
    const right = nameOfTruth(question).toLowerCase();
    const list = element("ul", `bars ${question.kind === "number" ? "upright" : ""}`, { ariaLabel: where }, ...all.map((bar) => barOf(bar, right)));
    const counted = all.length ? [list] : [element("p", "", "No answers.")];
    const truth = truthInWords(question);
    const explained = element("div", "truth",
      ...(truth ? [element("p", "true", `${nameOfTruth(question)}: `, element("b", "", truth))] : []),
      ...(own !== undefined ? [element("p", "", own === null ? "You passed." : `Your answer: ${inWords(question, own)}`)] : []),
      ...(question.why ? [element("p", "why", element("b", "", "Why? "), question.why)] : []),
      ...(passed ? [element("p", "soft", `${passed} passed`)] : []));
    return [element("div", "counted", ...counted), explained];
  }

  // ---- the host

  drawHost(here: Here, question: Question | null) {
    const key = `${here.code} ${question?.n} ${question?.state}`;
    if (this.host.dataset.key === key) return;
    this.host.dataset.key = key;
    const focused = this.host.contains(document.activeElement);
    const act = (verb: string, label: string, title: string) => button(verb === "reveal" ? "main" : "", label, () => this.act(verb), { title });
    const again = question && question.state !== "open" && askedAs(here.code, question.n);
    this.host.replaceChildren(...[
      question?.state === "open" && act("close", "Close", "Take no more answers"),
      question && question.state !== "revealed" && act("reveal", "Reveal", "Show the counts and the answer to all"),
      question?.state === "revealed" && act("done", "Done", "Take the result from all pages"),
      again && button("", "Ask again", () => this.panel.ask(again)),
      button(question ? "" : "main", "Ask …", () => this.panel.open(), { ariaHasPopup: "dialog" }),
    ].filter((each) => each instanceof Node));
    if (focused) this.host.querySelector("button")?.focus();
  }

  async act(verb: string) {
    const done = await send(verb);
    write(this.problem, done.ok ? "" : done.why);
  }

  // ---- what is new

  tell(question: Question, key: string) {
    const first = !this.announced; // at the start of the page nothing is new
    if (this.announced === key) return;
    this.announced = key;
    if (first && question.state !== "open") return;
    const truth = truthInWords(question);
    const words = { open: `New question: ${question.text}`, closed: "The question is closed.",
      revealed: truth ? `The answer is revealed. ${nameOfTruth(question)}: ${truth}` : "The answers are revealed." };
    write(this.news, words[question.state]);
  }
}

function problemOf(number: number | null, axis?: ReturnType<typeof axesOf>[0]) {
  if (number === null) return "This isn't a number. Type one such as 1.5.";
  const inside = !axis || (Number.isInteger(number) && number >= axis.first && number <= axis.last);
  return inside ? "" : `${axis.name} is a whole number from ${axis.first} to ${axis.last}.`;
}

/** The answer of this seat to a question; null: it passed; undefined: none. */
function ownAnswer({ seat }: Here, { n }: Question): unknown {
  return seat?.question === n && seat.answered ? (seat.answer ?? null) : undefined;
}

function field(name: string, inputMode: string, value = "") {
  const input = element("input", "", { type: "text", inputMode, value, maxLength: 20, autocomplete: "off", required: true });
  return { input, label: element("label", "", element("span", "", name), input) };
}

function barOf({ label, count, share, own, right }: Bar, truth: string) {
  const fill = element("i", "fill", { ariaHidden: "true" });
  fill.style.setProperty("--share", String(share));
  const tags = [right && truth, own && "your answer"].filter(Boolean).join(", ");
  return element("li", [own && "own", right && "right"].filter(Boolean).join(" "),
    element("span", "what", label), fill, element("b", "votes", String(count)), element("span", "tag", tags));
}
