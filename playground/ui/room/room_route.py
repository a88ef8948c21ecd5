"""Routes of rooms, the contract for clients.

`POST /room` -> `{code, host}`; `POST /room/{code}/join` -> a seat's cookie and `{name}`; `GET /room/{code}/events`:
server-sent events whose data are the whole state. The host sends its key as `host` in JSON to `lead`, `ask`, `close`,
`reveal`, `done` and `end`; a seat sends its cookie, or its key as `seat`, to `answer` and `pace`. `tries_route.py` has
the routes of tries.
"""

from collections.abc import Awaitable, Callable
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from playground.common.numbers import as_csv
from playground.rooms import Room, RoomError, Seat
from playground.ui.room import access, truth
from playground.ui.room.room_channel import PAGE, STATE, channel_of
from playground.ui.server import work
from playground.ui.server.channels import STREAM
from playground.ui.server.refusal import Refused
from playground.ui.server.routing import route
from playground.ui.session.services import services

JsonObject = dict[str, Any]


def serve(path: str, act: Callable[[Request], Awaitable[Response]], method: str = "POST") -> None:
    """Serve a path; what a room refuses has its own status and sentence."""

    async def answer(request: Request) -> Response:
        try:
            return await act(request)
        except RoomError as error:
            raise Refused(error.status, str(error)) from error

    route(path, method)(work.bounded(answer))


def by_host(verb: str, act: Callable[[Room, JsonObject], Awaitable[JsonObject]]) -> None:
    """Serve a POST to `room/CODE/VERB` for the host of the room alone."""

    async def answer(request: Request) -> Response:
        room, fields = access.room_of(request), await access.fields_of(request)
        access.check_host(room, fields)
        return JSONResponse({"v": room.version} | await act(room, fields))

    serve(f"room/{{code}}/{verb}", answer)


def _by_seat(verb: str, act: Callable[[Room, Seat, JsonObject], None]) -> None:
    async def answer(request: Request) -> Response:
        room, fields = access.room_of(request), await access.fields_of(request)
        act(room, access.check_seat(room, request, fields), fields)
        return JSONResponse({"v": room.version})

    serve(f"room/{{code}}/{verb}", answer)


async def _open(request: Request) -> Response:
    room = services().rooms.open(work.visitor_of(request))
    return JSONResponse({"code": room.code, "host": access.host_key(room)})


async def _join(request: Request) -> Response:
    room, fields = access.room_of(request), await access.fields_of(request)
    seat = access.seat_of(room, request, fields) or room.join(access.visitor_of(request))
    if fields.get("again") is True:
        room.rename(seat)
    asked = room.asked[-1] if room.asked else None
    answered = asked is not None and seat.id in asked.answers
    response = JSONResponse(
        {
            "name": seat.name,
            "seat": access.seat_key(room, seat),
            "channel": channel_of(PAGE, room),
            "pace": seat.pace,
            "question": len(room.asked),
            "answered": answered,
            "answer": asked.answers[seat.id] if asked and answered else None,
        }
    )
    access.give_seat(response, request, room, seat)
    return response


@route("room/{code}/events")
async def _events(request: Request) -> Response:
    room = access.room_of(request)
    return await STREAM.serve(request, [channel_of(STATE, room)])


async def _lead(room: Room, fields: JsonObject) -> JsonObject:
    context = fields.get("context")
    address = context.get("at") if isinstance(context, dict) else context
    room.lead(fields.get("mode"), address, fields.get("board"))
    return {}


async def _ask(room: Room, fields: JsonObject) -> JsonObject:
    question = await truth.asked({name: value for name, value in fields.items() if name != "host"})
    return {"question": room.ask(question)}


async def _close(room: Room, _fields: JsonObject) -> JsonObject:
    room.close()
    return {}


async def _reveal(room: Room, _fields: JsonObject) -> JsonObject:
    if room.asked:
        room.reveal(await truth.now(room.asked[-1].question))
    else:
        room.close()  # which refuses
    return {}


async def _done(room: Room, _fields: JsonObject) -> JsonObject:
    room.done()
    return {}


async def _end(room: Room, _fields: JsonObject) -> JsonObject:
    room.end()
    return {}


async def _csv(request: Request) -> Response:
    room, fields = access.room_of(request), await access.fields_of(request)
    access.check_host(room, fields)
    return Response(as_csv(room.rows()), media_type="text/csv")


serve("room", _open)
serve("room/{code}/join", _join)
serve("room/{code}/csv", _csv)
_HOST = {"lead": _lead, "ask": _ask, "close": _close, "reveal": _reveal, "done": _done, "end": _end}
for _verb, _act in _HOST.items():
    by_host(_verb, _act)
_by_seat("answer", lambda room, seat, fields: room.answer(seat, fields.get("question"), fields.get("answer")))
_by_seat("pace", lambda room, seat, fields: room.tell_pace(seat, fields.get("pace")))
