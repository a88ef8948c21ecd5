"""Questions to the Hub that no page waits for: asked once, kept in this session, drawn again once they are answered."""

import time
from collections import OrderedDict
from collections.abc import Callable
from contextvars import ContextVar
from typing import Generic, NamedTuple, TypeVar

import streamlit as st

from playground.errors import HubError, Kind
from playground.hub.jobs import Job
from playground.ui.checkpoints import job_channel
from playground.ui.parts.live import changes
from playground.ui.session import session_keys as keys
from playground.ui.session import state

T = TypeVar("T")

AT_ONCE = 0.6
"""Seconds that an answer is waited for, so that a quick one is there in the same drawing."""

_HOLDS = 300.0  # seconds, after which the Hub is asked again
_KEPT = 40  # answers of one session

_unanswered: ContextVar[list[Job]] = ContextVar("unanswered")
"""What the part of a page that is being drawn waits for."""

Key = tuple[str, ...]
"""What is asked about: the topic, and what tells one question of it from the others."""


class Answer(NamedTuple, Generic[T]):
    """What the Hub has said to a question: a result, or an error, or nothing yet."""

    result: T | None = None
    error: HubError | None = None

    @property
    def waiting(self) -> bool:
        return self.result is None and self.error is None


def ask(key: Key, question: Callable[[], T]) -> Answer[T]:
    """The answer to a question, which is put to the Hub by another thread the first time it is asked.

    A newer question of a topic takes the place of one that still waits. `question` must not return None.
    """
    asked = _asked()
    if key not in asked or asked[key].cancelled or time.time() - (asked[key].ended or time.time()) > _HOLDS:
        for job in (job for old, job in asked.items() if old[0] == key[0]):
            state.QUESTIONS.cancel(job.owner, job.id)
        try:
            asked[key] = state.QUESTIONS.start(state.visitor(), key[0], lambda _tell: question())
        except HubError as error:
            return Answer(error=error)
        until = time.monotonic() + AT_ONCE
        while not asked[key].done and time.monotonic() < until:
            time.sleep(0.01)
        while len(asked) > _KEPT:
            asked.popitem(last=False)
    asked.move_to_end(key)
    job = asked[key]
    if not job.done:
        _unanswered.get([]).append(job)  # outside of `watch` nobody draws again
        return Answer()
    state.QUESTIONS.forget(job.owner, job.id)  # from now on this session alone has the answer
    return Answer(job.result, job.error)


def forget(*topics: str, but: Kind | None = None) -> None:
    """Forgets what was answered to questions of these topics, or of all, `but` for errors of one kind.

    They are asked again.
    """
    asked = _asked()
    for key, job in list(asked.items()):
        if (not topics or key[0] in topics) and not (but and job.error and job.error.kind == but):
            del asked[key]


def watch(draw: Callable[[], None], *, key: str) -> None:
    """Draws a part of a page that asks; again when a question is answered that it was drawn without the answer to.

    `key` tells the parts of a page apart.
    """

    def drawn() -> None:
        before = _unanswered.set([])
        try:
            draw()
            if waiting := _unanswered.get():
                shown = {job_channel.question(job): True for job in waiting}
                changes.redraw(job_channel.NAME, shown, key=f"answers {key}")
        finally:
            _unanswered.reset(before)

    st.fragment(drawn)()


def _asked() -> OrderedDict[Key, Job]:
    return keys.HUB_ASKED.get()
