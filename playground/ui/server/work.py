"""Work that browsers ask for by address: bounded for each visitor and in all, and fair between visitors.

A client without a cookie of this server's making is refused. What is known already is answered at once. The rest is
done one piece at a time, by turns of the visitors who wait; beyond the bounds it is refused with 429 and Retry-After.
"""

import asyncio
import math
import threading
import time
from collections import OrderedDict, deque
from collections.abc import Awaitable, Callable, Hashable, Mapping
from concurrent.futures import Future
from dataclasses import dataclass, field
from typing import TypeVar

from starlette.requests import Request
from starlette.responses import Response

from playground.bounded_cache import BoundedCache
from playground.runs.backends.processes import ComputeError, ComputeProcess
from playground.ui.server.refusal import Refused
from playground.ui.session import state

MAX_SECONDS = 30
"""Longest wait asked of a refused browser."""

REFUSAL_DELAY = 1.0
"""Seconds until a refusal is sent: clients that retry at once must not keep the server busy."""

IDLE_SECONDS = 60.0
"""Without work, after which the process ends."""

Known = bytes | Mapping[str, bytes]
"""What a piece of work comes to, and what is kept of it."""

_Known = TypeVar("_Known", bound=Known)


def visitor_of(request: Request) -> str:
    """The visitor whose browser asks; raises `Refused` for a client without a cookie of this server's making."""
    if visitor := state.visitor_of(request.cookies.get(state.VISITOR_COOKIE)):
        return visitor
    raise Refused(403, "Your browser sent no cookie of this app. Allow cookies and reload the page.")


@dataclass(eq=False)
class _Piece:
    key: Hashable
    work: Callable[[], Known]
    visitor: str
    result: "Future[Known]" = field(default_factory=Future)


class WorkQueue:
    """Does one piece of work at a time in a thread of its own; any thread and any event loop may ask."""

    def __init__(self, most: int, each: int, room: int, *, idle: Callable[[], None] = lambda: None) -> None:
        """`most` pieces may wait, `each` of one visitor; `room` bytes of results are kept.

        `idle` is called after `IDLE_SECONDS` without work.
        """
        self.most, self.each, self._idle = most, each, idle
        self._known: BoundedCache[Hashable, Known] = BoundedCache(room, _size)
        self._waiting: OrderedDict[str, deque[_Piece]] = OrderedDict()  # by visitor, whose turn is next first
        self._usual = 0.05  # seconds that a piece takes
        self._thread: threading.Thread | None = None
        self._news = threading.Condition()

    async def ask(self, request: Request, key: Hashable, work: Callable[[], _Known]) -> _Known:
        """What is known under `key`, else what `work` comes to, once it is this visitor's turn; raises as `work` does.

        Nothing is kept under the key None. Raises `Refused` for a client without a visitor's cookie and where too much
        waits already. A client that goes away takes its request along.
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
        """How many pieces of work wait."""
        return sum(map(len, self._waiting.values()))

    def _enter(self, piece: _Piece) -> _Piece:
        """Lets a piece wait. Where all places are taken, who waits for most gives one up for who waits for less."""
        own = len(self._waiting.get(piece.visitor, ()))
        if own >= self.each:
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
        seconds = max(1, min(MAX_SECONDS, math.ceil(self.waiting * self._usual)))
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
                came = self._waiting or self._news.wait(IDLE_SECONDS)
                piece = self._next()
                known = self._known.get(piece.key) if piece else None  # made for somebody else meanwhile
            if piece is None:
                if not came:
                    self._idle()
                continue
            if not piece.result.set_running_or_notify_cancel():
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
        """Takes out the oldest piece of the visitor whose turn it is, who then comes last."""
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
    """Returns once the client has closed the connection."""
    while (await request.receive())["type"] != "http.disconnect":
        pass


def bounded(serve: Callable[[Request], Awaitable[Response]]) -> Callable[[Request], Awaitable[Response]]:
    """Wrap a route that uses a work queue: refusals wait `REFUSAL_DELAY`, failed computations get 503."""

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


PROCESS = ComputeProcess(state.HOST.run_mb)
"""Where forward passes, codes and files are made."""

COMPUTING = WorkQueue(most=32, each=12, room=32_000_000, idle=PROCESS.end)
"""For what takes tens of milliseconds or more, in `PROCESS`. Some twelve cards come into view at once."""

READING = WorkQueue(most=600, each=100, room=16_000_000)
"""For what takes a few milliseconds and only the server has. A sweep asks for the curves of all its runs at once."""
