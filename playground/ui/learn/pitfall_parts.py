"""What the pitfalls and the bug hunt share: the difference to the right code, measures, and the way to Step through."""

from collections.abc import Sequence
from html import escape

import streamlit as st

from playground.lessons.check.causes import lesson_of
from playground.lessons.mistakes import difference
from playground.lessons.pitfalls import PITFALLS, Pitfall
from playground.runs import Run
from playground.ui.parts import style
from playground.ui.parts.live import changes
from playground.ui.session import at_step, state
from playground.ui.session import session_keys as keys
from playground.ui.session.pages import STEP_THROUGH
from playground.ui.train import run_view


def show_mistake(name: str) -> None:
    """What a mistake does, where, the lines that it removes and adds, and the lesson about it."""
    pitfall, lesson = PITFALLS[name], lesson_of(name)
    style.heading(pitfall.title)
    owner, file = pitfall.right.__name__, f"{pitfall.right.__module__.replace('.', '/')}.py"
    where = f"The mistake is in <code>{escape(owner)}</code> (<code>{escape(file)}</code>)."
    st.html(f'<p class="sentence">{style.marked(pitfall.sentence)} {where}</p>')
    st.html(style.difference(difference(pitfall.mistake)))
    if lesson is not None:
        st.html(f'<p class="small">Lesson: {style.lesson(lesson)}</p>')


def show_measure(pitfall: Pitfall, right: float, wrong: float) -> None:
    """The measure that shows the mistake, for both models, and the symptom in a sentence."""
    style.caption(pitfall.measured_as)
    with st.container(horizontal=True, gap="large"):
        st.metric("Right model", pitfall.shown(right), width="content")
        st.metric("With the mistake", pitfall.shown(wrong), width="content")
    if pitfall.seen(right, wrong):
        style.message(pitfall.tell(right, wrong), "good")
    else:
        style.message("The mistake doesn't show with this seed. Try another seed.", "care")


def resume(runs: Sequence[Run]) -> None:
    """Offers to resume runs that the host has paused."""
    if paused := [run for run in runs if run.status == "paused"]:
        messages = (run.message or run.notice for run in paused)
        style.message(next(filter(None, messages), "The training is paused."), "care")
        st.button("Resume", icon=":material/resume:", on_click=_resume, args=(paused,))


def _resume(runs: Sequence[Run]) -> None:
    for run in runs:
        run.resume()


def redraw_with(runs: Sequence[Run], where: str = "pitfall runs") -> None:
    """Has the view drawn again once one of the runs has another status. `where` tells several on a page apart."""
    changes.redraw_any({f"row/{run.id}": {"status": run_view.row(run)["status"]} for run in runs}, key=where)


def step_through(run: Run, operation: str | None = None) -> None:
    """Goes to Step through with the run's newest model, at an operation."""
    state.look_at_model(run)
    at_step.move(None)
    if operation:
        keys.OPERATION.set(operation)
    st.switch_page(STEP_THROUGH.file)
