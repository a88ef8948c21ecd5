// One connection per tab for all live values, see stream.py. Components register the channels they show; known versions
// are not requested again.

const DEBOUNCE = 30; // milliseconds in which components that are drawn together share one request
const SILENCE = 120_000; // milliseconds without a heartbeat (one every 55 s) after which the connection counts as lost
const PATIENCE = 5000; // timeout of the first event; behind a proxy that buffers events, the tab polls instead
const POLL = 1000; // milliseconds between two polls
const HIDDEN = 5000; // milliseconds after which a hidden tab disconnects
const WAITS = [500, 1000, 2000, 4000, 8000];

/**
 * A message of a channel: some of its fields, or all of them (`whole`), as of the time `at`.
 * @typedef {{ channel: string, version: number, gone?: boolean, whole?: boolean, fields?: Record<string, any>,
 *   at?: number }} Message
 */
/** @typedef {(message: any) => void} Listener what is in a message, its channel alone knows */

/** @type {Map<string, { version: number, whole: Message | null, listeners: Set<Listener> }>} */
const channels = new Map(); // by name; `whole` is the last complete message
/** @type {EventSource | null} */
let source = null;
let asked = ""; // channels of the current connection
let incomplete = false; // whether a channel needs another connection
let polling = false;
let failures = 0;
const timers = { open: 0, watch: 0, hide: 0 };
let asleep = false; // whether the tab has been hidden for a while

/**
 * Calls `listener` with each message of a channel: { channel, version, ... }, or { channel, gone: true }.
 * Returns a function that unsubscribes.
 * @param {string} name
 * @param {Listener} listener
 */
export function listen(name, listener) {
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

/** @param {number} time */
function later(time) {
  clearTimeout(timers.open);
  timers.open = setTimeout(connect, time);
}

function connect() {
  for (const [name, { listeners }] of channels) if (!listeners.size) channels.delete(name);
  const names = [...channels.keys()].sort().join("\n");
  if (source && source.readyState !== EventSource.CLOSED && names === asked && !incomplete) return;
  disconnect();
  [asked, incomplete] = [names, false];
  if (!channels.size || (document.hidden && asleep)) return;
  if (polling) return poll();
  const mine = (source = new EventSource(address()));
  watch(PATIENCE, () => {
    polling = true; // until a reload
    connect();
  });
  mine.onmessage = ({ data }) => {
    alive();
    take(data);
  };
  mine.addEventListener("beat", alive);
  mine.onerror = () => {
    if (mine !== source) return;
    disconnect();
    later(wait());
  };
}

function disconnect() {
  source?.close();
  source = null;
  clearTimeout(timers.watch);
}

function alive() {
  failures = 0;
  watch(SILENCE, () => {
    disconnect();
    connect();
  });
}

/** @param {number} time @param {() => void} act */
function watch(time, act) {
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

async function poll() {
  const mine = asked;
  let next = POLL;
  try {
    const answer = await fetch(address("&once=1"), { signal: AbortSignal.timeout(PATIENCE) });
    if (!answer.ok) throw new Error(answer.statusText);
    for (const line of (await answer.text()).split("\n")) if (line.startsWith("data: ")) take(line.slice(6));
    failures = 0;
  } catch {
    next = wait();
  }
  if (mine === asked && channels.size && !(document.hidden && asleep)) {
    timers.watch = setTimeout(poll, next);
  }
}

/** @param {string} data */
function take(data) {
  /** @type {Message} */
  const message = JSON.parse(data);
  const channel = channels.get(message.channel);
  if (!channel) return;
  if (message.version) channel.version = message.version;
  else if (message.gone) channel.version = 1;
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
  /** @type {Record<string, any>} */
  values = {};
  at = 0;
  gone = false;

  /** @param {string} name @param {() => void} changed */
  constructor(name, changed) {
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
  channel = "";
  at = 0;
  /** @type {Record<string, any>} */
  now = {};
  /** @type {Fields | null} */
  fields = null;

  /** @param {() => void} changed */
  constructor(changed) {
    this.changed = changed;
  }

  /** @param {{ channel: string, at: number, now: Record<string, any> }} data */
  show({ channel, at, now }) {
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
