"""The state of a room in the event stream: at once after each change, always whole, the newest wins."""

import json
import secrets

from playground.rooms import Room
from playground.ui.server import channels
from playground.ui.server.channels import STREAM
from playground.ui.server.stream import Channel
from playground.ui.session.services import services

PAGE = "room"
"""Kind of the channel of pages."""
STATE = "room-state"
"""Kind of the channel of other clients, whose data are the state alone."""


def channel_of(kind: str, room: Room) -> str:
    """Name of a room's channel. Its code alone doesn't lead to it: trying codes is limited, see `access`."""
    return f"{kind}/{room.code}/{room.host}"


class RoomChannel(Channel):
    """The state of a room, for pages."""

    def __init__(self, name: str, room: Room) -> None:
        super().__init__(name)
        self._code = room.code
        self._room = room
        self.version = 0

    def refresh(self) -> bool:
        """Closes a question whose time is over, too."""
        room = services().rooms.find(self._code)
        if room is None:
            raise LookupError(self.name)
        before, self._room = self.version, room
        self.version = room.version
        self.moving = room.is_open
        return self.version != before

    def since(self, version: int) -> bytes:
        if version == self.version:
            return b""
        return self._event(self._room.state())

    def _event(self, state: dict[str, object]) -> bytes:
        return self.event({"whole": "true", "at": str(state["time"]), "fields": _json(state)})


class StateChannel(RoomChannel):
    """The same as the contract for clients has it."""

    def _event(self, state: dict[str, object]) -> bytes:
        return f"id: {self.name}@{self.version}\ndata: {_json(state)}\n\n".encode()


def begin() -> None:
    """Send each change of a room at once."""

    def push(room: Room) -> None:
        for kind in (PAGE, STATE):
            STREAM.push(channel_of(kind, room))

    services().rooms.on_change = push


@channels.channel(PAGE)
def _page_channel(name: str, rest: str, _visitor: str) -> Channel:
    return RoomChannel(name, _found(name, rest))


@channels.channel(STATE)
def _state_channel(name: str, rest: str, _visitor: str) -> Channel:
    return StateChannel(name, _found(name, rest))


def _found(name: str, rest: str) -> Room:
    code, _, key = rest.partition("/")
    room = services().rooms.find(code)
    if room is None or not secrets.compare_digest(key.encode(), room.host.encode()):
        raise LookupError(name)
    return room


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
