"""The training step that is looked at, as the session has it: any page may turn to another one."""

import time

import streamlit as st

NOW = "now"
"""The newest step there is, in place of a number; it follows a run that goes on."""

KEY = "at_step"
"""Where the session keeps the step that is wanted: digits, or `NOW`."""

HELD = "held step"
"""Where the session keeps the run and the step of it that is shown while a training that nobody follows goes on."""


def go_to(step: int) -> None:
    """Turns to a step, whether it was kept or not."""
    move(step)


def move(step: int | None, *, playing: bool = False) -> None:
    """Turns to a step, None for the newest, and tells whether the steps go by themselves from there."""
    st.session_state[KEY] = NOW if step is None else str(step)
    st.session_state["playing"] = playing
    st.session_state["step moved"] = time.monotonic()
    for key in (HELD, "step problem"):
        st.session_state.pop(key, None)


def let_go() -> None:
    """Shows the newest step the next time: whoever comes to the page wants to see that."""
    st.session_state.pop(HELD, None)


def is_playing() -> bool:
    """Whether the steps go by themselves."""
    return bool(st.session_state.get("playing"))
