"""Routes of tries: the host's tiles, the board of configurations, settings to try, and the state of one's own try.

`POST /room/{code}/tiles` is for the host, `POST /room/{code}/fork` for seats, `/room/{code}/board` for the room while
the board is on, and for the host always. The channel `visitor/try` has a person's own try.
"""

import asyncio
import time
from urllib.parse import quote, urlencode

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from playground.experiments import comparison
from playground.rooms import Room, RoomError, board, tries
from playground.rooms.tries import MAX_PARAMETERS, MAX_SECONDS, Try
from playground.runs import Run
from playground.runs.states import ENDED
from playground.settings.config import RunConfig
from playground.ui.room import access
from playground.ui.room.room_route import JsonObject, by_host, serve
from playground.ui.server import channels
from playground.ui.session import form_settings, paces
from playground.ui.session.address import LONGEST
from playground.ui.session.pages import BUILD
from playground.ui.session.services import services

MAX_PACES = 120
"""Points of the time line of the confusion meter."""

LIMIT = (
    f"While the room is open, a run of a seat may take {MAX_SECONDS} s of computing and have {MAX_PARAMETERS:,} "
    "parameters. Presets may take longer. You have no such limit."
)

_ACTIVE = ("running", "starting", "queued", "paused")
"""Statuses in the order of the tiles; ended tries are last."""


class _Queue:
    """The queue of the host, read at most once a second for all who ask."""

    def __init__(self) -> None:
        self._read_at, self._positions = -1.0, dict[str, int]()

    def position(self, run_id: str) -> tuple[int, int]:
        """The position of a waiting run from 1, 0 if it has just started, and the number of waiting runs."""
        if time.monotonic() - self._read_at > 1 or run_id not in self._positions:
            self._read_at = time.monotonic()
            self._positions = {waiting: position for position, waiting in enumerate(services().runs.queue(), 1)}
        return self._positions.get(run_id, 0), len(self._positions)


_queue = _Queue()


async def _tiles(room: Room, fields: JsonObject) -> JsonObject:
    measure = fields.get("measure", "loss")
    if measure not in ("loss", "exact_match"):
        raise RoomError(422, "The measure is loss or exact_match.")
    return await asyncio.to_thread(tiles, room, measure)


def tiles(room: Room, measure: str = "loss") -> JsonObject:
    """The newest try of each seat with its curve of a measure, active ones first, and the confusion meter's line."""
    reference = _run(room.reference)
    found = sorted(tries.newest(services().runs, room), key=lambda item: _rank(item[1], item[0].name))
    return {
        "tiles": [_tile(seat.name, each, reference) | {"curve": getattr(each, measure)} for seat, each in found],
        "reference": reference is not None,
        "limit": LIMIT,
        "minutes": round(room.minutes, 2),
        "paces": room.pace_line(MAX_PACES),
    }


def _rank(each: Try, name: str) -> tuple[int, int, str]:
    order = _ACTIVE.index(each.status) if each.status in _ACTIVE else len(_ACTIVE)
    return order, _queue.position(each.id)[0] if each.status == "queued" else 0, name


def _tile(name: str, each: Try, reference: Run | None) -> JsonObject:
    return {
        "id": each.id,
        "name": name,
        "difference": each.difference(reference),
        "dealt": each.is_dealt_name,
        **_state(each),
    }


def _state(each: Try) -> JsonObject:
    position, waiting = _queue.position(each.id) if each.status == "queued" else (0, 0)
    return {
        "status": each.status,
        "position": position,
        "waiting": waiting,
        "step": each.step,
        "steps": each.config.training.steps,
        "exact": each.exact_match[-1][1] if each.exact_match else None,
    }


def _run(run_id: str) -> Run | None:
    return services().runs.watched(run_id) if run_id else None


async def _fork(request: Request) -> Response:
    room, fields = access.room_of(request), await access.fields_of(request)
    access.check_seat(room, request, fields)
    run = _run(room.shown_run)
    if run is None:
        raise RoomError(409, "The host shows no run now. Wait until a run is shown.")
    return JSONResponse({"at": _settings_link(run)})


def _settings_link(run: Run) -> str:
    if len(run.config.task.text) > LONGEST:
        raise RoomError(409, f"This run trains on a text of more than {LONGEST} characters, which no link holds.")
    words = form_settings.settings_link_words(run.config, paces.pace_name(run))
    return f"{BUILD.path}?{urlencode(words, quote_via=quote)}"


async def _board(request: Request) -> Response:
    room, fields = access.room_of(request), await access.fields_of(request)
    if not access.is_host(room, fields):
        access.check_seat(room, request, fields)
        if not room.board:
            raise RoomError(409, "The board is off. The host of the room can turn it on.")
    return JSONResponse(await asyncio.to_thread(board_of, room))


def board_of(room: Room) -> JsonObject:
    """The board of a room: no names, and nothing that a client has sent."""
    rows = board.board(tries.outcomes(services().runs, room))
    shown = _run(room.reference)
    reference = shown.config if shown else rows[0].config if rows else None
    return {
        "on": room.board,
        "reference": "shown" if shown else "first",
        "rows": [_row(row, reference) for row in rows],
    }


def _row(row: board.BoardRow, reference: RunConfig | None) -> JsonObject:
    changed = tries.difference(reference.updated({"seed": 0}), row.config) if reference else ""
    return {
        "settings": changed or comparison.SAME,
        "task": row.config.task.name,
        "runs": row.runs,
        "exact": row.exact_match,
        "steps": row.steps,
        "parameters": row.parameters,
        "seconds": round(row.seconds, 2),
        "best": row.best,
    }


serve("room/{code}/fork", _fork)
for _method in ("GET", "POST"):
    serve("room/{code}/board", _board, _method)
by_host("tiles", _tiles)


def own(visitor: str) -> JsonObject:
    """A person's own try in an open room; empty without one."""
    each = tries.newest_of(services().runs, services().rooms, visitor)
    return _state(each) | {"id": each.id} if each else {}


channels.own_channel("try", own, lambda visitor: own(visitor).get("status", "finished") not in ENDED)
