"""The order in which requests are begun: by turns of the clients, so that a flood holds up nobody else."""

import asyncio
from collections import OrderedDict, deque

from starlette.middleware import Middleware
from starlette.requests import HTTPConnection
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from playground.ui import state

MAX_WAITING = 2000
"""Requests that wait, of all clients together; more are refused with 503."""

FEW = 8
"""Waiting requests up to which no time is left between two: as many as one browser sends at once."""


class RequestScheduler:
    """Begins one HTTP request in each round of the event loop.

    Where more than `FEW` wait, as much time as a round took is left to everything else: to pages that are open, and to
    the scripts that draw them. A client is a visitor or, for requests without a visitor's cookie, an address.
    """

    def __init__(self, app: ASGIApp) -> None:
        self.app = app
        self._waiting: OrderedDict[str, deque[asyncio.Future[None]]] = OrderedDict()  # whose turn is next first
        self._count = 0
        self._pausing = False  # whether a request was begun in this round

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            if self._count >= MAX_WAITING:
                told = "The server has too many requests. Try again in a minute."
                await PlainTextResponse(told, 503, headers={"Retry-After": "60"})(scope, receive, send)
                return
            await self._turn(_client(scope))
        await self.app(scope, receive, send)

    async def _turn(self, client: str) -> None:
        loop = asyncio.get_running_loop()
        if not self._pausing:
            self._begin_round(loop)
            return
        turn: asyncio.Future[None] = loop.create_future()
        self._waiting.setdefault(client, deque()).append(turn)
        self._count += 1
        await turn

    def _begin_round(self, loop: asyncio.AbstractEventLoop) -> None:
        self._pausing = True
        loop.call_soon(self._end_round, loop, loop.time())

    def _end_round(self, loop: asyncio.AbstractEventLoop, began: float) -> None:
        if self._count > FEW:
            loop.call_later(loop.time() - began, self._next, loop)
        else:
            self._next(loop)

    def _next(self, loop: asyncio.AbstractEventLoop) -> None:
        """Begins the oldest request of the client whose turn it is, who then comes last."""
        self._pausing = False
        while self._waiting:
            client, own = next(iter(self._waiting.items()))
            turn = own.popleft()
            self._count -= 1
            self._waiting.move_to_end(client)
            if not own:
                del self._waiting[client]
            if not turn.done():
                turn.set_result(None)
                self._begin_round(loop)
                return


def _client(scope: Scope) -> str:
    cookie = HTTPConnection(scope).cookies.get(state.VISITOR_COOKIE)
    return state.visitor_of(cookie) or (scope.get("client") or ("",))[0]


MIDDLEWARE = Middleware(RequestScheduler)
