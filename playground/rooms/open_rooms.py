"""All rooms of a server, kept in a folder so that a restart brings them back."""

import json
import logging
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

from playground.common.files import open_regular
from playground.rooms import codes
from playground.rooms.room import Room
from playground.rooms.room_question import RoomError

MAX_ROOMS, MAX_ROOMS_OWN = 20, 3
"""Rooms of a server, and of one visitor, that have not ended."""

MAX_BYTES = 50_000_000
"""Of a journal: 8 hours with a change each second have 5 % of it."""

_log = logging.getLogger(__name__)


class Rooms:
    """The rooms of a server. Thread-safe."""

    def __init__(self, folder: Path | None = None, clock: Callable[[], float] = time.time) -> None:
        """`folder` has the journals; None: rooms are lost with the server."""
        self._folder, self._clock = folder, clock
        self._rooms: dict[str, Room] = {}
        self._lock = threading.Lock()
        self.on_change: Callable[[Room], object] = lambda room: None
        """Called after each change of a room."""

    def load(self) -> None:
        """Bring back the rooms of the folder. A file that can't be read is skipped and logged."""
        for path in sorted(self._folder.glob("*.jsonl")) if self._folder else ():
            if codes.parse_code(path.stem) != path.stem:
                continue
            room = self._new(path.stem, path)
            try:
                for event in _events(path):
                    room.apply(event)
            except (OSError, ValueError, KeyError, TypeError, AttributeError, IndexError) as error:
                _log.warning("The journal of a room can't be read (%s): %s.", path.name, type(error).__name__)
                continue
            self._rooms[room.code] = room
        self.tick()

    def open(self, owner: str) -> Room:
        """A new room. Raises `RoomError` if there are too many."""
        with self._lock:
            self._forget_old()
            live = [room for room in self._rooms.values() if room.ended is None]
            if sum(room.owner == owner for room in live) >= MAX_ROOMS_OWN:
                raise RoomError(429, f"You have {MAX_ROOMS_OWN} open rooms.", "End one of them first.")
            if len(live) >= MAX_ROOMS:
                raise RoomError(503, f"This server has {MAX_ROOMS} open rooms, its maximum.", "Try again later.")
            code = codes.new_code(self._rooms)
            path = None
            if self._folder is not None:
                self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
                path = self._folder / f"{code}.jsonl"
            room = self._new(code, path)
            room.open(owner)
            self._rooms[code] = room
        return room

    def find(self, code: str) -> Room | None:
        """The room with this code, as people type it; None if it doesn't exist."""
        room = self._rooms.get(codes.parse_code(code))
        if room is not None:
            room.tick()
        return room if room is not None and room.is_kept else None

    def of_seat(self, visitor: str) -> Iterator[Room]:
        """The rooms in which this browser has a seat."""
        for room in list(self._rooms.values()):
            if room.ended is None and visitor in room.visitors:
                yield room

    def tick(self) -> None:
        """End rooms without a host, and delete what ended long ago. What can't be saved now is tried again."""
        for room in list(self._rooms.values()):
            with suppress(RoomError):
                room.tick()
        with self._lock:
            self._forget_old()

    def _new(self, code: str, path: Path | None) -> Room:
        room = Room(code, path, self._clock)
        room.on_change = lambda: self.on_change(room)
        return room

    def _forget_old(self) -> None:
        for code, room in list(self._rooms.items()):
            if not room.is_kept:
                del self._rooms[code]
                if room.path is not None:
                    with suppress(OSError):
                        room.path.unlink()


def _events(path: Path) -> Iterator[dict[str, Any]]:
    """The events of a journal; a last line that was cut off is removed."""
    with open_regular(path, write=True) as file:
        content = file.read(MAX_BYTES)
        whole = content.rfind(b"\n") + 1
        if whole < len(content):
            file.truncate(whole)
    for line in content[:whole].splitlines():
        yield json.loads(line)
