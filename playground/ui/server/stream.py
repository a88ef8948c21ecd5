"""The event stream: one connection per browser tab for all live values.

A tab lists the channels that it shows (`GET /live?c=run/ID@VERSION&c=...`) and gets their changes as Server-Sent
Events. A message is encoded once for all listeners. It has the changes since the previous message; a listener that
missed one gets the complete newest state, never a backlog. The client is stream.ts.
"""

import asyncio
import contextlib
import json
import logging
import secrets
import time
from abc import ABC, abstractmethod
from collections import Counter, defaultdict, deque
from collections.abc import AsyncIterator, Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any
from weakref import WeakSet

from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route

from playground.ui.server.assets import below_base
from playground.ui.server.refusal import REFUSAL_DELAY, Refused
from playground.ui.server.scheduler import address_of, client_of
from playground.ui.session import identity

TICK = 0.25
"""Seconds between two checks of active channels."""

EARLY_TICK, EARLY_SECONDS = 0.05, 1.5
"""Seconds between two checks of active channels soon after a stream was opened: a new run has its first points then."""

RESTING_TICKS, OWN_TICKS = 16, 240
"""Ticks between two checks of idle channels; rare for a visitor's own, since `wake` reports their changes."""

BEAT_TICKS = 220
"""Ticks between two heartbeats of a stream; stream.ts reconnects after two missed ones."""

MAX_CHANNELS = 200
"""Maximum channels of one stream: a table can list all runs that a visitor may have."""

MAX_STREAMS, MAX_STREAMS_ADDRESS, MAX_STREAMS_VISITOR = 2000, 1200, 40
"""Maximum streams in total, of one IP address, and of one visitor.

A lecture behind one address can have a thousand tabs. Behind a proxy whose forwarded addresses aren't trusted, all
visitors have one address. So a full address or server ends a stream of whoever has the most, and both may poll instead.
"""

_log = logging.getLogger(__name__)


class Channel(ABC):
    """Values that change by themselves, shared by all listeners.

    `version` identifies a state; a restarted server doesn't continue earlier numbers.
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
        """Read the current values; returns whether they have changed. Raises LookupError if the source is gone.

        Thread-safe. Sets `moving` to whether more changes are likely soon.
        """

    @abstractmethod
    def since(self, version: int) -> bytes:
        """Event with the changes since this version, or with everything; empty if nothing has changed."""

    def event_since(self, version: int) -> bytes:
        """Event for a listener with this version: as `since`, or "gone"."""
        if not self.gone:
            return self.since(version)
        return b"" if version == self.version else _gone(self.name)

    def event(self, content: Mapping[str, str]) -> bytes:
        """Event that updates this channel to its newest version; `content` has JSON by name."""
        parts = {"channel": json.dumps(self.name), "version": str(self.version), **content}
        data = ",".join(f"{json.dumps(key)}:{value}" for key, value in parts.items())
        return f"id: {self.name}@{self.version}\ndata: {{{data}}}\n\n".encode()


class FieldChannel(Channel):
    """A channel of named values; events have the changed ones, and null for removed ones."""

    def __init__(self, name: str, read: Callable[[], Mapping[str, Any]], moving: Callable[[], bool]) -> None:
        """`read` returns the current JSON-serializable values, `moving` whether they may change soon.

        An identical object, of all values or of one, counts as unchanged.
        """
        super().__init__(name)
        self._read, self._moving = read, moving
        self._values: Mapping[str, Any] = {}
        self._fields: dict[str, str] = {}
        self._news: dict[str, str] = {}  # changes since the previous version
        self._at = 0.0
        self._events: dict[bool, bytes] = {}  # cached events, full or partial

    def refresh(self) -> bool:
        now = time.monotonic()
        self.moving = self._moving()  # before reading: later changes are read next time
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
        if not news and self._at:  # an empty state is also sent once
            return False
        self._fields, self._news, self._at, self._events = fields, news, now, {}
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


@dataclass(eq=False)
class Listener:
    """One open stream."""

    visitor: str  # or the IP address, without a cookie
    address: str
    news: asyncio.Event = field(default_factory=asyncio.Event)
    ended: bool = False

    def end(self) -> None:
        """End the stream."""
        self.ended = True
        self.news.set()


class Stream:
    """All channels with listeners, and their streams."""

    def __init__(self, find: Callable[[str, str], Channel]) -> None:
        """`find` creates the channel with a name for a visitor.

        It raises LookupError if the channel doesn't exist or the visitor may not read it. The visitor is empty for a
        client without a valid cookie.
        """
        self._find = find
        self._channels: defaultdict[str, dict[str, Channel]] = defaultdict(dict)  # by visitor ("": public), by name
        self._moving: set[Channel] = set()  # checked at every tick
        self._slots: defaultdict[tuple[int, int], set[Channel]] = defaultdict(set)  # checked at one tick of a period
        self._woken: deque[Channel] = deque()
        self._streams: WeakSet[Listener] = WeakSet()  # a response that never begins drops its own
        self._ticker: asyncio.Task[None] | None = None
        self._listeners: defaultdict[int, set[asyncio.Event]] = defaultdict(set)  # by the tick of their heartbeat
        self._ticks = 0
        self._early = asyncio.Event()  # set when a stream opens
        self._early_until = 0.0  # time up to which active channels are checked more often
        self._closed = False
        self._loop: asyncio.AbstractEventLoop | None = None  # while there are listeners

    def close(self) -> None:
        """End all streams and refuse new ones; the server waits for open connections at shutdown."""
        self._closed = True
        for listener in set().union(*self._listeners.values()):
            listener.set()

    def wake(self, visitor: str) -> None:
        """Check this visitor's own channels at the next tick. Thread-safe."""
        self._woken.extend(list(self._channels.get(visitor, {}).values()))

    def push(self, name: str) -> None:
        """Check this public channel, which is quick to read, at once. Thread-safe."""
        if self._loop is not None:
            self._loop.call_soon_threadsafe(self._push, name)

    def _push(self, name: str) -> None:
        channel = self._channels.get("", {}).get(name)
        if channel and _has_news(channel):
            for listener in channel.listeners:
                listener.set()
            if channel.moving:
                self._moving.add(channel)

    @property
    def count(self) -> int:
        """Number of open streams."""
        return len(self._streams)

    def routes(self) -> list[Route]:
        """Routes of the event stream."""
        return [Route(below_base("live"), self._serve, methods=["GET"])]

    async def _serve(self, request: Request) -> Response:
        return await self.serve(request, request.query_params.getlist("c"))

    async def serve(self, request: Request, asked: list[str]) -> Response:
        """Response with the events of the channels NAME@VERSION."""
        if self._closed:
            raise Refused(503, "The server is shutting down.")
        client, visitor = client_of(request.scope), _visitor(request)
        if len(asked) > MAX_CHANNELS:
            raise Refused(400, f"Too many channels: {len(asked)}. The limit is {MAX_CHANNELS}.")
        once = "once" in request.query_params
        listener = Listener(client, address_of(request.scope))
        if not once and (why := self._refusal(listener)):
            await asyncio.sleep(REFUSAL_DELAY)
            raise Refused(429, why)
        if not once:
            self._streams.add(listener)
        have = dict(_parsed(text) for text in asked)
        if last := request.headers.get("last-event-id"):
            name, version = _parsed(last)
            have |= {name: version} if name in have else {}
        channels, gone = await asyncio.to_thread(self._open, have, visitor)
        if once:
            content = b"".join([*map(_gone, gone), *(channel.event_since(have[channel.name]) for channel in channels)])
            return Response(content, media_type="text/event-stream", headers=_HEADERS)
        events = self._events(listener, channels, gone, have)
        return StreamingResponse(events, media_type="text/event-stream", headers=_HEADERS)

    def _refusal(self, new: Listener) -> str:
        """Reason to refuse a new stream; empty if there is room, or if it was made by ending another one."""
        same = [listener for listener in self._streams if listener.address == new.address]
        if sum(listener.visitor == new.visitor for listener in same) >= MAX_STREAMS_VISITOR:
            return "Too many of your tabs are open. This page updates less often."
        if len(same) >= MAX_STREAMS_ADDRESS:
            greedy = _greediest(same, new, lambda listener: listener.visitor)
        elif self.count >= MAX_STREAMS:
            greedy = _greediest(self._streams, new, lambda listener: listener.address) or _greediest(
                same, new, lambda listener: listener.visitor
            )
        else:
            return ""
        if not greedy:
            return "The server has too many open pages. This page updates less often."
        kept = Counter(listener.visitor for listener in greedy).most_common(1)[0][0]
        ended = next(listener for listener in greedy if listener.visitor == kept)
        self._streams.discard(ended)
        ended.end()
        return ""

    def _open(self, names: Iterable[str], visitor: str) -> tuple[list[Channel], list[str]]:
        """The channels with these names, and the names without one. Thread-safe."""
        channels, gone = [], []
        for name in names:
            try:
                channel = self._channels.get(_owner(name, visitor), {}).get(name)
                if channel is None:
                    channel = self._find(name, visitor)
                    channel.refresh()
                channels.append(channel)
            except LookupError:
                gone.append(name)
        return channels, gone

    async def _events(
        self, listener: Listener, channels: list[Channel], gone: list[str], have: dict[str, int]
    ) -> AsyncIterator[bytes]:
        client, news = listener.visitor, listener.news
        news.set()
        beat = self._listeners[(self._ticks - 1) % BEAT_TICKS]  # not in this tick
        beat.add(news)
        self._early_until = time.monotonic() + EARLY_SECONDS
        self._early.set()
        self._streams.add(listener)
        for index, channel in enumerate(channels):
            same = self._channels[_owner(channel.name, client)]
            channels[index] = channel = same.setdefault(channel.name, channel)
            channel.listeners.add(news)
            self._slot(channel).add(channel)
            self._moving.add(channel)
        self._loop = asyncio.get_running_loop()
        if self._ticker is None or self._ticker.done():
            self._ticker = asyncio.create_task(self._tick())
        try:
            yield b"retry: 1000\n\n" + b"".join(map(_gone, gone))
            while not self._closed:
                await news.wait()
                news.clear()
                if listener.ended:
                    return
                parts = []
                for channel in channels:
                    known, version = have.get(channel.name, 0), channel.version
                    if version == known + 1:
                        parts.append(channel.event_since(known))
                    elif version != known:  # encoding everything can take a while
                        parts.append(await asyncio.to_thread(channel.event_since, known))
                    have[channel.name] = version
                yield b"".join(parts) or b"event: beat\ndata:\n\n"
        finally:
            beat.discard(news)
            self._streams.discard(listener)
            self._leave(client, channels, news)

    def _slot(self, channel: Channel) -> set[Channel]:
        """Idle channels that are checked at the same tick as this one."""
        period = OWN_TICKS if channel.name.startswith(OWN) else RESTING_TICKS
        return self._slots[period, channel.phase % period]

    def _leave(self, client: str, channels: Iterable[Channel], news: asyncio.Event) -> None:
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
        """Check all channels periodically while there are listeners, and wake streams with news."""
        while any(self._listeners.values()):
            began = time.monotonic()
            self._ticks += 1
            while self._woken:
                self._moving.add(self._woken.popleft())
            due = self._moving.union(
                *(self._slots.get((period, self._ticks % period), ()) for period in (OWN_TICKS, RESTING_TICKS))
            )
            await self._check(due)
            for listener in self._listeners.get(self._ticks % BEAT_TICKS, ()):
                listener.set()
            await asyncio.sleep(EARLY_TICK)
            while (left := began + TICK - time.monotonic()) > 0:
                if time.monotonic() >= self._early_until:
                    self._early.clear()
                    with contextlib.suppress(TimeoutError):
                        await asyncio.wait_for(self._early.wait(), left)
                else:
                    await self._check(set(self._moving))
                    await asyncio.sleep(min(left, EARLY_TICK))

    async def _check(self, due: set[Channel]) -> None:
        """Read these channels and wake the streams of those with news."""
        changed = await asyncio.to_thread(_refreshed, due) if due else []
        still = {channel for channel in due if channel.moving and channel.listeners}
        self._moving = still | (self._moving - due)  # and new ones
        for channel in changed:
            for listener in channel.listeners:
                listener.set()


OWN = "visitor"
"""Prefix of a channel name that belongs to one visitor."""

_HEADERS = {"Cache-Control": "no-store, no-transform", "X-Accel-Buffering": "no"}


def _owner(name: str, visitor: str) -> str:
    return visitor if name.startswith(OWN) else ""


def _refreshed(channels: Iterable[Channel]) -> list[Channel]:
    """Channels with news."""
    return [channel for channel in channels if _has_news(channel)]


def _has_news(channel: Channel) -> bool:
    try:
        news = channel.refresh()
        if channel.gone:  # restored: listeners get everything
            channel.gone, news = False, True
            channel.version += 2
        return news
    except LookupError:
        news, channel.gone, channel.moving = not channel.gone, True, False
        channel.version += news
        return news
    except Exception:  # a failing channel must not end the others
        channel.moving = False
        _log.exception("The channel %s failed.", channel.name.partition("/")[0])
    return False


def _greediest(streams: Iterable[Listener], new: Listener, of: Callable[[Listener], str]) -> list[Listener]:
    """All streams of whoever has the most, by address or visitor; empty if the new one's side would have as many."""
    sides: defaultdict[str, list[Listener]] = defaultdict(list)
    for listener in streams:
        sides[of(listener)].append(listener)
    most = max(sides.values(), key=len, default=[])
    return most if len(most) > len(sides.get(of(new), ())) + 1 else []


def _visitor(request: Request) -> str:
    return identity.visitor_of(request.cookies.get(identity.VISITOR_COOKIE))


def _parsed(text: str) -> tuple[str, int]:
    """Parse NAME@VERSION; an invalid version is 0."""
    name, _, version = text[:200].partition("@")
    return name, int(version) if version.isascii() and version.isdigit() and len(version) < 16 else 0


def _gone(name: str) -> bytes:
    return f"data: {_json({'channel': name, 'gone': True})}\n\n".encode()


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
