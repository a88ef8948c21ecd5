"""Playback of a recorded run on the Train page, without training, so that nothing can fail in a lecture."""

import secrets
from collections.abc import Mapping
from weakref import WeakKeyDictionary, WeakValueDictionary

import streamlit as st

from playground.runs import Playback, Run
from playground.ui.session import paces, sources
from playground.ui.session.session_keys import Key

PLAYBACK = Key[Playback | None]("playback", None, "Recorded run that is played back")
PLAYBACK_PACE = Key[str]("playback_pace", "Watch", "Widget: pace of a playback")

WORD = "playback"
"""Value of the query parameter for a playback."""

PLAYBACK_PACES = ("1 step/s", paces.USUAL_PACE, "Fast")

SHOWN: WeakValueDictionary[str, Playback] = WeakValueDictionary()
"""Playbacks of all tabs, by unguessable names."""

_tokens: WeakKeyDictionary[Playback, str] = WeakKeyDictionary()


def token(shown: Playback) -> str:
    """Name of a playback in `SHOWN`."""
    name = _tokens.setdefault(shown, secrets.token_urlsafe(12))
    SHOWN[name] = shown
    return name


def instead_of(run: Run | None) -> Run | Playback | None:
    """The playback of this run if this tab or the address has one, or else the run itself."""
    shown = PLAYBACK.get()
    if run is not None and WORD in st.query_params and (shown is None or shown.id != run.id):
        shown = Playback(run)
        PLAYBACK.set(shown)
    if run is None or shown is None or shown.id != run.id:
        return run
    return shown


def button(run: Run | Playback) -> None:
    """Draw the button that plays back a run that has ended."""
    if run.ended and run.step and not isinstance(run, Playback):
        st.button(
            "Play back",
            icon=":material/replay:",
            on_click=_begin,
            args=(run,),
            help="Play the recorded run again, without training. The link does the same.",
        )


def controls(run: Playback) -> None:
    """Draw the buttons of a playback, in place of those of a run."""
    alive, paused = not run.ended, run.status == "paused"
    PLAYBACK_PACE.begin(paces.USUAL_PACE)
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="control"):
        label, icon, act = ("Resume", "resume", run.resume) if paused else ("Pause", "pause", run.pause)
        st.button(
            label,
            key=f"play {label}",
            icon=f":material/{icon}:",
            type="primary",
            disabled=not (alive or paused),
            on_click=act,
        )
        st.button("Step", icon=":material/step:", disabled=not paused, on_click=run.step_once)
        st.button("Play again", icon=":material/replay:", on_click=_begin, args=(run,))
        st.segmented_control(
            "Pace", PLAYBACK_PACES, required=True, on_change=_change_pace, args=(run,), **PLAYBACK_PACE.widget
        )
        st.button("Leave playback", icon=":material/close:", on_click=_leave)


def press(shown: Playback, presses: Mapping[str, int]) -> None:
    """Handle keys: "run" resumes or pauses, each "step" shows the next step."""
    for _ in range(presses.get("step", 0)):
        shown.step_once()
    if presses.get("run", 0) % 2:
        shown.pause() if shown.status == "running" else shown.resume()


def _begin(run: Run | Playback) -> None:
    shown = run.restarted() if isinstance(run, Playback) else Playback(run)
    PLAYBACK.set(shown)
    _change_pace(shown)
    st.query_params[WORD], st.query_params[sources.RUN] = "1", run.id


def _leave() -> None:
    PLAYBACK.forget()
    st.query_params.pop(WORD, None)


def _change_pace(shown: Playback) -> None:
    usual = shown.default_pace
    shown.set_pace({"1 step/s": 1.0, "Fast": 4 * usual}.get(PLAYBACK_PACE.get(), usual))
