"""Who asks about a room: its host by a signed key, a seat by a signed cookie, and the limit on wrong codes."""

import time
from collections import defaultdict, deque
from collections.abc import Callable
from math import ceil
from typing import Any

from itsdangerous import BadSignature
from pydantic_core import from_json
from starlette.datastructures import MutableHeaders
from starlette.requests import Request
from starlette.responses import Response

from playground.common.signing import signer
from playground.rooms import Room, Seat
from playground.rooms.room import LONGEST_SECONDS
from playground.ui.server.cookies import cookie_of, set_cookie
from playground.ui.server.refusal import Refused
from playground.ui.server.scheduler import address_of
from playground.ui.session import identity
from playground.ui.session.services import services

MAX_BODY = 8000
"""Bytes of a request."""

MAX_WRONG, MAX_WRONG_ADDRESS, WINDOW = 10, 200, 60.0
"""Wrong codes of one client, and of all clients with cookies behind one address, in so many seconds."""

_SEAT_COOKIE = "playground_seat_"


class WrongCodes:
    """Counts wrong codes, so that nobody finds a room by trying."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._times: defaultdict[str, deque[float]] = defaultdict(deque)

    def check(self, request: Request) -> None:
        """Raise `Refused` with the wait if this client has tried too many."""
        for client, most in _clients(request):
            times = self._recent(client)
            if len(times) >= most:
                wait = max(1, ceil(times[-most] + WINDOW - self._clock()))
                raise Refused(429, f"Too many wrong codes. Try again in {wait} s.", wait)

    def count(self, request: Request) -> None:
        """Count a wrong code."""
        for client, _ in _clients(request):
            self._recent(client).append(self._clock())
        for client in [client for client in self._times if not self._recent(client)]:
            del self._times[client]

    def _recent(self, client: str) -> deque[float]:
        times = self._times[client]
        while times and times[0] <= self._clock() - WINDOW:
            times.popleft()
        return times


WRONG_CODES = WrongCodes()


def _clients(request: Request) -> list[tuple[str, int]]:
    visitor = visitor_of(request)
    address = address_of(request.scope)
    return [(visitor, MAX_WRONG), (f"all of {address}", MAX_WRONG_ADDRESS)] if visitor else [(address, MAX_WRONG)]


def visitor_of(request: Request) -> str:
    """Key of the browser; empty without a cookie."""
    return identity.visitor_of(request.cookies.get(identity.VISITOR_COOKIE))


def room_of(request: Request) -> Room:
    """The room of a request; raises `Refused`."""
    WRONG_CODES.check(request)
    room = services().rooms.find(request.path_params["code"])
    if room is None:
        WRONG_CODES.count(request)
        raise Refused(404, "There is no room with this code. A code has 6 letters and digits, such as K7P 4QX.")
    return room


async def fields_of(request: Request) -> dict[str, Any]:
    """The JSON object in a request, empty without one; raises `Refused`."""
    body = b""
    async for part in request.stream():
        body += part
        if len(body) > MAX_BODY:
            raise Refused(413, f"The request is too large: {MAX_BODY:,} bytes are allowed.")
    try:
        fields = from_json(body, allow_inf_nan=False) if body else {}
    except ValueError as error:
        raise Refused(400, "The request is not JSON.") from error
    if not isinstance(fields, dict):
        raise Refused(400, "The request is not a JSON object.")
    return fields


def host_key(room: Room) -> str:
    """The key of the room's host."""
    return _signer("room host").sign(f"{room.code}~{room.host}").decode()


def is_host(room: Room, fields: dict[str, Any]) -> bool:
    """True if the request has the host's key."""
    return _signed("room host", fields.get("host")) == f"{room.code}~{room.host}"


def check_host(room: Room, fields: dict[str, Any]) -> None:
    """Raise `Refused` unless the request has the host's key."""
    if not is_host(room, fields):
        raise Refused(403, "Only the host of the room can do this.")


def seat_key(room: Room, seat: Seat) -> str:
    """The key of a seat."""
    return _signer("room seat").sign(f"{room.code}~{seat.id}").decode()


def seat_of(room: Room, request: Request, fields: dict[str, Any]) -> Seat | None:
    """The seat of a request, from its cookie or the field `seat`; None without one."""
    given = fields.get("seat") or cookie_of(request, _SEAT_COOKIE + room.code)
    code, _, seat = _signed("room seat", given).partition("~")
    return room.seats.get(seat) if code == room.code else None


def check_seat(room: Room, request: Request, fields: dict[str, Any]) -> Seat:
    """The seat of a request; raises `Refused` without one."""
    if (seat := seat_of(room, request, fields)) is None:
        raise Refused(403, "Join the room first.")
    return seat


def give_seat(response: Response, request: Request, room: Room, seat: Seat) -> None:
    """Set the cookie of a seat."""
    headers = MutableHeaders(raw=response.raw_headers)
    set_cookie(headers, request.scope, _SEAT_COOKIE + room.code, seat_key(room, seat), LONGEST_SECONDS)


def _signer(purpose: str) -> Any:
    return signer(services().host.private_folder, purpose)


def _signed(purpose: str, key: object) -> str:
    """What a key says; empty if this server did not sign it."""
    if not isinstance(key, str) or len(key) > 200:
        return ""
    try:
        return str(_signer(purpose).unsign(key).decode())
    except (BadSignature, UnicodeError):
        return ""
