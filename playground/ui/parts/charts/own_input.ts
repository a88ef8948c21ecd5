// A person's own input of a text task, and the model's greedy answer to it at the selected step, also while it trains.

import { Latest, ask } from "../ask.ts";
import { nearest } from "./chart_store.ts";
import { joined, prose } from "./prose.ts";
import { element, write } from "../words.ts";
import type { Board, Run } from "./charts.ts";

const PATIENCE = 20_000; // milliseconds, like the next ones
const TYPED = 300; // after the last key
const PAUSE = 1000; // between two requests, faster than one reads
const LEISURE = 4; // times as long as an answer took: the next one waits that long, too
const RETRY = 5000;
const KEPT = 100;
const LONGEST = 2000; // characters that an address may hold
const REFUSED = 422;

type Answer = { step: number, reads: string[], says: string[] };
/** `wrong`: the input is refused at every step. */
type Problem = { problem: string, wrong: boolean };

async function fetched(address: string, wanted: () => boolean): Promise<Answer | Problem> {
  try {
    const answer = await ask(address, PATIENCE, wanted);
    return answer.ok ? await answer.json() : { problem: await answer.text(), wrong: answer.status === REFUSED };
  } catch {
    return { problem: "Server not responding. Retrying ...", wrong: false };
  }
}

export class OwnInput {
  board: Board;
  field = element("input", "", { type: "text", autocomplete: "off", spellcheck: false, maxLength: LONGEST });
  step = element("span", "at soft");
  text = element("div", "prose");
  problem = element("div", "problem", { role: "status" });
  heard = element("div", "unseen", { ariaLive: "polite" });
  node = element("div", "own", element("label", "", element("span", "", "Your input"), this.field), this.step, this.text, this.problem, this.heard);
  run: Run | null = null;
  kept: number[] = []; // steps with stored weights
  latest = new Latest<Answer | Problem>(KEPT, fetched);
  asked = ""; // the address that was asked for last
  announced = ""; // the input whose answer was announced
  timer = 0;
  rest = 0; // the time before which no other step is asked for

  constructor(board: Board) {
    this.board = board;
    this.field.addEventListener("input", () => {
      board.look.inputs[this.run?.typing ?? ""] = this.field.value;
      write(this.problem, "");
      this.asked = "";
      this.later(TYPED);
    });
  }

  close() {
    clearTimeout(this.timer);
    this.latest.forget();
  }

  // What is typed stays for all runs with the same kind of input.
  fill(run: Run, kept: number[]) {
    this.node.hidden = !run.running;
    this.kept = kept[0] === 0 ? kept : [0, ...kept];
    if (run.id !== this.run?.id) {
      this.field.value = this.board.look.inputs[run.typing] ?? "";
      this.field.title = run.typing;
      this.asked = "";
      write(this.problem, "");
    }
    this.run = run;
  }

  // Called for each new or selected step.
  point() {
    if (!this.field.value) this.show(null);
    else if (!this.timer && !this.problem.textContent && this.address !== this.asked) this.later(this.rest - Date.now());
  }

  get address() {
    const step = String(this.kept[nearest(this.kept, this.board.step)]);
    const query = new URLSearchParams({ step, input: this.field.value });
    return new URL(`./runs/${encodeURIComponent(this.run?.id ?? "")}/answer?${query}`, document.baseURI).href;
  }

  later(pause: number) {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.ask(), Math.max(0, pause));
  }

  ask() {
    this.timer = 0;
    const { address } = this;
    const typed = this.field.value;
    if (!this.run?.running || !typed) return this.show(null);
    const began = Date.now();
    this.asked = address;
    this.rest = began + PAUSE;
    this.latest.ask(address, (answer) => {
      this.rest = Date.now() + Math.max(PAUSE, LEISURE * (Date.now() - began));
      if ("problem" in answer) {
        write(this.problem, answer.wrong ? answer.problem : "");
        write(this.step, "");
        if (!answer.wrong) {
          this.asked = "";
          this.later(RETRY);
        }
        return;
      }
      this.show(answer);
      if (typed !== this.announced) write(this.heard, `Step ${answer.step}: ${joined(answer.says)}`);
      this.announced = typed;
      this.point(); // a newer step may have come meanwhile
    });
  }

  show(answer: Answer | null) {
    write(this.step, answer ? `step ${answer.step.toLocaleString("en-US")}` : "");
    if (answer) prose(this.text, [...answer.reads.map((token) => [token, "read"]), ...answer.says.map((token) => [token, ""])]);
    else prose(this.text, [["Type a beginning. The model continues it while it trains.", "hint"]]);
  }
}
