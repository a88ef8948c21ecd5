"""Asynchronous requests to the Hub: sent once, cached in this session, and redrawn when the response arrives."""

import time
from collections import OrderedDict
from collections.abc import Callable
from contextvars import ContextVar
from typing import Generic, NamedTuple, TypeVar

import streamlit as st

from playground.common.errors import HubError, HubErrorKind
from playground.hub.jobs import Job
from playground.ui.parts.live import job_channel
from playground.ui.session import identity
from playground.ui.session.services import services
from playground.ui.session.session_keys import Key

HUB_ASKED = Key[OrderedDict[tuple[str, ...], Job]]("hub asked", OrderedDict, "Questions to the Hub")

T = TypeVar("T")

AT_ONCE = 0.6
"""Seconds to wait for a response, so that a fast one shows in the same script run."""

_HOLDS = 300.0  # seconds until a cached response expires
_KEPT = 40  # responses per session

_unanswered: ContextVar[list[Job]] = ContextVar("unanswered")
"""Pending questions of the fragment that is being drawn."""

QuestionKey = tuple[str, ...]
"""Topic and key of a question."""


class HubAnswer(NamedTuple, Generic[T]):
    """Response to a question: a result, an error, or neither while it is pending."""

    result: T | None = None
    error: HubError | None = None


def ask(key: QuestionKey, question: Callable[[], T], *, alone: bool = False) -> HubAnswer[T]:
    """The response to a question; the first call sends it in another thread.

    A newer question of a topic replaces one that is still pending or, if it is to be kept `alone`, any other of its
    topic: for large responses. `question` must not return None.
    """
    asked = _asked()
    if key not in asked or asked[key].cancelled or time.monotonic() - (asked[key].ended or time.monotonic()) > _HOLDS:
        for old, job in [(old, job) for old, job in asked.items() if old[0] == key[0]]:
            services().questions.cancel(job.owner, job.id)
            if alone:
                del asked[old]
        try:
            asked[key] = services().questions.start(identity.visitor(), key[0], lambda _tell: question())
        except HubError as error:
            return HubAnswer(error=error)
        until = time.monotonic() + AT_ONCE
        while not asked[key].done and time.monotonic() < until:
            time.sleep(0.01)
        while len(asked) > _KEPT:
            asked.popitem(last=False)
    asked.move_to_end(key)
    job = asked[key]
    if not job.done:
        _unanswered.get([]).append(job)  # outside `watch` nothing redraws
        return HubAnswer()
    services().questions.forget(job.owner, job.id)  # from now on only this session has the response
    return HubAnswer(job.result, job.error)


def forget(*topics: str, but: HubErrorKind | None = None) -> None:
    """Drop cached responses of these topics, or of all, `but` keep errors of one kind.

    The questions are sent again.
    """
    asked = _asked()
    for key, job in list(asked.items()):
        if (not topics or key[0] in topics) and not (but and job.error and job.error.kind == but):
            del asked[key]


def watch(draw: Callable[[], None], *, key: str) -> None:
    """Run `draw` as a fragment that asks questions; redraw when a pending one is answered.

    `key` is unique among the fragments of a page.
    """

    def drawn() -> None:
        before = _unanswered.set([])
        try:
            draw()
            if waiting := _unanswered.get():
                job_channel.redraw_when_done(waiting, key=f"answers {key}")
        finally:
            _unanswered.reset(before)

    st.fragment(drawn)()


def _asked() -> OrderedDict[QuestionKey, Job]:
    return HUB_ASKED.get()
