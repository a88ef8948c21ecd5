"""The event stream: one connection carries to a browser tab what changes by itself.

A tab names the channels that it shows (`GET /live?c=run/ID@VERSION&c=...`) and gets what changes on them, as
Server-Sent Events. A message is encoded once and handed to all who listen. It brings what has changed since the message
before; whoever has missed one gets the newest state whole, never a backlog. The browser's half is stream.js.
"""

import asyncio
import json
import logging
import secrets
import time
from abc import ABC, abstractmethod
from collections import Counter, defaultdict, deque
from collections.abc import AsyncIterator, Callable, Iterable, Mapping
from typing import Any

from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route

from playground.ui.server.assets import below_base
from playground.ui.server.refusal import Refused
from playground.ui.server.scheduler import client_of
from playground.ui.session import state

TICK = 0.25
"""Seconds between two looks at what moves."""

RESTING_TICKS, OWN_TICKS = 16, 240
"""Ticks between two looks at what does not move; seldom at a visitor's own, since `wake` says when that moves."""

BEAT_TICKS = 180
"""Ticks between two messages by which a stream says that it is alive; stream.js waits for two of them."""

MAX_CHANNELS = 200
"""Of one stream: a table can list all runs that a visitor may have."""

MAX_STREAMS, MAX_STREAMS_EACH = 3000, 40
"""Streams in all, and of one visitor."""

_log = logging.getLogger(__name__)


class Channel(ABC):
    """Something that changes by itself, for all who look at it.

    `version` tells one state from the others; a server that has been restarted continues no numbers of the one before.
    """

    def __init__(self, name: str) -> None:
        self.name = name
        self.version = secrets.randbelow(2**40) + 1
        self.phase = secrets.randbelow(OWN_TICKS)
        self.moving = True
        self.gone = False
        self.listeners: set[asyncio.Event] = set()

    @abstractmethod
    def refresh(self) -> bool:
        """Looks again, in any thread; whether something has changed. Raises LookupError if it no longer exists.

        Sets `moving` to whether the next change may be near.
        """

    @abstractmethod
    def since(self, version: int) -> bytes:
        """What has changed since this version, or everything: an event; empty if nothing has."""

    def told(self, version: int) -> bytes:
        """What a listener with this version gets: as `since`, or that it no longer exists."""
        if not self.gone:
            return self.since(version)
        return b"" if version == self.version else _gone(self.name)

    def event(self, content: Mapping[str, str]) -> bytes:
        """An event that brings this channel to its newest version; `content` holds JSON by name."""
        parts = {"channel": json.dumps(self.name), "version": str(self.version), **content}
        data = ",".join(f"{json.dumps(key)}:{value}" for key, value in parts.items())
        return f"id: {self.name}@{self.version}\ndata: {{{data}}}\n\n".encode()


class Fields(Channel):
    """A channel of named values, told by value: those that have changed, and null for those that are gone."""

    def __init__(self, name: str, read: Callable[[], Mapping[str, Any]], moving: Callable[[], bool]) -> None:
        """`read` gives the values of this moment, which JSON can hold; `moving` whether they may change soon.

        What is the same object as the last time, all of it or a value, is taken for unchanged.
        """
        super().__init__(name)
        self._read, self._moving = read, moving
        self._values: Mapping[str, Any] = {}
        self._fields: dict[str, str] = {}
        self._news: dict[str, str] = {}  # since the version before
        self._at = 0.0
        self._events: dict[bool, bytes] = {}  # whole or not, as far as somebody asked

    def refresh(self) -> bool:
        at = time.monotonic()
        self.moving = self._moving()  # first: what changes after that is looked at again
        values, before = self._read(), self._values
        if values is before:
            return False
        fields = {
            name: self._fields[name] if name in before and before[name] is value else _json(value)
            for name, value in values.items()
        }
        self._values = values
        news = {name: text for name, text in fields.items() if self._fields.get(name) != text}
        news |= {name: "null" for name in self._fields if name not in fields}
        if not news and self._at:  # that there is nothing is sent once, too
            return False
        self._fields, self._news, self._at, self._events = fields, news, at, {}
        self.version += 1
        return True

    def since(self, version: int) -> bytes:
        if version == self.version:
            return b""
        whole = version != self.version - 1
        if whole not in self._events:
            fields = ",".join(f"{_json(name)}:{text}" for name, text in (self._fields if whole else self._news).items())
            self._events[whole] = self.event(
                {"whole": _json(whole), "at": f"{self._at:.6f}", "fields": f"{{{fields}}}"}
            )
        return self._events[whole]


class Stream:
    """All channels that somebody listens to, and who listens."""

    def __init__(self, find: Callable[[str, str], Channel]) -> None:
        """`find` makes the channel of a name for a visitor.

        Raises LookupError if there is none, or none for this visitor. The visitor is empty for a client without a
        cookie of this server's making.
        """
        self._find = find
        self._channels: defaultdict[str, dict[str, Channel]] = defaultdict(dict)  # by visitor, empty for all's; by name
        self._moving: set[Channel] = set()  # looked at with every tick
        self._slots: defaultdict[tuple[int, int], set[Channel]] = defaultdict(set)  # at one tick of a period
        self._woken: deque[Channel] = deque()
        self._streams: Counter[str] = Counter()
        self._ticker: asyncio.Task[None] | None = None
        self._listeners: defaultdict[int, set[asyncio.Event]] = defaultdict(set)  # by the tick of their beat
        self._ticks = 0
        self._closed = False

    def close(self) -> None:
        """Ends all streams, and answers no new ones; the server waits for open connections before it ends."""
        self._closed = True
        for listener in set().union(*self._listeners.values()):
            listener.set()

    def wake(self, visitor: str) -> None:
        """Has this visitor's own channels looked at by the next tick; in any thread."""
        self._woken.extend(list(self._channels.get(visitor, {}).values()))

    @property
    def count(self) -> int:
        """How many streams are open."""
        return self._streams.total()

    def routes(self) -> list[Route]:
        """Where browsers listen."""
        return [Route(below_base("live"), self._serve, methods=["GET"])]

    async def _serve(self, request: Request) -> Response:
        if self._closed:
            raise Refused(503, "The server is shutting down.")
        client, visitor = client_of(request.scope), _visitor(request)
        asked = request.query_params.getlist("c")
        if len(asked) > MAX_CHANNELS:
            raise Refused(400, f"{len(asked)} channels are too many; {MAX_CHANNELS} is the most.")
        once = "once" in request.query_params
        if not once and (self._streams[client] >= MAX_STREAMS_EACH or self.count >= MAX_STREAMS):
            raise Refused(429, "Too many tabs are open. Close some and reload the page.")
        have = dict(_parsed(each) for each in asked)
        if last := request.headers.get("last-event-id"):
            name, version = _parsed(last)
            have |= {name: version} if name in have else {}
        found, gone = await asyncio.to_thread(self._open, have, visitor)
        if once:
            told = b"".join([*map(_gone, gone), *(channel.told(have[channel.name]) for channel in found)])
            return Response(told, media_type="text/event-stream", headers=_HEADERS)
        events = self._events(client, found, gone, have)
        return StreamingResponse(events, media_type="text/event-stream", headers=_HEADERS)

    def _open(self, names: Iterable[str], visitor: str) -> tuple[list[Channel], list[str]]:
        """The channels with these names, and those that there are not; in any thread."""
        found, gone = [], []
        for name in names:
            try:
                channel = self._channels.get(_owner(name, visitor), {}).get(name)
                if channel is None:
                    channel = self._find(name, visitor)
                    channel.refresh()
                found.append(channel)
            except LookupError:
                gone.append(name)
        return found, gone

    async def _events(
        self, client: str, channels: list[Channel], gone: list[str], have: dict[str, int]
    ) -> AsyncIterator[bytes]:
        news = asyncio.Event()
        news.set()
        beat = self._listeners[(self._ticks - 1) % BEAT_TICKS]  # not in this tick
        beat.add(news)
        self._streams[client] += 1
        for at, channel in enumerate(channels):
            same = self._channels[_owner(channel.name, client)]
            channels[at] = channel = same.setdefault(channel.name, channel)
            channel.listeners.add(news)
            self._slot(channel).add(channel)
            self._moving.add(channel)
        if self._ticker is None or self._ticker.done():
            self._ticker = asyncio.create_task(self._tick())
        try:
            yield b"retry: 1000\n\n" + b"".join(map(_gone, gone))
            while not self._closed:
                await news.wait()
                news.clear()
                parts = []
                for channel in channels:
                    known, version = have.get(channel.name, 0), channel.version
                    if version == known + 1:
                        parts.append(channel.told(known))
                    elif version != known:  # everything: to write that may take a while
                        parts.append(await asyncio.to_thread(channel.told, known))
                    have[channel.name] = version
                yield b"".join(parts) or b"event: beat\ndata:\n\n"
        finally:
            beat.discard(news)
            self._leave(client, channels, news)

    def _slot(self, channel: Channel) -> set[Channel]:
        """Those that are looked at together with this one, while nothing moves."""
        period = OWN_TICKS if channel.name.startswith(OWN) else RESTING_TICKS
        return self._slots[period, channel.phase % period]

    def _leave(self, client: str, channels: Iterable[Channel], news: asyncio.Event) -> None:
        self._streams[client] -= 1
        self._streams += Counter()  # drops those at zero
        for channel in channels:
            channel.listeners.discard(news)
            if channel.listeners:
                continue
            self._moving.discard(channel)
            self._slot(channel).discard(channel)
            owner = _owner(channel.name, client)
            if self._channels[owner].get(channel.name) is channel:
                del self._channels[owner][channel.name]
            if not self._channels[owner]:
                del self._channels[owner]

    async def _tick(self) -> None:
        """Looks at all channels again and again, while anybody listens, and wakes those with news."""
        while any(self._listeners.values()):
            began = time.monotonic()
            self._ticks += 1
            while self._woken:
                self._moving.add(self._woken.popleft())
            due = self._moving.union(
                *(self._slots.get((period, self._ticks % period), ()) for period in (OWN_TICKS, RESTING_TICKS))
            )
            changed = await asyncio.to_thread(_refreshed, due) if due else []
            still = {channel for channel in due if channel.moving and channel.listeners}
            self._moving = still | (self._moving - due)  # and those that have just joined
            for channel in changed:
                for listener in channel.listeners:
                    listener.set()
            for listener in self._listeners.get(self._ticks % BEAT_TICKS, ()):
                listener.set()
            await asyncio.sleep(max(TICK / 5, TICK - (time.monotonic() - began)))


OWN = "visitor"
"""What the name of a channel begins with that is another one for each visitor."""

_HEADERS = {"Cache-Control": "no-store, no-transform", "X-Accel-Buffering": "no", "X-Content-Type-Options": "nosniff"}


def _owner(name: str, visitor: str) -> str:
    return visitor if name.startswith(OWN) else ""


def _refreshed(channels: Iterable[Channel]) -> list[Channel]:
    """Those that have news."""
    return [channel for channel in channels if _has_news(channel)]


def _has_news(channel: Channel) -> bool:
    try:
        return channel.refresh()
    except LookupError:
        news, channel.gone, channel.moving = not channel.gone, True, False
        channel.version += news
        return news
    except Exception:  # one that fails must not end all others
        channel.moving = False
        _log.exception("The channel %s failed.", channel.name.partition("/")[0])
    return False


def _visitor(request: Request) -> str:
    return state.visitor_of(request.cookies.get(state.VISITOR_COOKIE))


def _parsed(text: str) -> tuple[str, int]:
    """NAME@VERSION; 0 for a version that is none."""
    name, _, version = text[:200].partition("@")
    return name, int(version) if version.isascii() and version.isdigit() and len(version) < 16 else 0


def _gone(name: str) -> bytes:
    return f"data: {_json({'channel': name, 'gone': True})}\n\n".encode()


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
