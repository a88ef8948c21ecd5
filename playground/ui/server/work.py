"""Work queues for browsers' HTTP requests: bounded per visitor and in total, fair between visitors.

Clients without a valid cookie are refused. Cached results are returned at once. Other work runs one item at a time,
round-robin over visitors; beyond the bounds it is refused with 429 and Retry-After.
"""

import asyncio
import math
import threading
import time
from collections import OrderedDict, deque
from collections.abc import Awaitable, Callable, Hashable, Iterable, Iterator, Mapping
from concurrent.futures import Future
from dataclasses import dataclass, field
from functools import cache
from typing import TypeVar

from starlette.requests import Request
from starlette.responses import Response

from playground.common.bounded_cache import BoundedCache
from playground.processes import ComputeError, Limits, Pool
from playground.processes.child import USUAL_NICENESS
from playground.ui.server.refusal import REFUSAL_DELAY, Refused
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


@dataclass(eq=False)
class _Piece:
    key: Hashable
    work: Callable[[], Known]
    visitor: str
    result: "Future[Known]" = field(default_factory=Future)


class WorkQueue:
    """Runs one work item at a time in its own thread. Callable from any thread and event loop."""

    def __init__(self, most: int, most_own: int, room: int) -> None:
        """At most `most` items wait, `most_own` of one visitor; `room` bytes of results are cached."""
        self.most, self.most_own = most, most_own
        self._known: BoundedCache[Hashable, Known] = BoundedCache(room, _size)
        self._waiting: OrderedDict[str, deque[_Piece]] = OrderedDict()  # by visitor, the next one first
        self._usual = 0.05  # average seconds per item
        self._thread: threading.Thread | None = None
        self._news = threading.Condition()

    async def ask(self, request: Request, key: Hashable, work: Callable[[], _Known]) -> _Known:
        """The cached result for `key`, or the result of `work` at this visitor's turn; raises as `work` does.

        The key None is not cached. Raises `Refused` for a client without a visitor's cookie and if the queue is full.
        The item is removed if the client disconnects.
        """
        visitor = visitor_of(request)
        with self._news:
            if (known := self._known.get(key)) is not None:
                return known  # type: ignore[return-value]
            piece = self._enter(_Piece(key, work, visitor))
        result = asyncio.wrap_future(piece.result)
        gone = asyncio.ensure_future(_gone(request))
        both: set[asyncio.Future] = {result, gone}
        try:
            await asyncio.wait(both, return_when=asyncio.FIRST_COMPLETED)
            if result.done():
                return result.result()  # type: ignore[return-value]
            raise Refused(499, "The client closed the connection.")
        finally:
            gone.cancel()
            result.cancel()
            self._withdraw(piece)

    @property
    def waiting(self) -> int:
        """Number of waiting items."""
        return sum(map(len, self._waiting.values()))

    def _enter(self, piece: _Piece) -> _Piece:
        """Queue an item. If the queue is full, the visitor with the most waiting items loses one to one with fewer."""
        own = len(self._waiting.get(piece.visitor, ()))
        if own >= self.most_own:
            raise self._refusal()
        if self.waiting >= self.most:
            greedy = max(self._waiting.values(), key=len)
            if len(greedy) <= own + 1:
                raise self._refusal()
            greedy.pop().result.set_exception(self._refusal())
        self._waiting.setdefault(piece.visitor, deque()).append(piece)
        if self._thread is None:
            self._thread = threading.Thread(target=self._work, name="work", daemon=True)
            self._thread.start()
        self._news.notify()
        return piece

    def _refusal(self) -> Refused:
        seconds = max(1, min(MAX_RETRY_SECONDS, math.ceil(self.waiting * self._usual)))
        return Refused(429, f"The server is busy. Try again in {seconds} s.", seconds)

    def _withdraw(self, piece: _Piece) -> None:
        with self._news:
            piece.result.cancel()
            if piece in (own := self._waiting.get(piece.visitor, deque())):
                own.remove(piece)
            if not own:
                self._waiting.pop(piece.visitor, None)

    def _work(self) -> None:
        while True:
            with self._news:
                self._news.wait_for(lambda: self._waiting)
                piece = self._next()
                known = self._known.get(piece.key) if piece else None  # computed for another visitor meanwhile
            if piece is None or not piece.result.set_running_or_notify_cancel():
                continue
            began = time.monotonic()
            try:
                made = piece.work() if known is None else known
            except BaseException as error:
                piece.result.set_exception(error)
                continue
            with self._news:
                if known is None and piece.key is not None:
                    self._known.put(piece.key, made)
                self._usual += 0.1 * (time.monotonic() - began - self._usual) if known is None else 0.0
            piece.result.set_result(made)

    def _next(self) -> _Piece | None:
        """Remove and return the oldest item of the next visitor, who moves to the end."""
        for visitor, own in self._waiting.items():
            piece = own.popleft()
            self._waiting.move_to_end(visitor)
            if not own:
                del self._waiting[visitor]
            return piece
        return None


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


def computed(function: Callable[..., _Result], *arguments: object) -> _Result:
    """The result of a call in another process, for a person who waits; raises as `Pool.call` does."""
    return _cards().call(function, *arguments, limits=Limits(services().host.run_mb, CALL_SECONDS))


def measured(
    work: Callable[..., Iterable[_Result]], *arguments: object, seconds: float, long: bool
) -> Iterator[_Result | None]:
    """Items of `work(*arguments)`, computed in another process of low priority; see `Pool.stream`."""
    return _MEASUREMENTS.stream(work, *arguments, limits=Limits(services().host.run_mb, seconds, long=long))


def close() -> None:
    """End the processes that wait for work."""
    _cards().end()
    _MEASUREMENTS.end()


def in_turn(seconds: float, function: Callable[..., _Result], *arguments: object) -> _Result:
    """The result of a call of about so many seconds in a process of its own, once this visitor has a slot.

    Raises `PlaygroundError` if it computes for longer than other calls may.
    """
    with services().runs.long_work.ask(identity.visitor(), seconds) as slot:
        while not slot.wait(1.0):
            pass
        limits = Limits(services().host.run_mb, CALL_SECONDS, long=not slot.short)
        return _MEASUREMENTS.call(function, *arguments, limits=limits)


DRAWING = threading.Lock()
"""For script runs that draw much at each press: one at a time, the others wait without taking time from shorter ones.

All threads share one interpreter. While 20 people switched parts of models, reruns of 10 others took 4.7 times as long
without this lock and 1.35 to 3 times as long with it (p95).
"""

COMPUTING = WorkQueue(most=32, most_own=12, room=32_000_000)
"""Queue for work of tens of milliseconds or more, in another process. About twelve cards come into view at once."""

READING = WorkQueue(most=600, most_own=100, room=16_000_000)
"""Queue for short work in the server process. A sweep requests the curves of all its runs at once."""
