"""The training step of the session; any page may turn to another one."""

import time

from playground.ui.session import session_keys as keys

NOW = "now"
"""The newest step, instead of a number; it follows a run that continues."""


def move(step: int | None, *, playing: bool = False) -> None:
    """Turns to a step, kept or not, None for the newest; with `playing`, the steps advance from there."""
    keys.AT_STEP.set(NOW if step is None else str(step))
    keys.PLAYING.set(playing)
    keys.STEP_MOVED.set(time.monotonic())
    keys.HELD_STEP.forget()
    keys.STEP_PROBLEM.forget()


def let_go() -> None:
    """Shows the newest step at the next visit of the page."""
    keys.HELD_STEP.forget()


def is_playing() -> bool:
    """Whether the steps advance by themselves."""
    return bool(keys.PLAYING.get())
