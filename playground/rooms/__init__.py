"""Rooms for a class: one host leads, seats follow, predict and try. No accounts; names are dealt."""

from playground.rooms.open_rooms import MAX_ROOMS, Rooms
from playground.rooms.room import MAX_SEATS, Room, RoomError, Seat

__all__ = ["MAX_ROOMS", "MAX_SEATS", "Room", "RoomError", "Rooms", "Seat"]
