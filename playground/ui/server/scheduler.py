"""Round-robin scheduling of HTTP requests by client, so that one client's flood doesn't delay others."""

import asyncio
from collections import OrderedDict, deque
from collections.abc import Callable
from ipaddress import ip_address, ip_network

from starlette.middleware import Middleware
from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Receive, Scope, Send

from playground.ui.server.refusal import Refused
from playground.ui.session import identity

MAX_WAITING_REQUESTS = 2000
"""Maximum waiting requests of all clients; more are refused with 503."""

FEW = 8
"""Number of waiting requests, about what one browser sends at once, that are started without pauses."""


class FairQueue:
    """Queue with round-robin over clients; a lower rank comes first."""

    def __init__(self, ranks: int = 1, unused: Callable[[], object] = lambda: None) -> None:
        """`unused` is called when a turn was given to a task that was cancelled before it could take it."""
        self._unused = unused
        # Clients by rank, the next one first, each with its requests in order.
        self._ranks: list[OrderedDict[str, deque[asyncio.Future[None]]]] = [OrderedDict() for _ in range(ranks)]
        self._count = 0

    def __len__(self) -> int:
        return self._count

    async def wait(self, client: str, rank: int = 0) -> None:
        """Wait for this client's turn."""
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._ranks[rank].setdefault(client, deque()).append(turn)
        self._count += 1
        try:
            await turn
        except asyncio.CancelledError:
            if not turn.cancelled():
                self._unused()
            elif turn in (own := self._ranks[rank].get(client, deque())):
                self._remove(rank, client, own.index(turn))
            raise

    def waiting(self, client: str, rank: int = 0) -> int:
        """Number of waiting requests of a client."""
        return len(self._ranks[rank].get(client, ()))

    def refuse_one(self, more_than: int, error: Exception, rank: int = 0) -> bool:
        """Let the newest request of the client with the most raise an error; False if it has no `more_than` so many."""
        client, own = max(self._ranks[rank].items(), key=lambda item: len(item[1]))
        if len(own) <= more_than:
            return False
        self._remove(rank, client, -1).set_exception(error)
        return True

    def call_next(self) -> bool:
        """Release the next request and move its client to the end; False if the queue is empty."""
        for rank, clients in enumerate(self._ranks):
            while clients:
                client = next(iter(clients))
                clients.move_to_end(client)
                turn = self._remove(rank, client, 0)
                if not turn.done():
                    turn.set_result(None)
                    return True
        return False

    def _remove(self, rank: int, client: str, index: int) -> "asyncio.Future[None]":
        own = self._ranks[rank][client]
        turn = own[index]
        del own[index]
        self._count -= 1
        if not own:
            del self._ranks[rank][client]
        return turn


class RequestScheduler:
    """Middleware: start one HTTP request in each round of the event loop.

    If more than `FEW` are waiting, it pauses for as long as the last round took, which leaves time for open pages and
    their scripts.
    """

    def __init__(self, app: ASGIApp) -> None:
        self.app = app
        self._waiting = FairQueue()
        self._pausing = False  # whether a request was started in this round

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            if len(self._waiting) >= MAX_WAITING_REQUESTS:
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
    """The visitor or, for requests without a visitor's cookie, the IP address."""
    cookie = HTTPConnection(scope).cookies.get(identity.VISITOR_COOKIE)
    return identity.visitor_of(cookie) or address_of(scope)


def address_of(scope: Scope) -> str:
    """The client's IP address, for IPv6 its network of 2^64 addresses, which one client can have; "" if unknown."""
    text = (scope.get("client") or ("",))[0]
    try:
        address = ip_address(text)
    except ValueError:
        return str(text)
    if address.version == 4:
        return str(address)
    return str(address.ipv4_mapped or ip_network((address, 64), strict=False))


MIDDLEWARE = Middleware(RequestScheduler)
