"""Parts shared by pitfalls and bug hunt: the diff to the right code, measures, and links to Step through."""

from collections.abc import Sequence
from functools import partial
from html import escape

import numpy as np
import streamlit as st

from playground.common.bounded_cache import BoundedCache
from playground.lessons import pitfalls
from playground.lessons.mistakes.classes import difference
from playground.lessons.mistakes.pitfall import Pitfall
from playground.lessons.mistakes.table import MISTAKES
from playground.runs import Run
from playground.settings.config import RunConfig
from playground.settings.estimate import training_seconds
from playground.ui.parts import style
from playground.ui.parts.live import changes
from playground.ui.runs import run_view
from playground.ui.server import work
from playground.ui.session import at_step, tab_run
from playground.ui.session import session_keys as keys
from playground.ui.session.pages import STEP_THROUGH

_measured: BoundedCache[tuple[object, ...], float] = BoundedCache(1000, lambda _: 1)


def measure_of(name: str, run: Run) -> float:
    """The measure of a pitfall for the final weights of a run.

    Raises `PlaygroundError`, and `CheckpointError` if there are no weights.
    """

    def measure() -> float:
        _, weights = run.store.snapshots.near(run.step)
        function = partial(pitfalls.measured, wrong=bool(run.metadata.pitfall))
        return work.computed(function, name, run.config, weights, losses(run), seconds=0)

    return _measured.made((name, run.id, run.step), measure)


def measure_of_right_model(name: str, config: RunConfig) -> float:
    """The measure for the correct model with these settings, which includes its training; raises `PlaygroundError`."""
    seconds = training_seconds(config, config.training.steps)
    return _measured.made((name, config), lambda: work.computed(pitfalls.measured_right, name, config, seconds=seconds))


def losses(run: Run) -> tuple[float, ...]:
    """Training loss of each step."""
    losses = run.columns(("loss",))["loss"]
    return tuple(losses[~np.isnan(losses)].tolist())


def show_mistake(name: str) -> None:
    """Draw what a mistake does, where it is, its diff, and the lesson about it."""
    mistake = MISTAKES[name]
    right = mistake.code.__mro__[1]
    style.heading(mistake.title)
    owner, file = right.__name__, f"{right.__module__.replace('.', '/')}.py"
    where = f"The mistake is in <code>{escape(owner)}</code> (<code>{escape(file)}</code>)."
    st.html(f'<p class="sentence">{style.marked(mistake.sentence)} {where}</p>')
    style.caption("− lines of the correct code, + lines with the mistake")
    st.html(style.difference(difference(mistake.code)))
    st.html(f'<p class="small">Lesson: {style.lesson(mistake.lesson)}</p>')


def show_measure(pitfall: Pitfall, right: float, wrong: float) -> None:
    """Draw the measure that shows the mistake, for both models, and the symptom in a sentence."""
    style.caption(pitfall.measured_as)
    with st.container(horizontal=True, gap="large"):
        st.metric("Correct model", pitfall.shown(right), width="content")
        st.metric("With the mistake", pitfall.shown(wrong), width="content")
    if pitfall.seen(right, wrong):
        style.message(pitfall.tell(right, wrong), "good")
    else:
        style.message("The mistake doesn't show with this seed. Try another seed.", "care")


def resume(runs: Sequence[Run]) -> None:
    """Draw a button that resumes runs that the host has paused."""
    if paused := [run for run in runs if run.status == "paused"]:
        messages = (run.message or run.notice for run in paused)
        style.message(next(filter(None, messages), "The training is paused."), "care")
        st.button("Resume", icon=":material/resume:", on_click=_resume, args=(paused,))


def _resume(runs: Sequence[Run]) -> None:
    for run in runs:
        run.resume()


def redraw_with(runs: Sequence[Run], where: str = "pitfall runs") -> None:
    """Redraw the view when the status of a run changes. `where` is unique on the page."""
    changes.redraw_any({f"row/{run.id}": {"status": run_view.row(run)["status"]} for run in runs}, key=where)


def step_through(run: Run, operation: str | None = None) -> None:
    """Open Step through with the run's newest model, at an operation."""
    tab_run.look_at_model(run)
    at_step.move(None)
    if operation:
        keys.OPERATION.set(operation)
    st.switch_page(STEP_THROUGH.file)
