"""The current training step: chosen, played back, and replayed if it was not kept."""

import time
from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

import streamlit as st

from playground.runs import Replay, Run
from playground.ui.parts.live import changes
from playground.ui.runs import run_status
from playground.ui.server import channels
from playground.ui.session import at_step, identity, sources
from playground.ui.session import session_keys as keys
from playground.ui.session.services import services
from playground.ui.session.session_keys import Key

DRAWN_STEPS = Key[list[int]]("drawn steps", list, "The last steps that the slider showed")
SLIDER_END = Key[int]("slider end", -1, "Last step of the slider")
STEP_ASKED = Key[tuple[str, int] | None]("step asked", None, "Requested replay")
STEP_SLIDER = Key[int]("step slider", -1, "Widget: training step")

PICTURE_SECONDS = 1 / 3
"""Seconds that each step is shown during playback."""

MESSAGE = ".time-message"
"""CSS selector of the line about the step."""

_FOLLOWED_SECONDS = 1.0  # seconds between two redraws while a training is followed
_AT_ONCE = 0.25  # seconds to wait for a replay before a message is shown
_STALE = 1.0  # seconds during which the slider may still report its value before the page changed it


class Chosen(NamedTuple):
    """The training step that a page shows."""

    step: int
    """The requested step or, until its replay is done, the nearest kept one."""
    when: Callable[[], str]
    """Message about it; may be empty."""
    keep_current: Callable[[], None]
    """Redraws the fragment during playback, and when what was drawn here is outdated."""


def choose_step(run: Run) -> Chosen:
    """Draw the control. The step advances during playback."""
    ended, newest, status = run.ended, run.step, run_status.status(run)  # later changes cause a redraw
    _play_on(run)
    wanted = _wanted(run)
    replay = _replay(run, wanted)
    replays, done = not replay.done and not replay.message, replay.done
    shown = wanted if done else run.nearest(wanted)
    drawn = DRAWN_STEPS.get()
    drawn[:] = [*drawn, wanted][-3:]
    end = max(1, run_status.slider_end(run), wanted)
    # Setting the value would undo what a person has moved meanwhile, so it is set only when the page moves the slider.
    # At other times it is the default: a new slider starts there even if another script run replaces the first one.
    moved = STEP_SLIDER.is_set() and (STEP_SLIDER.get(), SLIDER_END.get()) != (wanted, end)
    if moved:
        STEP_SLIDER.set(wanted)
    SLIDER_END.set(end)
    with st.container(horizontal=True, vertical_alignment="center", width=272, gap="small", wrap=False, key="time"):
        playing = at_step.is_playing()
        st.button(
            "Pause" if playing else "Play",
            key="play",
            icon=":material/pause:" if playing else ":material/play_arrow:",
            help="Plays the saved steps, about three a second, then follows the training.",
            disabled=run.step == 0,
            on_click=_play,
            args=(run,),
        )
        st.slider(
            "Training step",
            min_value=0,
            max_value=end,
            value=None if moved else wanted,  # Streamlit warns of a default for a value that was set
            key=STEP_SLIDER.name,
            format="step %d",
            label_visibility="collapsed",
            disabled=run.step == 0,
            on_change=_slid,
            args=(run,),
        )

    def keep_current() -> None:
        """A training that is not followed doesn't cause redraws, except at its end: a line shows its progress."""
        if at_step.is_playing() and keys.AT_STEP.get() != at_step.NOW:
            changes.again(PICTURE_SECONDS, key="time")
        elif replays:
            channel = f"visitor/replay/{run.id}/{wanted}"
            changes.redraw(channel, {"done": False}, key="time", texts={"message": MESSAGE})
        elif at_step.is_playing():
            changes.redraw(f"run/{run.id}", {"step": newest}, key="time", wait=_FOLLOWED_SECONDS)
        elif not ended:
            texts = {"training": MESSAGE} if _is_behind(run) else {}
            changes.redraw(f"run/{run.id}", {"status": status}, key="time", texts=texts)

    return Chosen(shown, partial(_message, run, wanted, shown, replay), keep_current)


def replay_fields(visitor: str, run: Run, step: int) -> dict[str, Any]:
    """Channel fields of a replay."""
    replay = services().runs.replays.ask(visitor, run, step)
    over = replay.done or bool(replay.message)
    return {"done": over} if over else {"done": False, "message": _on_the_way(replay, step, run.nearest(step))}


@channels.channel(f"{channels.OWN}/replay")
def _replay_channel(name: str, rest: str, visitor: str) -> channels.Channel:
    run_id, _, text = rest.rpartition("/")
    run = channels.watched(name, run_id)
    if not (text.isascii() and text.isdigit() and len(text) < 16 and int(text) <= run.step):
        raise LookupError(name)
    return channels.FieldChannel(name, lambda: replay_fields(visitor, run, int(text)), lambda: True)


def later(run: Run) -> None:
    """Go to the next kept step; after the last one, follow the newest."""
    wanted = _wanted(run)
    at_step.move(next((step for step in _kept(run) if step > wanted), None))


def earlier(run: Run) -> None:
    """Go to the previous kept step."""
    wanted = _wanted(run)
    at_step.move(next((step for step in reversed(_kept(run)) if step < wanted), 0))


def _kept(run: Run) -> list[int]:
    return sorted({0, *run.snapshot_steps()})


def _wanted(run: Run) -> int:
    """The step in the session; if it doesn't exist, the nearest one and a message."""
    text = keys.AT_STEP.begin(at_step.NOW) or at_step.NOW
    if text == at_step.NOW:
        return _newest(run)
    newest = run.step
    step = int(text) if text.isascii() and text.removeprefix("-").isdigit() and len(text) < 16 else None
    if step is not None and 0 <= step <= newest:
        return step
    nearest = at_step.NOW if step is None or step > newest else "0"
    keys.AT_STEP.set(nearest)
    what = f"“{text[:20]}” is not a training step." if step is None else f"This run has no training step {step:,}."
    shown = "The newest step is shown." if nearest == at_step.NOW else "Step 0 is shown."
    keys.STEP_PROBLEM.set(f"{what} Use 0 to {newest:,}. {shown}")
    return _newest(run) if nearest == at_step.NOW else 0


def _newest(run: Run) -> int:
    """The newest step or, while a run trains without being followed, the newest at the time of the request."""
    held = keys.HELD_STEP.get()
    if _is_behind(run) and held is not None and held[0] == run.id:
        return int(held[1])
    newest = run.nearest()
    keys.HELD_STEP.set((run.id, newest))
    return newest


def _replay(run: Run, wanted: int) -> Replay:
    """The replay to the requested step; waits briefly for it."""
    replay = services().runs.replays.ask(identity.visitor(), run, wanted)
    asked = (run.id, wanted)
    if STEP_ASKED.get() != asked:
        STEP_ASKED.set(asked)
        replay.wait(_AT_ONCE)
    return replay


def _message(run: Run, wanted: int, shown: int, replay: Replay) -> str:
    """Message about the step; may be empty."""
    if replay.message:
        return sources.plain(f"{replay.message} Step {shown:,} is shown.")
    if shown != wanted:
        return _on_the_way(replay, wanted, shown)
    if problem := keys.STEP_PROBLEM.get():
        return sources.plain(problem)
    if at_step.is_playing() and keys.AT_STEP.get() == at_step.NOW:
        return "Follows the training."
    return run_status.training(run) if _is_behind(run) else ""


def _on_the_way(replay: Replay, wanted: int, shown: int) -> str:
    way = "Waiting for other replays" if replay.waiting else "Replaying"
    return f"{way} to step {wanted:,} … {100 * replay.progress:.0f} %. Step {shown:,} is shown."


def _is_behind(run: Run) -> bool:
    """True if the newest step was requested and the run trains without being followed."""
    return keys.AT_STEP.get() == at_step.NOW and not at_step.is_playing() and run_status.goes_on(run)


def _slid(run: Run) -> None:
    step, drawn = STEP_SLIDER.get(), DRAWN_STEPS.get()
    # While it plays, the page moves the slider all the time, and a slow browser is far behind.
    late = at_step.is_playing() or time.monotonic() - keys.STEP_MOVED.get() < _STALE
    if late and step in drawn[:-1]:
        return  # the browser has not drawn the new value yet
    at_step.move(None if step >= run.step else step)
    keys.STEP_MOVED.set(0.0)


def _play(run: Run) -> None:
    if at_step.is_playing():
        keys.PLAYING.set(False)
        return
    kept = _kept(run)
    wanted = _wanted(run)
    if run_status.goes_on(run) and (_is_behind(run) or wanted >= kept[-1]):
        at_step.move(None, playing=True)
    else:
        at_step.move(kept[0] if wanted >= kept[-1] else wanted, playing=True)


def _play_on(run: Run) -> None:
    """Advance playback when due; after the last step, follow the training, or stop if it has ended."""
    if at_step.is_playing() and keys.AT_STEP.get() == at_step.NOW:
        keys.PLAYING.set(run_status.goes_on(run))
    elif at_step.is_playing() and time.monotonic() - keys.STEP_MOVED.get() >= 0.8 * PICTURE_SECONDS:
        wanted = _wanted(run)
        step = next((step for step in _kept(run) if step > wanted), None)
        at_step.move(step, playing=step is not None or run_status.goes_on(run))
