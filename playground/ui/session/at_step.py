"""The training step that is looked at, as the session has it: any page may turn to another one."""

import time

from playground.ui.session import session_keys as keys

NOW = "now"
"""The newest step there is, in place of a number; it follows a run that goes on."""


def move(step: int | None, *, playing: bool = False) -> None:
    """Turns to a step, kept or not, None for the newest; `playing`: the steps go on by themselves from there."""
    keys.AT_STEP.set(NOW if step is None else str(step))
    keys.PLAYING.set(playing)
    keys.STEP_MOVED.set(time.monotonic())
    keys.HELD_STEP.forget()
    keys.STEP_PROBLEM.forget()


def let_go() -> None:
    """Shows the newest step the next time: whoever comes to the page wants to see that."""
    keys.HELD_STEP.forget()


def is_playing() -> bool:
    """Whether the steps go by themselves."""
    return bool(keys.PLAYING.get())
