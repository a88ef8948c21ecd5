"""What can go wrong between a client and the Hub, made to order.

Refusals, slowness, silence, cut and lost replies, and work that is held until the test releases it.
"""

import asyncio
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Literal

Kind = Literal["fail", "slow", "cut", "hang up", "lose", "silent", "hold"]
Match = tuple[str, str] | str | Callable[[str, str], bool]
"""Method and a part of the path ("*" for any method), only the part of a path, or a function of method and path."""


@dataclass
class Fault:
    """Something that goes wrong for the next `times` requests that match (None: for all), after `skip` that go well."""

    kind: Kind
    match: Match
    times: int | None = None
    skip: int = 0
    status: int = 500
    message: str = ""
    code: str = ""
    headers: dict[str, str] = field(default_factory=dict)
    seconds: float = 0
    rate: float | None = None  # bytes a second
    after_bytes: int = 0
    reset: bool = False
    middle: bool = False
    unanswered: bool = False  # the client gives up before the reply, see `tests.hub.client`
    held: threading.Event = field(default_factory=threading.Event)
    release: threading.Event = field(default_factory=threading.Event)
    hits: int = 0

    def fits(self, method: str, path: str) -> bool:
        if callable(self.match):
            return self.match(method, path)
        wanted, part = self.match if isinstance(self.match, tuple) else ("*", self.match)
        return wanted in ("*", method) and part in path


class Faults:
    """The faults that are to come."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._list: list[Fault] = []

    def add(self, fault: Fault) -> Fault:
        with self._lock:
            self._list.append(fault)
        return fault

    def heal(self) -> None:
        """From now on nothing goes wrong."""
        with self._lock:
            self._list.clear()

    def take(self, method: str, path: str) -> Fault | None:
        """The fault that this request meets, which counts as met, except for a cut: see `use`."""
        with self._lock:
            for fault in self._coming(method, path):
                if fault.skip:
                    fault.skip -= 1
                elif fault.kind == "cut":
                    return fault
                else:
                    return self._met(fault)
        return None

    def unanswered(self, method: str, path: str) -> bool:
        """Whether the client gives up on this request, which is still to come."""
        with self._lock:
            return next((fault.unanswered for fault in self._coming(method, path) if not fault.skip), False)

    def _coming(self, method: str, path: str) -> list[Fault]:
        return [each for each in self._list if each.fits(method, path) and (each.times is None or each.times > 0)]

    def use(self, fault: Fault) -> None:
        """Counts a cut, once so many bytes have gone out; shorter replies arrive whole and leave it to come."""
        with self._lock:
            self._met(fault)

    @staticmethod
    def _met(fault: Fault) -> Fault:
        fault.hits += 1
        if fault.times is not None:
            fault.times -= 1
        return fault


def drop(scope: dict[str, Any], *, reset: bool = False) -> None:
    """Ends the connection: politely once all is sent, or at once with a reset."""
    transport = scope["transport"]
    transport.abort() if reset else transport.close()


async def until_gone(receive: Callable[[], Any]) -> None:
    """Waits until the client hangs up."""
    while (await receive())["type"] != "http.disconnect":
        pass


async def until_released(fault: Fault) -> None:
    """Waits until the test lets go of what is held."""
    fault.held.set()
    while not fault.release.is_set():
        await asyncio.sleep(0.01)


def holding(send: Callable[[Any], Any], fault: Fault) -> Callable[[Any], Any]:
    """Sends the first bytes of the body, waits until the test lets go, and sends the rest."""
    left: int | None = fault.after_bytes

    async def hold(message: Any) -> None:
        nonlocal left
        body = message.get("body", b"") if message["type"] == "http.response.body" else b""
        if left is None or len(body) <= left:
            left = left if left is None else left - len(body)
            return await send(message)
        await send({"type": "http.response.body", "body": body[:left], "more_body": True})
        await until_released(fault)
        rest, left = body[left:], None
        return await send({**message, "body": rest})

    return hold


def throttled(send: Callable[[Any], Any], rate: float) -> Callable[[Any], Any]:
    """Sends the body at so many bytes a second, in pieces of a tenth of a second."""

    async def slowly(message: Any) -> None:
        if message["type"] != "http.response.body" or not message.get("body"):
            return await send(message)
        body, step = message["body"], max(1, int(rate / 10))
        for start in range(0, len(body), step):
            await send({"type": "http.response.body", "body": body[start : start + step], "more_body": True})
            await asyncio.sleep(0.1)
        await send({"type": "http.response.body", "body": b"", "more_body": message.get("more_body", False)})
        return None

    return slowly


class Cut(Exception):
    """The connection was dropped in the middle of a body."""


def cutting(send: Callable[[Any], Any], scope: dict[str, Any], fault: Fault, faults: Faults) -> Callable[[Any], Any]:
    """Sends the first bytes of the body and then hangs up."""
    left = fault.after_bytes

    async def cut(message: Any) -> None:
        nonlocal left
        body = message.get("body", b"") if message["type"] == "http.response.body" else b""
        if len(body) <= left:
            left -= len(body)
            return await send(message)
        faults.use(fault)
        await send({"type": "http.response.body", "body": body[:left], "more_body": True})
        drop(scope, reset=fault.reset)
        raise Cut

    return cut
