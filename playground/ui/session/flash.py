"""Messages shown once: a callback leaves one at a place, and `style.flashed` draws it there."""

from typing import Literal

from playground.ui.session.session_keys import Key

Kind = Literal["plain", "note", "good", "care", "wrong"]

FLASH = Key[tuple[str, Kind]]("flash {}", ("", "wrong"), "Message to show once at this place, and its kind")


def flash(place: str, text: str, kind: Kind = "wrong") -> None:
    """Leave a message, which replaces another one at the same place."""
    FLASH.of(place).set((text, kind))


def taken(place: str) -> tuple[str, Kind]:
    """Remove and return the message at a place; its text is empty if there is none."""
    return FLASH.of(place).take()
