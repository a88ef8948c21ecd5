"""The training step of the session; any page can change it."""

import time

from playground.ui.session import session_keys as keys

NOW = "now"
"""Stands for the newest step, also while the run trains."""


def move(step: int | None, *, playing: bool = False) -> None:
    """Set the step, kept or not; None: the newest. With `playing`, playback continues from there."""
    keys.AT_STEP.set(NOW if step is None else str(step))
    keys.PLAYING.set(playing)
    keys.STEP_MOVED.set(time.monotonic())
    keys.HELD_STEP.forget()
    keys.STEP_PROBLEM.forget()


def let_go() -> None:
    """Set the newest step for the next visit of the page."""
    keys.HELD_STEP.forget()


def is_playing() -> bool:
    """True while playback is on."""
    return bool(keys.PLAYING.get())
