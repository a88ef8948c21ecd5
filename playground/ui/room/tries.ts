// What people try in a room: the host's window of tries, the board of configurations, and "Try it" of a seat.

import triesCss from "./tries.css";
import { visit } from "../parts/address.ts";
import { listen } from "../parts/live/stream.ts";
import { dress } from "../parts/styles.ts";
import { arrange, button, drawing, element, percent, scrolling, whole, write } from "../parts/words.ts";
import { dialogOf, tell } from "./join_card.ts";
import { follow, know, lead, room, send } from "./room_client.ts";
import type { Here } from "./room_client.ts";

const AGAIN = 2000; // milliseconds between an answer and the next question, while a window is open
const [WIDTH, HEIGHT] = [120, 40]; // of a curve
const LINE = { width: 320, height: 56 }; // of the confusion meter
const MEASURES: [measure: Measure, label: string][] = [["loss", "Loss"], ["exact_match", "Exact match"]];
const CHOSEN = "Its owner has named this run, and everybody would see the name.";
const SHOW = "Show this run to the class, without the person's name";
const FRONTIER = "★ Frontier: no other configuration of the task is at least as good in exact match, parameters and steps to solved, and better in one.";
const JOINED = "A configuration is all settings without the seed. Several runs of one are joined: each number is their median. "
  + "Runs that were stopped or changed mid-run don't count. Seconds are those of this server.";

type Measure = "loss" | "exact_match";
type Status = "queued" | "starting" | "running" | "paused" | "solved" | "finished" | "stopped" | "failed";
/** `position` in the queue, from 1, of `waiting` runs; `exact` is the last exact match. */
type Progress = { status: Status, position: number, waiting: number, step: number, steps: number, exact: number | null };
/** `dealt`: the run has the name that the server gave it. */
type Tile = Progress & { id: string, name: string, difference: string, dealt: boolean, curve: [step: number, value: number][] };
/** `minutes` since the room opened; `paces` has them too, with the seats for which it is too fast, and too hard. */
type Tiles = { minutes: number, tiles: Tile[], reference: boolean, limit: string, paces: [minutes: number, fast: number, hard: number][] };
type BoardRow = { settings: string, task: string, runs: number, exact: number | null, steps: number | null, parameters: number,
    seconds: number, best: boolean };
type Board = { on: boolean, reference: "shown" | "first", rows: BoardRow[] };

dress(document, [triesCss]);

const tries = makeTries();
const board = makeBoard();
let own: Partial<Progress & { id: string }> = {}; // this person's newest try
let stop = () => {};
let code = ""; // of the room that `own` belongs to

/** The host's buttons in the bar. */
export const hostTools = element("span", "tools",
  button("", "Tries", tries.open, { title: "What the class trains" }), button("board-button", "Board", board.open));

const status = button("own-run", "", () => go(`train?run=${own.id}`), { title: "Open your run", hidden: true });
const tryIt = button("main", "Try it", fork, { title: "Open the settings of the host's run. You can change them and train.", hidden: true });
const seatBoard = button("", "Board", board.open, { title: "Configurations that the class has tried", hidden: true });
/** The buttons of a seat in the bar. */
export const seatTools = element("span", "tools", status, tryIt, seatBoard);

room.watch((here) => {
  const seated = here?.seat && !here.isHost ? here.code : "";
  if (seated !== code) {
    stop();
    [code, own] = [seated, {}];
    stop = seated ? listen("visitor/try", ({ fields = {}, whole }) => drawOwn(whole ? fields : { ...own, ...fields })) : () => {};
    drawOwn({});
  }
  tryIt.hidden = !here?.state || !runOf(here);
  seatBoard.hidden = !here?.state?.board;
  const toggle = hostTools.querySelector<HTMLButtonElement>(".board-button");
  if (toggle) toggle.title = here?.state?.board ? "The class sees the board" : "Only you see the board";
});

// Id of the run that the host shows.
function runOf(here: Here) {
  return new URLSearchParams(here.state?.context.at.split("?")[1] ?? "").get("run");
}

function drawOwn(now: typeof own) {
  own = now;
  status.hidden = !own.status;
  if (own.status) write(status, `Your run: ${wordsOf(own as Progress)}`);
}

function go(at: string) {
  follow(false);
  visit(new URL(at, document.baseURI));
}

async function fork() {
  const answer = await send("fork");
  if (!answer.ok) return tell(answer.why);
  go(`./${answer.fields.at}`);
  tell("These are the settings of the run on show. Change what you like, then press Train this model.");
}

function wordsOf({ status, position, waiting, step, steps }: Progress) {
  const here = `step ${whole(step)} of ${whole(steps)}`;
  if (status === "queued") return position ? `position ${position} of ${waiting}` : "starting";
  return { starting: "starting", running: here, paused: `paused at ${here}`, solved: `solved at step ${whole(step)}`,
    finished: `finished, ${whole(step)} steps`, stopped: `stopped at ${here}`, failed: `failed at ${here}` }[status];
}

// Asks again and again while the window is open, one request at a time.
function whileOpen(dialog: HTMLDialogElement, ask: () => Promise<void>) {
  let asking = false;
  let timer = 0;
  const again = async () => {
    clearTimeout(timer);
    if (asking || !dialog.open) return;
    asking = true;
    if (!document.hidden) await ask();
    asking = false;
    timer = window.setTimeout(again, AGAIN);
  };
  return again;
}

// ---- the host's window of tries

function makeTries() {
  let measure: Measure = "loss";
  const counts = element("p", "", { role: "status" });
  const note = element("p", "small");
  const problem = element("p", "care", { hidden: true });
  const list = element("ul", "tries");
  const scale = element("p", "small");
  const meter = makeMeter();
  const tiles: Map<string, ReturnType<typeof makeTile>> = new Map(); // by seat
  const choices = MEASURES.map(([value, label]) => button("", label, () => choose(value), { value }));
  const dialog = dialogOf("tried", "Tries", problem,
    element("div", "wrap above", counts, element("div", "wrap", ...choices, { role: "group", ariaLabel: "Curve" }), button("", "Board", () => {
      dialog.close();
      board.open();
    })),
    meter.node, list, scale, note);
  const choose = (value: Measure) => {
    measure = value;
    for (const each of choices) each.ariaPressed = String(each.value === measure);
    ask();
  };
  const ask = whileOpen(dialog, async () => {
    const asked = measure;
    const answer = await send("tiles", { measure });
    problem.hidden = answer.ok;
    if (!answer.ok) return write(problem, answer.why);
    if (asked === measure) draw(answer.fields);
  });
  const draw = ({ tiles: rows, reference, limit, paces, minutes }: Tiles) => {
    const { seats = 0, fast = 0, hard = 0 } = room.value?.state?.counts ?? {};
    const active = rows.filter(({ status }) => status === "running" || status === "starting").length;
    const waiting = rows.filter(({ status }) => status === "queued").length;
    write(counts, rows.length ? `${rows.length} of ${seats} in the room have started a run. ${active} training, ${waiting} waiting.`
      : "Nobody has started a run yet. Show a run on the Train page: seats then get the button Try it.");
    const top = measure === "loss" ? Math.max(...rows.flatMap(({ curve }) => curve.map(([, value]) => value)), 0) || 1 : 1;
    const last = Math.max(...rows.map(({ curve }) => curve.at(-1)?.[0] ?? 0), 1);
    arrange(list, rows.map((row) => {
      const tile = tiles.get(row.name) ?? makeTile();
      tiles.set(row.name, tile);
      tile.draw(row, top, last);
      return tile.node;
    }));
    list.hidden = scale.hidden = !rows.length;
    write(scale, `Press a tile to show its run to the class without the name. Curves: ${measure === "loss" ? `loss from 0 to ${top.toFixed(1)}` : "exact match from 0 to 100 %"}, steps from 0 to ${whole(last)}. `
      + (reference ? "The line below a curve says what differs from the run that you showed." : "Show a run of your own to see what differs from it."));
    write(note, limit);
    meter.draw(paces, minutes, fast, hard);
  };
  choose("loss");
  return {
    open() {
      if (!dialog.open) dialog.showModal();
      ask();
    },
    close: () => dialog.close(),
  };
}

function makeTile() {
  const name = element("strong", "who");
  const state = element("span", "state");
  const line = drawing("path", { fill: "none" });
  const picture = drawing("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, "aria-hidden": "true", preserveAspectRatio: "none" }, line);
  const difference = element("span", "differs");
  const exact = element("span", "exact");
  const shows = button("try", element("span", "head", name, exact), () => id && show(id));
  shows.append(picture, state, difference);
  const node = element("li", "", shows);
  let id = "";
  return {
    node,
    draw(tile: Tile, top: number, last: number) {
      id = tile.id;
      node.dataset.status = tile.status;
      write(name, tile.name);
      write(state, tile.status === "queued" && tile.position ? `queued, position ${tile.position}` : wordsOf(tile));
      write(difference, tile.difference);
      difference.title = tile.difference;
      write(exact, tile.exact === null ? "" : `${percent(tile.exact)} exact`);
      shows.disabled = !tile.dealt;
      shows.title = tile.dealt ? SHOW : CHOSEN;
      const points = tile.curve.map(([step, value]) => `${((WIDTH * step) / last).toFixed(1)} ${((HEIGHT - 2) * (1 - value / top) + 1).toFixed(1)}`);
      const path = points.length ? `M${points.join("L")}` : "";
      if (line.getAttribute("d") !== path) line.setAttribute("d", path);
    },
  };
}

// The host's own page opens the run, and the class follows it.
function show(id: string) {
  tries.close();
  lead();
  visit(new URL(`./train?run=${id}`, document.baseURI));
}

// ---- the confusion meter

function makeMeter() {
  const lines = ["fast", "hard"].map((name) => drawing("path", { class: name, fill: "none" }));
  const picture = drawing("svg", { viewBox: `0 0 ${LINE.width} ${LINE.height}`, "aria-hidden": "true", preserveAspectRatio: "none" }, ...lines);
  const [fast, hard, time] = [element("span", "fast"), element("span", "hard"), element("span", "small")];
  const none = element("p", "small", "Nobody has pressed Too fast or Too hard yet.");
  const chart = element("figure", "meter", picture, element("figcaption", "wrap", fast, hard, time));
  return {
    node: element("div", "", none, chart),
    draw(paces: Tiles["paces"], end: number, fastNow: number, hardNow: number) {
      [none.hidden, chart.hidden] = [paces.length > 0, !paces.length];
      if (!paces.length) return;
      const most = Math.max(...paces.map(([, fast, hard]) => Math.max(fast, hard)), 1);
      lines.forEach((line, at) => {
        let path = `M0 ${LINE.height - 2}`;
        for (const [minutes, ...counts] of paces) path += `H${((LINE.width * minutes) / end).toFixed(1)}V${(LINE.height - 2 - ((LINE.height - 4) * counts[at]) / most).toFixed(1)}`;
        line.setAttribute("d", `${path}H${LINE.width}`);
      });
      write(fast, `Too fast: ${fastNow}`);
      write(hard, `Too hard: ${hardNow}`);
      write(time, `at most ${most} at once, over ${end < 1.5 ? `${Math.round(60 * end)} s` : `${Math.round(end)} minutes`}`);
    },
  };
}

// ---- the board

function makeBoard() {
  const on = element("input", "", { type: "checkbox" });
  const problem = element("p", "care", { hidden: true });
  const toggle = element("label", "wrap shows-board", on, "Show the board to the class");
  const rows = element("tbody");
  const head = element("tr");
  const table = scrolling("rows", "Configurations", element("table", "", element("thead", "", head), rows));
  const empty = element("p", "", "No run has finished yet.", { hidden: true });
  const reference = element("p", "small");
  const dialog = dialogOf("boarded", "Board of configurations", toggle, problem, table, empty, reference,
    element("p", "small", FRONTIER), element("p", "small", JOINED));
  on.addEventListener("change", async () => {
    const wanted = on.checked;
    const answer = await send("lead", { board: wanted });
    if (!answer.ok) {
      on.checked = !wanted;
      return tell(answer.why);
    }
    if (room.value?.state) know({ state: { ...room.value.state, board: wanted } });
  });
  const ask = whileOpen(dialog, async () => {
    const answer = await send("board");
    problem.hidden = answer.ok;
    table.hidden = !answer.ok;
    if (!answer.ok) return write(problem, answer.why);
    draw(answer.fields);
  });
  const draw = ({ reference: which, rows: given }: Board) => {
    const tasks = new Set(given.map(({ task }) => task)).size > 1;
    table.hidden = !given.length;
    empty.hidden = reference.hidden = Boolean(given.length);
    reference.hidden = !given.length;
    write(reference, which === "shown" ? "Settings are those that differ from the run that the host showed." : "Settings are those that differ from the first line.");
    head.replaceChildren(...["", ...(tasks ? ["Task"] : []), "Settings", "Runs", "Exact match", "Steps to solved", "Parameters", "Seconds"].map((title) =>
      element("th", "", title || element("span", "unseen", "Frontier"), { scope: "col" })));
    rows.replaceChildren(...given.map((row) => element("tr", row.best ? "best" : "",
      ...[row.best ? "★" : "", ...(tasks ? [row.task] : []), row.settings, String(row.runs), row.exact === null ? "not measured" : percent(row.exact),
        row.steps === null ? "not solved" : whole(row.steps), whole(row.parameters), row.seconds.toFixed(1)].map((text) => element("td", "", text)))));
  };
  room.watch((here) => {
    toggle.hidden = !here?.isHost;
    if (here?.state) on.checked = here.state.board;
    if (dialog.open && !here) dialog.close();
  });
  return {
    open() {
      if (!dialog.open) dialog.showModal();
      ask();
    },
  };
}
