"""The order in which requests are begun: by turns of the clients, so that a flood holds up nobody else."""

import asyncio
from collections import OrderedDict, deque
from collections.abc import Callable

from starlette.middleware import Middleware
from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Receive, Scope, Send

from playground.ui.server.refusal import Refused
from playground.ui.session import state

MAX_WAITING = 2000
"""Requests that wait, of all clients together; more are refused with 503."""

FEW = 8
"""Waiting requests up to which no time is left between two: as many as one browser sends at once."""


class FairQueue:
    """Those who wait, by turns of their clients; a lower rank comes first."""

    def __init__(self, ranks: int = 1, unused: Callable[[], object] = lambda: None) -> None:
        """`unused` is called when a turn was given to a task that was cancelled before it could take it."""
        self._unused = unused
        # For each rank the clients, whose turn is next first, with the requests of each in their order.
        self._ranks: list[OrderedDict[str, deque[asyncio.Future[None]]]] = [OrderedDict() for _ in range(ranks)]
        self._count = 0

    def __len__(self) -> int:
        return self._count

    async def wait(self, client: str, rank: int = 0) -> None:
        """Returns when it is this client's turn."""
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._ranks[rank].setdefault(client, deque()).append(turn)
        self._count += 1
        try:
            await turn
        except asyncio.CancelledError:
            if not turn.cancelled():
                self._unused()
            raise

    def call_next(self) -> bool:
        """Lets the next one go, whose client then comes last; False where nobody waits."""
        for clients in self._ranks:
            while clients:
                client, own = next(iter(clients.items()))
                turn = own.popleft()
                self._count -= 1
                clients.move_to_end(client)
                if not own:
                    del clients[client]
                if not turn.done():
                    turn.set_result(None)
                    return True
        return False


class RequestScheduler:
    """Begins one HTTP request in each round of the event loop.

    Where more than `FEW` wait, as much time as a round took is left to everything else: to pages that are open, and to
    the scripts that draw them.
    """

    def __init__(self, app: ASGIApp) -> None:
        self.app = app
        self._waiting = FairQueue()
        self._pausing = False  # whether a request was begun in this round

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            if len(self._waiting) >= MAX_WAITING:
                refused = Refused(503, "The server has too many requests. Try again in a minute.", 60)
                await refused.response()(scope, receive, send)
                return
            if self._pausing:
                await self._waiting.wait(client_of(scope))
            else:
                self._begin_round(asyncio.get_running_loop())
        await self.app(scope, receive, send)

    def _begin_round(self, loop: asyncio.AbstractEventLoop) -> None:
        self._pausing = True
        loop.call_soon(self._end_round, loop, loop.time())

    def _end_round(self, loop: asyncio.AbstractEventLoop, began: float) -> None:
        if len(self._waiting) > FEW:
            loop.call_later(loop.time() - began, self._next, loop)
        else:
            self._next(loop)

    def _next(self, loop: asyncio.AbstractEventLoop) -> None:
        self._pausing = False
        if self._waiting.call_next():
            self._begin_round(loop)


def client_of(scope: Scope) -> str:
    """A visitor or, for requests without a visitor's cookie, an address."""
    cookie = HTTPConnection(scope).cookies.get(state.VISITOR_COOKIE)
    return state.visitor_of(cookie) or (scope.get("client") or ("",))[0]


MIDDLEWARE = Middleware(RequestScheduler)
