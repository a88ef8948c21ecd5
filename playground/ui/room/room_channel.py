"""The state of a room in the event stream: at once after each change, always whole, the newest wins."""

import json

from playground.rooms import Room
from playground.ui.server import channels
from playground.ui.server.channels import STREAM
from playground.ui.server.stream import Channel
from playground.ui.session.services import services

KIND = "room"
"""Channels `room/CODE` of pages."""
STATE = "room-state"
"""Channels `room-state/CODE` of other clients, whose data are the state alone."""


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
        for kind in (KIND, STATE):
            STREAM.push(f"{kind}/{room.code}")

    services().rooms.on_change = push


@channels.channel(KIND)
def _page_channel(name: str, code: str, _visitor: str) -> Channel:
    return RoomChannel(name, _found(name, code))


@channels.channel(STATE)
def _state_channel(name: str, code: str, _visitor: str) -> Channel:
    return StateChannel(name, _found(name, code))


def _found(name: str, code: str) -> Room:
    room = services().rooms.find(code)
    if room is None:
        raise LookupError(name)
    return room


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
