// "Check my room": a second room with three seats, from this browser, to see whether a class can use this server.

import { send } from "./room_client.ts";

const SEATS = 3;
const PATIENCE = 8000; // milliseconds until an event has come

/** Calls `print` with a line for each step, and whether it worked. Stops at the first step that fails. */
export async function checkRoom(print: (text: string, good: boolean) => void) {
  let started = performance.now();
  const passed = (text: string) => {
    print(`${text}: ${Math.round(performance.now() - started)} ms`, true);
    started = performance.now();
  };
  const must = async (verb: string, fields: object, code: string) => {
    const answer = await send(verb, { ...fields }, code);
    if (!answer.ok) throw new Error(answer.why);
    return answer.fields;
  };
  let room = { code: "", host: "" };
  let events: EventSource | null = null;
  try {
    room = await must("", {}, "");
    passed("Room opened");
    const seats = await Promise.all(Array.from({ length: SEATS }, () => asStranger(room.code, "join", {})));
    passed(`${SEATS} seats joined`);
    const states = listen(room.code);
    events = states.events;
    if (!(await states.until((state) => state.counts.seats === SEATS))) {
      print("Events don't arrive: a proxy holds them back. Pages ask the server every second instead. Turn off buffering for /live and /room.", false);
      return;
    }
    passed("Events arrive");
    const host = { host: room.host };
    await must("ask", { ...host, kind: "choice", text: "Check", choices: ["Yes", "No"] }, room.code);
    await arrives(states, (state) => state.question?.state === "open");
    passed("Question arrived");
    await Promise.all(seats.map(({ seat }, at) => asStranger(room.code, "answer", { seat, question: 1, answer: at % 2 })));
    await arrives(states, (state) => state.counts.answers === SEATS);
    passed(`${SEATS} answers counted`);
    await must("reveal", host, room.code);
    await arrives(states, (state) => state.question?.result?.choices?.join() === "2,1");
    passed("Answers revealed");
    await must("end", host, room.code);
    await arrives(states, (state) => state.mode === "ended");
    passed("Room ended");
    room.code = "";
  } catch (error) {
    print(`${error instanceof Error ? error.message : error} The check stopped here.`, false);
  } finally {
    events?.close();
    if (room.code) await send("end", { host: room.host }, room.code);
  }
}

async function arrives(states: ReturnType<typeof listen>, test: (state: any) => boolean) {
  if (!(await states.until(test))) throw new Error(`No event came within ${PATIENCE / 1000} s. A proxy may hold events back.`);
}

// As somebody without this browser's cookies.
async function asStranger(code: string, verb: string, fields: object) {
  const answer = await fetch(new URL(`./room/${code}/${verb}`, document.baseURI),
    { method: "POST", credentials: "omit", body: JSON.stringify(fields), headers: { "Content-Type": "application/json" } });
  if (!answer.ok) throw new Error(await answer.text());
  return answer.json();
}

function listen(code: string) {
  const events = new EventSource(new URL(`./room/${code}/events`, document.baseURI));
  let last: any = null;
  let look = () => {};
  events.onmessage = ({ data }) => {
    last = JSON.parse(data);
    look();
  };
  const until = (test: (state: any) => boolean) => new Promise<boolean>((resolve) => {
    const timer = setTimeout(resolve, PATIENCE, false);
    look = () => {
      if (!last || !test(last)) return;
      clearTimeout(timer);
      resolve(true);
    };
    look();
  });
  return { events, until };
}
