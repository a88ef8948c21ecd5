"""Queue for new page sessions: they start one at a time, so that many newcomers don't slow down active visitors."""

import asyncio
import time

from google.protobuf.message import DecodeError
from starlette.middleware import Middleware
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from playground.common.bounded_cache import BoundedCache
from playground.ui.server.assets import below_base
from playground.ui.server.scheduler import FairQueue, client_of

STREAM_PATH = "_stcore/stream"
"""Streamlit's websocket route."""

MAX_WAITING_SESSIONS = 300
"""Maximum waiting sessions of all clients; further ones are refused, and the browser tries again."""

MAX_DELAY_SECONDS = 2.0
"""Maximum time that a session's first script run delays the next session."""

SETTLED_AFTER = 60.0
"""Seconds after a client's first session from which its sessions have priority over newcomers."""

MAX_CLIENTS = 10_000
"""Number of remembered clients; the least recently active one is dropped first."""


class SessionScheduler:
    """Middleware: delay a session's first message until its turn; the first script run draws the whole page.

    Clients take turns. Clients known for a minute have priority over newcomers, so a client that keeps opening sessions
    with new cookies waits with the newcomers.
    """

    def __init__(self, app: ASGIApp) -> None:
        self.app = app
        self._path = below_base(STREAM_PATH)
        self._waiting = FairQueue(ranks=2, unused=self.next)
        self._busy = False
        self._first_seen: BoundedCache[str, float] = BoundedCache(MAX_CLIENTS, lambda _: 1)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "websocket" or scope["path"] != self._path:
            await self.app(scope, receive, send)
            return
        if len(self._waiting) >= MAX_WAITING_SESSIONS:
            await send({"type": "websocket.close", "code": 1013})
            return
        turn = _Turn(self)
        begun = False

        async def receive_in_turn() -> Message:
            nonlocal begun
            message = await receive()
            if not begun and message["type"] == "websocket.receive":
                begun = True
                await self._wait(client_of(scope), turn)
            return message

        async def send_and_watch(message: Message) -> None:
            try:
                await send(message)
            except OSError:
                # The client has disconnected, and `receive` will report it. If the error were raised here, Starlette
                # would refuse to receive, and Streamlit 1.67 would log a traceback.
                if message["type"] != "websocket.send":
                    raise
            if turn.held and _ends_a_run(message.get("bytes")):
                turn.end()

        try:
            await self.app(scope, receive_in_turn, send_and_watch)
        finally:
            turn.end()

    async def _wait(self, client: str, turn: "_Turn") -> None:
        since = self._first_seen.made(client, time.monotonic)
        if self._busy:
            await self._waiting.wait(client, 0 if time.monotonic() - since >= SETTLED_AFTER else 1)
        self._busy = True
        turn.begin()

    def next(self) -> None:
        """End the turn of the session that started last, and start the next one."""
        self._busy = self._waiting.call_next()


class _Turn:
    """Permission for one session's first script run; expires after `MAX_DELAY_SECONDS`."""

    def __init__(self, scheduler: SessionScheduler) -> None:
        self._scheduler = scheduler
        self._limit: asyncio.TimerHandle | None = None

    @property
    def held(self) -> bool:
        return self._limit is not None

    def begin(self) -> None:
        self._limit = asyncio.get_running_loop().call_later(MAX_DELAY_SECONDS, self.end)

    def end(self) -> None:
        if self._limit is not None:
            self._limit.cancel()
            self._limit = None
            self._scheduler.next()


def _ends_a_run(content: bytes | None) -> bool:
    if not content:
        return False
    try:
        return ForwardMsg.FromString(content).WhichOneof("type") == "script_finished"
    except DecodeError:
        return False


MIDDLEWARE = Middleware(SessionScheduler)
