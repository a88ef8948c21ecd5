// One connection per tab for all live values, see stream.py. Components register the channels they show; known versions
// are not requested again.
//
// The connection is an event stream or a polling loop, never both. If a proxy buffers events or the server refuses the
// stream, the tab polls for a while, then tries the stream again.

import { notices, write } from "../words.ts";

const DEBOUNCE = 30; // milliseconds in which components that are drawn together share one request
const SILENCE = 120_000; // milliseconds without a heartbeat (one every 55 s) after which the connection counts as lost
const PATIENCE = 5000; // timeout of the first event and of a response
const POLL = 1000; // milliseconds between two polls
const POLL_REFUSED = 3000; // the same while the server has too many streams
const NOTICE_SHOWN = 8000; // milliseconds
const POLLING = 60_000; // milliseconds of polling before the next stream; twice as many each time
const MAX_DOUBLINGS = 6;
const HIDDEN = 5000; // milliseconds after which a hidden tab disconnects
const WAITS = [500, 1000, 2000, 4000, 8000];

/** A message of a channel: some of its fields, or all of them (`whole`), as of the time `at`. */
type Message = { channel: string, version: number, gone?: boolean, whole?: boolean, fields?: Record<string, any>,
    at?: number };
type Listener = (message: any) => void; // what is in a message, its channel alone knows

/** `whole` is the last complete message. */
type Channel = { version: number, whole: Message | null, listeners: Set<Listener> };

const channels: Map<string, Channel> = new Map(); // by name
let close: (() => void) | null = null; // closes the connection, if there is one
let asked = ""; // channels of the current connection
let incomplete = false; // whether a channel needs another connection
let failures = 0; // successive lost connections
let useless = 0; // successive streams without an event
let pollsUntil = 0; // time until which this tab polls
let refused = false; // whether it polls because the server refuses streams
const timers = { open: 0, watch: 0, hide: 0, notice: 0 };
let asleep = false; // whether the tab has been hidden for a while
const notice = notices();

/**
 * Calls `listener` with each message of a channel: { channel, version, ... }, or { channel, gone: true }.
 * Returns a function that unsubscribes.
 */
export function listen(name: string, listener: Listener) {
  let channel = channels.get(name);
  if (!channel) channels.set(name, (channel = { version: 0, listeners: new Set(), whole: null }));
  const { listeners, whole } = channel;
  if (whole) listener(whole);
  else [channel.version, incomplete] = [0, true]; // it needs everything
  listeners.add(listener);
  later(DEBOUNCE);
  return () => {
    listeners.delete(listener);
    later(DEBOUNCE);
  };
}

function later(time: number) {
  clearTimeout(timers.open);
  timers.open = setTimeout(connect, time);
}

function connect() {
  for (const [name, { listeners }] of channels) if (!listeners.size) channels.delete(name);
  const names = [...channels.keys()].sort().join("\n");
  if (close && names === asked && !incomplete) return;
  disconnect();
  [asked, incomplete] = [names, false];
  if (!channels.size || (document.hidden && asleep)) return;
  close = performance.now() < pollsUntil ? poll() : stream();
}

function disconnect() {
  close?.();
  close = null;
  clearTimeout(timers.watch);
}

function reconnect() {
  disconnect();
  connect();
}

function lost() {
  disconnect();
  later(wait());
}

// Each of these three opens a connection and returns a function that closes it.

function stream() {
  const source = new EventSource(address());
  watch(PATIENCE, () => pollInstead(""));
  source.onmessage = ({ data }) => {
    alive();
    take(data);
  };
  source.addEventListener("beat", alive);
  source.onerror = () => {
    if (source.readyState !== EventSource.CLOSED) return lost();
    clearTimeout(timers.watch);
    close = reason();
  };
  return () => source.close();
}

// Requests a failed stream again for its status, which an EventSource doesn't have.
function reason() {
  const stop = new AbortController();
  get("", stop.signal).then((answer) => {
    if (stop.signal.aborted) return;
    answer?.status === 429 ? pollInstead(answer.text) : lost();
  });
  return () => stop.abort();
}

function poll() {
  const stop = new AbortController();
  let timer = 0;
  const loop = async () => {
    const answer = await get("&once=1", stop.signal);
    if (stop.signal.aborted) return;
    const arrived = answer?.status === 200;
    if (arrived) {
      failures = 0;
      for (const line of answer.text.split("\n")) if (line.startsWith("data: ")) take(line.slice(6));
    }
    if (performance.now() >= pollsUntil) return reconnect();
    timer = setTimeout(loop, arrived ? (refused ? POLL_REFUSED : POLL) : wait());
  };
  loop();
  return () => {
    stop.abort();
    clearTimeout(timer);
  };
}

// The response to a request for the current channels, null without one in time.
async function get(more: string, stop: AbortSignal) {
  try {
    const answer = await fetch(address(more), { signal: AbortSignal.any([stop, AbortSignal.timeout(PATIENCE)]) });
    return { status: answer.status, text: await answer.text() };
  } catch {
    return null;
  }
}

// Polls for a while: a proxy buffers events, or the server refuses the stream for the reason `why`.
function pollInstead(why: string) {
  pollsUntil = performance.now() + POLLING * 2 ** Math.min(useless++, MAX_DOUBLINGS);
  refused = Boolean(why);
  say(why);
  reconnect();
}

function alive() {
  failures = useless = 0;
  say("");
  watch(SILENCE, reconnect);
}

// Shows a message for a while, since it covers the navigation.
function say(text: string) {
  clearTimeout(timers.notice);
  write(notice, text);
  if (text) timers.notice = setTimeout(say, NOTICE_SHOWN, "");
}

function watch(time: number, act: () => void) {
  clearTimeout(timers.watch);
  timers.watch = setTimeout(act, time);
}

function wait() {
  const time = WAITS[Math.min(failures++, WAITS.length - 1)];
  return time * (1 + Math.random() / 2); // spread in time
}

function address(more = "") {
  const query = new URLSearchParams([...channels].map(([name, { version }]) => ["c", `${name}@${version}`]));
  return new URL(`./live?${query}${more}`, document.baseURI);
}

function take(data: string) {
  const message: Message = JSON.parse(data);
  const channel = channels.get(message.channel);
  if (!channel) return;
  if (message.version) channel.version = message.version;
  else if (message.gone) [channel.version, channel.whole] = [1, null];
  if (message.fields) {
    const before = message.whole ? {} : channel.whole?.fields;
    channel.whole = { ...message, whole: true, fields: { ...before, ...message.fields } };
  }
  for (const listener of [...channel.listeners]) {
    try {
      listener(message);
    } catch (error) {
      console.error(error);
    }
  }
}

document.addEventListener("visibilitychange", () => {
  clearTimeout(timers.hide);
  asleep = false;
  if (!document.hidden) return later(0);
  timers.hide = setTimeout(() => {
    asleep = true;
    disconnect();
    asked = "";
  }, HIDDEN);
});

// The current values of a channel, read at the time `at`; `changed` is called when one changes.
export class Fields {
  close: () => void;
  values: Record<string, any> = {};
  at = 0;
  gone = false;

  constructor(name: string, changed: () => void) {
    let made = false; // known values arrive during the call
    this.close = listen(name, (message) => {
      this.gone = Boolean(message.gone);
      if (!message.gone) {
        this.values = message.whole ? message.fields : { ...this.values, ...message.fields };
        this.at = message.at;
      }
      if (made) changed();
    });
    made = true;
  }
}

// The page's values of a channel (`now`, read at the time `at`), until the event stream has newer ones.
export class Live {
  changed: () => void;
  channel = "";
  at = 0;
  now: Record<string, any> = {};
  fields: Fields | null = null;

  constructor(changed: () => void) {
    this.changed = changed;
  }

  show({ channel, at, now }: { channel: string, at: number, now: Record<string, any> }) {
    if (channel !== this.channel) {
      this.close();
      this.fields = channel ? new Fields(channel, this.changed) : null;
    }
    Object.assign(this, { channel, at, now });
  }

  // Whether the event stream has newer values.
  get isNewer() {
    return this.fields !== null && this.fields.at > this.at;
  }

  get values() {
    return this.fields && this.isNewer ? this.fields.values : this.now;
  }

  close() {
    this.fields?.close();
  }
}
