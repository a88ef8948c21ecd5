"""Limits on connections, below HTTP: in number, from the limit on descriptors, and in time without a request.

Without them, connections that send nothing take all descriptors: then nobody can enter, and no run can start.
"""

import asyncio
import sys
from collections import defaultdict
from collections.abc import Callable
from typing import Any

from playground.ui.server.refusal import Refused
from playground.ui.server.scheduler import address_of

MAX_DESCRIPTORS = 65_536
"""Descriptors that the server asks for; the system may allow fewer."""

REQUEST_SECONDS = 30.0
"""Time in which a new connection must send the head of its first request."""

_SHARE, _SHARE_ADDRESS = 0.6, 0.4  # of all descriptors; the rest is for runs, files and connections of the server
_FULL = "The server has too many connections. Try again in a minute."
_END_OF_HEAD = b"\r\n\r\n"


def raise_descriptor_limit() -> int:
    """Raise this process's soft limit on descriptors as far as allowed; returns the limit."""
    if sys.platform == "win32":
        return MAX_DESCRIPTORS
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = MAX_DESCRIPTORS if hard == resource.RLIM_INFINITY else min(hard, MAX_DESCRIPTORS)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        try:
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
        except (OSError, ValueError):  # macOS allows fewer than its hard limit says
            return soft
        return wanted
    return soft if soft != resource.RLIM_INFINITY else MAX_DESCRIPTORS


class Connections:
    """The open connections of all clients."""

    def __init__(self, descriptors: int) -> None:
        """`descriptors` is the limit of this process."""
        self._most, self._most_address = int(_SHARE * descriptors), int(_SHARE_ADDRESS * descriptors)
        self._open: defaultdict[str, set[asyncio.BaseTransport]] = defaultdict(set)  # by address
        self._count = 0  # of `_open`, which may have closed ones
        self._next_look = 0  # count at which closed ones are dropped

    def limit(self, loop: asyncio.AbstractEventLoop) -> None:
        """Limit the connections of all servers that this loop creates from now on."""
        create = loop.create_server

        async def create_limited(make: Callable[[], asyncio.Protocol], *arguments: Any, **named: Any) -> asyncio.Server:
            return await create(lambda: _Newcomer(self, make()), *arguments, **named)

        loop.create_server = create_limited  # type: ignore[method-assign, assignment]

    def enter(self, transport: asyncio.BaseTransport) -> bool:
        """Count a new connection; False if there is no room for it."""
        address = address_of({"client": transport.get_extra_info("peername") or ("",)})
        if self._count >= self._next_look or len(self._open[address]) >= self._most_address:
            self._forget_closed()
        if self._count >= self._most or len(self._open[address]) >= self._most_address:
            return False
        self._open[address].add(transport)
        self._count += 1
        return True

    def _forget_closed(self) -> None:
        for address, transports in list(self._open.items()):
            transports -= {transport for transport in transports if transport.is_closing()}
            if not transports:
                del self._open[address]
        self._count = sum(map(len, self._open.values()))
        self._next_look = min(self._most, 2 * self._count + 100)


class _Newcomer(asyncio.Protocol):
    """A connection up to its first request; passes everything on to the server's own protocol."""

    def __init__(self, connections: Connections, inner: asyncio.Protocol) -> None:
        self._connections, self._inner = connections, inner
        self._refused, self._head = False, b""
        self._late: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        if not self._connections.enter(transport):
            self._refused = True
            transport.write(_refusal())
            transport.close()
            return
        self._late = asyncio.get_running_loop().call_later(REQUEST_SECONDS, transport.abort)
        self._inner.connection_made(transport)

    def data_received(self, data: bytes) -> None:
        if self._refused:
            return
        if self._late is not None:
            if _END_OF_HEAD in self._head + data:
                self._late.cancel()
                self._late = None
            self._head = (self._head + data)[-len(_END_OF_HEAD) :]
        self._inner.data_received(data)

    def eof_received(self) -> bool | None:
        return None if self._refused else self._inner.eof_received()

    def pause_writing(self) -> None:
        self._inner.pause_writing()

    def resume_writing(self) -> None:
        self._inner.resume_writing()

    def connection_lost(self, error: Exception | None) -> None:
        if self._late is not None:
            self._late.cancel()
        if not self._refused:
            self._inner.connection_lost(error)


def _refusal() -> bytes:
    response = Refused(503, _FULL, 60).response()
    headers = b"".join(name + b": " + value + b"\r\n" for name, value in response.raw_headers)
    return b"HTTP/1.1 503 Service Unavailable\r\n" + headers + b"connection: close\r\n\r\n" + bytes(response.body)
