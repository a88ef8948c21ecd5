"""The order in which page sessions begin: one at a time, so that many who open pages slow down nobody at work."""

import asyncio
import time
from collections import OrderedDict

from google.protobuf.message import DecodeError
from starlette.middleware import Middleware
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from playground.ui.server.assets import below_base
from playground.ui.server.scheduler import FairQueue, client_of

STREAM = "_stcore/stream"
"""Streamlit's websocket route."""

MAX_WAITING = 300
"""Sessions that wait, of all clients together; the next ones are refused, and the browser tries again."""

MAX_SECONDS = 2.0
"""How long a session's first script run may hold up the next session."""

SETTLED_AFTER = 60.0
"""Seconds after the first session of a client from which on its sessions come before those of newcomers."""

MAX_CLIENTS = 10_000
"""Clients remembered; those who opened no session for longest are forgotten first."""


class SessionScheduler:
    """Holds back a session's first message until its turn has come; the first script run draws the whole page.

    Clients take turns. Those who were here a minute ago come before newcomers: whoever opens sessions with new cookies
    again and again waits with the newcomers.
    """

    def __init__(self, app: ASGIApp) -> None:
        self.app = app
        self._path = below_base(STREAM)
        self._waiting = FairQueue(ranks=2, unused=self.next)
        self._busy = False
        self._first_seen: OrderedDict[str, float] = OrderedDict()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "websocket" or scope["path"] != self._path:
            await self.app(scope, receive, send)
            return
        if len(self._waiting) >= MAX_WAITING:
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
                # The client has gone, and `receive` is about to say so. Told here, Starlette refuses to receive, and
                # Streamlit 1.67 takes that for a text frame and logs a traceback.
                if message["type"] != "websocket.send":
                    raise
            if turn.held and _ends_a_run(message.get("bytes")):
                turn.end()

        try:
            await self.app(scope, receive_in_turn, send_and_watch)
        finally:
            turn.end()

    async def _wait(self, client: str, turn: "_Turn") -> None:
        now = time.monotonic()
        since = self._first_seen.setdefault(client, now)
        self._first_seen.move_to_end(client)
        while len(self._first_seen) > MAX_CLIENTS:
            self._first_seen.popitem(last=False)
        if self._busy:
            await self._waiting.wait(client, 0 if now - since >= SETTLED_AFTER else 1)
        self._busy = True
        turn.begin()

    def next(self) -> None:
        """Ends the turn of the session that has begun last and lets the next one begin."""
        self._busy = self._waiting.call_next()


class _Turn:
    """The right of one session to run its script for the first time; ends by itself after `MAX_SECONDS`."""

    def __init__(self, scheduler: SessionScheduler) -> None:
        self._scheduler = scheduler
        self._limit: asyncio.TimerHandle | None = None

    @property
    def held(self) -> bool:
        return self._limit is not None

    def begin(self) -> None:
        self._limit = asyncio.get_running_loop().call_later(MAX_SECONDS, self.end)

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
