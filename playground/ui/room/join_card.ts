// The join card: how the class gets in, who leads, and what the host can do with the room.

import { button, element, notices, write } from "../parts/words.ts";
import { checkRoom } from "./room_check.ts";
import { forget, join, joinLink, know, open, presenterLink, room, send, spaced } from "./room_client.ts";
import type { Here, State } from "./room_client.ts";

export const MODES: [mode: State["mode"], label: string, title: string][] = [
  ["lead", "Lead", "The class sees what you see"],
  ["free", "Free", "Each person looks around alone"],
  ["pause", "Pause", "Asks the class to look at the front"],
];
const HERE = /^(localhost|127\.|\[::1\])/; // names that only this machine knows
const SEEN = "The class can open your runs and the checkpoints of this server. On a shared server, the checkpoints in your own library stay private.";
const KEPT = ["Kept: the names that were dealt, and answers without names.", "All of it is deleted 2 hours after the room ends."];
const CHECK = "The check opens a trial room with 3 seats and ends it. Your own room stays as it is.";
const NOTICE = 10_000;

const notice = notices();
let noticing = 0;
const card = makeCard();
const door = makeDoor();

/** Opens a room, or shows the card of the room that this browser hosts. */
export async function openRoom() {
  if (room.value?.isHost) return showCard();
  if (room.value) return tell(`You are in room ${spaced(room.value.code)}. Leave it before you open your own.`);
  const problem = await open();
  problem ? tell(problem) : showCard();
}

export function showCard() {
  if (!room.value?.isHost) return;
  card.draw(room.value);
  if (!card.dialog.open) card.dialog.showModal();
}

/** Asks for the code of a room. */
export function showDoor() {
  write(door.note, "");
  door.field.value = "";
  if (!door.dialog.open) door.dialog.showModal();
  door.field.focus();
}

/** Shows a sentence at the top of the page for a while. */
export function tell(text: string) {
  write(notice, text);
  clearTimeout(noticing);
  if (text) noticing = window.setTimeout(tell, NOTICE, "");
}

/** The buttons of the three modes. */
export function modes() {
  const buttons = MODES.map(([mode, label, title]) => button("", label, () => setMode(mode), { title, value: mode }));
  const node = element("div", "modes", ...buttons, { role: "group", ariaLabel: "Mode of the room" });
  return { node, draw: (now: string) => buttons.forEach((each) => (each.ariaPressed = String(each.value === now))) };
}

async function setMode(mode: State["mode"]) {
  const answer = await send("lead", { mode });
  if (!answer.ok) tell(answer.why);
  else if (room.value?.state) know({ state: { ...room.value.state, mode } });
}

export function people(count: number) {
  return count === 1 ? "1 person has joined" : `${count} people have joined`;
}

/** A window of the room, closed at first. */
export function dialogOf(name: string, title: string, ...inside: Node[]) {
  const shut = button("close", "✕", () => dialog.close(), { ariaLabel: "Close", title: "Close (Esc)" });
  const dialog: HTMLDialogElement = element("dialog", name, element("header", "", element("h2", "", title), shut), ...inside, { ariaLabel: title });
  dialog.addEventListener("keydown", (event) => event.stopPropagation()); // keys must not act on the page
  document.body.append(element("div", "playground-room", dialog));
  return dialog;
}

function makeCard() {
  const code = element("div", "code");
  const link = element("p", "link");
  const image = element("img", "qr", { alt: "QR code of the link" });
  const seats = element("p", "seats");
  const note = element("p", "note", { role: "status" });
  const reach = element("p", "care", "Only this computer can open this address. For a class on your network, set ",
    element("code", "", "PLAYGROUND_ALLOWED_HOSTS"), " and ", element("code", "", "--server.address"),
    " to this computer's IP address and start the app again.", { hidden: !HERE.test(location.hostname) });
  const steps = element("ol", "steps", { ariaLive: "polite" });
  const mode = modes();
  const copy = async (text: string, done: string) => {
    try {
      await navigator.clipboard.writeText(text);
      write(note, done);
    } catch {
      write(note, `The browser did not allow it. Copy this: ${text}`);
    }
  };
  const here = () => room.value as Here;
  const ends = button("", "End the room", () => ask(true));
  const sure = element("p", "sure", "End the room for everybody? ", button("", "End", () => end()), button("", "Keep it open", () => ask(false)));
  const ask = (asks: boolean) => {
    [ends.hidden, sure.hidden] = [asks, !asks];
    (asks ? sure.querySelector("button") : ends)?.focus();
  };
  sure.hidden = true;
  const end = async () => {
    const answer = await send("end");
    [ends.hidden, sure.hidden] = [false, true];
    write(note, answer.ok ? "" : answer.why);
  };
  const check = button("", "Check my room", async () => {
    check.disabled = true;
    steps.replaceChildren(element("li", "", CHECK));
    await checkRoom((text, good) => steps.append(element("li", good ? "good" : "wrong", text)));
    check.disabled = false;
  }, { title: CHECK });
  const fresh = button("main", "Open a new room", () => {
    forget(here().code);
    void openRoom();
  });
  const buttons = element("div", "wrap",
    button("", "Copy link", () => copy(joinLink(here().code), "Link copied.")),
    button("", "Copy presenter link", () => copy(presenterLink(here().code), "Presenter link copied. Whoever has it leads the room.")));
  const ending = element("div", "", ends, sure);
  const more = element("div", "wrap", check, button("", "Download answers (CSV)", async () => write(note, await download(here().code))), ending, fresh);
  const sides = element("div", "sides", element("div", "words", code, link, seats, reach, mode.node), image);
  const second = element("p", "small", "Whoever has the presenter link leads the room, such as your second device.");
  const seen = element("p", "small", SEEN);
  const dialog = dialogOf("card", "", sides, buttons, second, more, note, steps, seen, element("p", "small", ...KEPT.flatMap((line) => [line, element("br")])));
  dialog.addEventListener("close", () => room.value?.state?.mode === "ended" && forget(room.value.code));
  const draw = ({ code: name, state }: Here) => {
    const ended = state?.mode === "ended";
    const title = ended ? "This room has ended" : "Join this room";
    dialog.ariaLabel = title;
    write(dialog.querySelector("h2") as HTMLElement, title);
    for (const each of [sides, buttons, second, check, ending, steps, seen]) each.hidden = ended;
    fresh.hidden = !ended;
    write(code, spaced(name));
    const address = joinLink(name);
    write(link, address.replace(/^https?:\/\//, ""));
    const picture = new URL(`./qr?text=${encodeURIComponent(address)}`, document.baseURI).href;
    if (image.src !== picture) image.src = picture;
    write(seats, people(state?.counts.seats ?? 0));
    mode.draw(state?.mode ?? "");
  };
  room.watch((now) => {
    if (now?.isHost) draw(now);
    else if (dialog.open) dialog.close();
  });
  return { dialog, draw };
}

async function download(code: string) {
  const answer = await send("csv", {}, code);
  if (!answer.ok) return answer.why;
  const link = element("a", "", { href: URL.createObjectURL(new Blob([answer.fields], { type: "text/csv" })), download: `room-${code}.csv` });
  link.click();
  URL.revokeObjectURL(link.href);
  return "Answers downloaded.";
}

function makeDoor() {
  const field = element("input", "", { type: "text", autocomplete: "off", spellcheck: false, maxLength: 12, placeholder: "K7P 4QX" });
  field.autocapitalize = "characters";
  const note = element("p", "note", { role: "alert" });
  const enters = element("button", "main", "Join", { type: "submit" });
  const form = element("form", "", element("label", "", "Code", field), enters);
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    enters.disabled = true;
    const problem = field.value.trim() ? await join(field.value.trim()) : "Type the code that the host shows.";
    enters.disabled = false;
    write(note, problem);
    problem ? field.focus() : dialog.close();
  });
  const dialog = dialogOf("door", "Join a room", form, note, element("p", "small", "You get a name. Nobody needs an account."));
  return { dialog, field, note };
}
