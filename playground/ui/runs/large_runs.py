"""The question before a long or large run: its estimated cost, and whether to train anyway."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import streamlit as st

from playground.common.numbers import duration
from playground.settings.config import RunConfig
from playground.settings.estimate import Cost, estimate
from playground.ui.parts import style
from playground.ui.session.services import services
from playground.ui.session.session_keys import Key

LARGE_RUN = Key[Any]("large run", None, "Question about the cost of a run")

MAX_SECONDS = 600.0
"""Maximum estimated seconds at full speed of a run that starts without a question."""

MAX_MB = 2000.0
"""Maximum estimated memory, in MB, of a run that starts without a question."""


@dataclass
class _Question:
    cost: Cost
    act: Callable[[], object]
    place: str
    page: str
    drawn: bool = False

    def start(self) -> None:
        with style.error_messages(self.place):
            self.act()
            if self.page:
                st.switch_page(self.page)


def begin(
    config: RunConfig, act: Callable[[], object], cost: Cost | None = None, *, place: str = "run", page: str = ""
) -> None:
    """Start a run by `act`, at once or, above the limits, after the person has confirmed; then open `page`, if given.

    An error message is left at `place`, see `flash`. Without `page` this also works in callbacks. `cost` defaults to
    that of the whole run. If the host refuses the run, there is no question: the error of `act` says why.
    """
    question = _Question(cost or estimate(config), act, place, page)
    small = question.cost.seconds <= MAX_SECONDS and question.cost.megabytes <= MAX_MB
    if small or services().runs.refusal(config):
        question.start()
    else:
        LARGE_RUN.set(question)


def remaining(config: RunConfig, step: int) -> Cost:
    """Cost of a run with these settings from a step on."""
    cost, steps = estimate(config), config.training.steps
    return Cost(cost.megabytes, cost.seconds * max(0, steps - step) / steps)


def open_question() -> None:
    """Rerun the whole page if a question is pending: a fragment can't open a dialog."""
    question = LARGE_RUN.get()
    if question is not None and not question.drawn:
        st.rerun()


def show() -> bool:
    """Draw the question as a dialog while it is open; returns whether it is."""
    question = LARGE_RUN.get()
    if question is None:
        return False
    question.drawn = True
    st.dialog("Start a large run?", icon=":material/hourglass_top:", on_dismiss=_close)(_draw)(question)
    return True


def _draw(question: _Question) -> None:
    cost = question.cost
    st.markdown(
        f"Estimated at full speed: **{duration(cost.seconds)}** and **{cost.megabytes:,.0f} MB** of memory. "
        "Fewer steps, a smaller batch or a smaller model cost less."
    )
    with st.container(horizontal=True):
        agreed = st.button("Train anyway", type="primary", icon=":material/play_arrow:", key="large run agreed")
        if st.button("Cancel", key="large run cancelled"):
            _close()
            st.rerun()
    if agreed:
        _close()
        question.start()
        st.rerun()


def _close() -> None:
    LARGE_RUN.forget()
