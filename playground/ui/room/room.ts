// The room on the screen: the bar at the foot of every page, which starts with the page.

import roomCss from "./room.css";
import { dress } from "../parts/styles.ts";
import { free, nameOf } from "../parts/shortcuts.ts";
import { button, element, write } from "../parts/words.ts";
import { modes, openRoom, people, showCard, showDoor, tell } from "./join_card.ts";
import { questionArea } from "./questions.ts";
import { begin, follow, forget, join, know, lead, leave, room, send, spaced } from "./room_client.ts";
import { hostTools, seatTools } from "./tries.ts";
import type { Here, Seat } from "./room_client.ts";
import "./room_context.ts";

const BACK = "c"; // key
const PACES: [pace: Seat["pace"], label: string][] = [["fast", "Too fast"], ["hard", "Too hard"]];

dress(document, [roomCss]);

const code = button("code", "", showCard, { title: "Show how to join" });
const seats = element("span", "seats");
const mode = modes();
const pace = element("span", "pace");
const leads = button("main", "Lead from this tab", lead);
const name = element("strong", "name");
const other = button("", "Another name", () => rename(), { title: "Deal another name" });
const where = element("span", "where", { role: "status", tabIndex: -1 });
const back = button("main", "Back to the class", () => follow(true), { title: "Follow the host again (C)", ariaKeyShortcuts: "C" });
const paces = element("div", "paces", { role: "group", ariaLabel: "Tell the host, without your name" },
  ...PACES.map(([pace, label]) => button("", label, () => tellPace(pace), { value: pace })));
const out = button("", "Leave", leave, { title: "Leave the room in this tab" });
const host = element("div", "line", code, seats, mode.node, pace, leads, hostTools, button("join", "Join card", showCard));
const seat = element("div", "line", element("span", "who", name, other), where, seatTools, back, paces, out);
const bar = element("section", "bar", questionArea(), host, seat, { ariaLabel: "Room", hidden: true });
document.body.append(element("div", "playground-room", bar));

room.watch((here) => {
  bar.hidden = !here;
  if (here) draw(here);
});

function draw(here: Here) {
  const { state, isHost } = here;
  if (here.gone || state?.mode === "ended") return close(here);
  host.hidden = !isHost;
  seat.hidden = isHost;
  bar.dataset.mode = state?.mode ?? "";
  write(code, spaced(here.code));
  const { seats: count = 0, fast = 0, hard = 0 } = state?.counts ?? {};
  write(seats, `${count} in the room`);
  seats.title = people(count);
  mode.draw(state?.mode ?? "");
  write(pace, [fast && `${fast} too fast`, hard && `${hard} too hard`].filter(Boolean).join(" · "));
  leads.hidden = here.leads;
  write(name, here.seat?.name ?? "");
  const isLed = state?.mode === "lead";
  write(where, !state ? "Connecting …" : state.mode === "pause" ? "Look at the front" : !isLed ? "Look around" : here.follows ? "Following" : "Exploring");
  if (document.activeElement === back && here.follows) where.focus(); // the button goes
  back.hidden = !isLed || here.follows;
  for (const each of paces.querySelectorAll("button")) each.ariaPressed = String(each.value === here.seat?.pace);
}

function close(here: Here) {
  const dialog = document.querySelector<HTMLDialogElement>(".playground-room .card");
  bar.hidden = true;
  if (here.isHost && dialog?.open) return; // its answers can still be downloaded
  tell(`The room ${spaced(here.code)} has ended.`);
  queueMicrotask(() => forget(here.code)); // after all have seen this state
}

async function rename() {
  const here = room.value;
  const problem = here && (await join(here.code, { again: true }));
  if (problem) tell(problem);
}

async function tellPace(pressed: Seat["pace"]) {
  const own = room.value?.seat;
  if (!own) return;
  const pace = own.pace === pressed ? "" : pressed;
  const answer = await send("pace", { pace });
  answer.ok ? know({ seat: { ...own, pace } }) : tell(answer.why);
}

// The bar covers nothing: the page ends above it.
new ResizeObserver(() => {
  const { style, dataset } = document.documentElement;
  style.setProperty("--room", `${bar.offsetHeight}px`);
  if (dataset.present !== undefined) dispatchEvent(new Event("resize")); // a slide has what is left
}).observe(bar);

// In the pages' own windows of Share, see runs/sharing.py.
document.addEventListener("click", ({ target }) => {
  if (!(target instanceof Element)) return;
  if (target.closest(".open-room")) openRoom();
  if (target.closest(".join-room")) showDoor();
});

addEventListener("keydown", (event) => {
  if (nameOf(event) !== BACK || back.hidden || bar.hidden || !free(event)) return;
  event.preventDefault();
  follow(true);
});

begin().then((problem) => problem && tell(problem));
