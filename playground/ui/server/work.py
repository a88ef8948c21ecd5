"""Work that a page doesn't do by itself, for scripts and for browsers' HTTP requests.

A script calls `computed`, which uses another process: at once or, for long work, at the visitor's turn. What shows its
progress and can be cancelled is a job: `parts/measurements.py`, whose process is `measured`.

A request asks a `WorkQueue`, bounded per visitor and in total. Clients without a valid cookie are refused. Cached
results are returned at once. Other work runs one item at a time, round-robin over visitors; beyond the bounds it is
refused with 429 and Retry-After.
"""

import asyncio
import math
import threading
import time
from collections.abc import Awaitable, Callable, Hashable, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import cache
from typing import TypeVar

from starlette.requests import Request
from starlette.responses import Response

from playground.common.bounded_cache import BoundedCache
from playground.processes import ComputeError, Limits, Pool
from playground.processes.child import USUAL_NICENESS
from playground.ui.server.refusal import REFUSAL_DELAY, Refused
from playground.ui.server.scheduler import FairQueue
from playground.ui.session import identity
from playground.ui.session.services import services

MAX_RETRY_SECONDS = 30
"""Maximum Retry-After."""

CALL_SECONDS = 20.0
"""Seconds of computing that one call may take."""

Known = bytes | Mapping[str, bytes]
"""Result of a work item, which is cached."""

_Known = TypeVar("_Known", bound=Known)
_Result = TypeVar("_Result")


def visitor_of(request: Request) -> str:
    """The visitor of a request; raises `Refused` for a client without a valid cookie."""
    if visitor := identity.visitor_of(request.cookies.get(identity.VISITOR_COOKIE)):
        return visitor
    raise Refused(403, "Your browser sent no cookie of this app. Allow cookies and reload the page.")


class WorkQueue:
    """Runs one work item at a time in another thread; visitors take turns."""

    def __init__(self, most: int, most_own: int, room: int) -> None:
        """At most `most` items wait, `most_own` of one visitor; `room` bytes of results are cached."""
        self.most, self.most_own = most, most_own
        self._known: BoundedCache[Hashable, Known] = BoundedCache(room, _size)
        self._turns = FairQueue(unused=self._next)
        self._busy = False
        self._usual = 0.05  # average seconds per item

    async def ask(self, request: Request, key: Hashable, work: Callable[[], _Known]) -> _Known:
        """The cached result for `key`, or the result of `work` at this visitor's turn; raises as `work` does.

        The key None is not cached. Raises `Refused` for a client without a visitor's cookie and if the queue is full.
        The item is removed if the client disconnects.
        """
        visitor = visitor_of(request)
        if (known := self._known.get(key)) is not None:
            return known  # type: ignore[return-value]
        result = asyncio.ensure_future(self._in_turn(visitor, key, work))
        gone = asyncio.ensure_future(_gone(request))
        try:
            await asyncio.wait({result, gone}, return_when=asyncio.FIRST_COMPLETED)
            if result.done():
                return result.result()  # type: ignore[return-value]
            raise Refused(499, "The client closed the connection.")
        finally:
            gone.cancel()
            result.cancel()

    async def _in_turn(self, visitor: str, key: Hashable, work: Callable[[], Known]) -> Known:
        if self._busy:
            self._make_room(visitor)
            await self._turns.wait(visitor)
        self._busy = True
        made = asyncio.ensure_future(asyncio.to_thread(self._made, key, work))
        made.add_done_callback(lambda _: self._next())
        return await asyncio.shield(made)  # of a client that has gone, too: the result is cached

    def _make_room(self, visitor: str) -> None:
        """If the queue is full, the visitor with the most waiting items loses one to one with fewer."""
        own, seconds = self._turns.waiting(visitor), math.ceil(len(self._turns) * self._usual)
        seconds = max(1, min(MAX_RETRY_SECONDS, seconds))
        refusal = Refused(429, f"The server is busy. Try again in {seconds} s.", seconds)
        full = len(self._turns) >= self.most
        if own >= self.most_own or (full and not self._turns.refuse_one(own + 1, refusal)):
            raise refusal

    def _made(self, key: Hashable, work: Callable[[], Known]) -> Known:
        if (known := self._known.get(key)) is not None:
            return known  # computed for another visitor meanwhile
        began = time.monotonic()
        made = work()
        if key is not None:
            self._known.put(key, made)
        self._usual += 0.1 * (time.monotonic() - began - self._usual)
        return made

    def _next(self) -> None:
        self._busy = self._turns.call_next()


def _size(known: Known) -> int:
    return len(known) if isinstance(known, bytes) else sum(map(len, known.values()))


async def _gone(request: Request) -> None:
    """Wait until the client has disconnected."""
    while (await request.receive())["type"] != "http.disconnect":
        pass


def bounded(serve: Callable[[Request], Awaitable[Response]]) -> Callable[[Request], Awaitable[Response]]:
    """Wrap a route that uses a work queue: refusals are delayed by `REFUSAL_DELAY`, failed computations get 503."""

    async def answer(request: Request) -> Response:
        try:
            return await serve(request)
        except ComputeError as error:
            raise Refused(503, str(error)) from error
        except Refused as refused:
            if refused.status_code in (403, 429):
                await asyncio.sleep(REFUSAL_DELAY)
            raise

    return answer


_MEASUREMENTS = Pool("measurement")


@cache
def _cards() -> Pool:
    return Pool("computation", USUAL_NICENESS, at_once=max(2, services().host.workers))


def computed(function: Callable[..., _Result], *arguments: object, seconds: float | None = None) -> _Result:
    """The result of a call in another process, for a person who waits; raises as `Pool.call` does.

    One that takes about so many `seconds` waits until this visitor has a slot, and has a low priority.
    """
    limits = Limits(services().host.run_mb, CALL_SECONDS)
    if seconds is None:
        return _cards().call(function, *arguments, limits=limits)
    with services().runs.long_work.ask(identity.visitor(), seconds) as slot:
        while not slot.wait(1.0):
            pass
        return _MEASUREMENTS.call(function, *arguments, limits=replace(limits, long=not slot.short))


def measured(
    work: Callable[..., Iterable[_Result]], *arguments: object, seconds: float, long: bool
) -> Iterator[_Result | None]:
    """Items of `work(*arguments)`, computed in another process of low priority; see `Pool.stream`."""
    return _MEASUREMENTS.stream(work, *arguments, limits=Limits(services().host.run_mb, seconds, long=long))


def close() -> None:
    """End the processes that wait for work."""
    _cards().end()
    _MEASUREMENTS.end()


DRAWING = threading.Lock()
"""For script runs that draw much at each press: one at a time, the others wait without taking time from shorter ones.
Don't compute while holding it, also not in another process.

All threads share one interpreter. While 20 people switched parts of models, reruns of 10 others took 4.7 times as long
without this lock and 1.35 to 3 times as long with it (p95).
"""

COMPUTING = WorkQueue(most=32, most_own=12, room=32_000_000)
"""Queue for work of tens of milliseconds or more, in another process. About twelve cards come into view at once."""

READING = WorkQueue(most=600, most_own=100, room=16_000_000)
"""Queue for short work in the server process, which waits for no other one: cells below a pointer."""
