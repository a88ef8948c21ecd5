"""Measurements over many inputs: computed in the background with progress; results are cached for all visitors."""

import logging
import pickle
import time
from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass
from functools import partial
from typing import Any

import streamlit as st

from playground.common.bounded_cache import BoundedCache
from playground.common.errors import HubError, PlaygroundError
from playground.common.numbers import duration
from playground.hub.jobs import Cancelled, Job, OnProgress
from playground.ui.parts import style
from playground.ui.parts.live import changes, job_channel
from playground.ui.parts.measurement_costs import COSTS
from playground.ui.server.work import measured
from playground.ui.session import identity, sources, tabs
from playground.ui.session.flash import flash
from playground.ui.session.services import services

_log = logging.getLogger(__name__)

LEFT_SECONDS = 60.0
"""Seconds after which a measurement ends if every tab that shows it was closed; a reload is faster."""

ASK_SECONDS = 60.0
"""Estimated seconds up to which a measurement starts without a press, and without its estimate on the page."""

_PATIENCE = 1.0  # seconds between two looks at whether a waiting measurement is still wanted

_known: BoundedCache[Hashable, "_Known"] = BoundedCache(32_000_000, lambda known: known.size)


@dataclass(frozen=True)
class _Known:
    """A result, or an error message."""

    result: Any
    problem: str
    size: int


class _Tabs:
    """The tabs that show a measurement."""

    def __init__(self) -> None:
        self.ids = {tabs.this()}
        self._seen = time.monotonic()

    @property
    def left(self) -> bool:
        """True if all of them have been closed for `LEFT_SECONDS`."""
        if any(map(tabs.is_open, tuple(self.ids))):
            self._seen = time.monotonic()
        return time.monotonic() - self._seen > LEFT_SECONDS


def show(
    kind: str,
    key: Hashable,
    work: Callable[..., Iterable[Any]],
    *arguments: object,
    button: str = "",
    starts: bool = False,
    help: str | None = None,
    stage: str = "Measuring",
    prepare: Callable[[], tuple[object, ...]] = tuple,
    costed: tuple[object, ...] = (),
    is_usable: Callable[[Any], bool] = lambda result: True,
) -> Any | None:
    """The last value that `work(*arguments)` yields; until then, draw the button or the progress and return None.

    `kind` is one of `COSTS`, once on the page; `key` is what the result depends on: the weights and the person's
    choices. It starts on a press if it is long or has a `button` and not `starts`, otherwise at once. `work` yields
    (done, total, result) or objects with `done` and `total`. A measurement of the same kind with another key is
    cancelled. `prepare` is called once in a background thread; its results are passed before `arguments`. In their
    place, `costed` is passed to the estimate of `COSTS`. What the host doesn't allow to take that long is refused. A
    known result for which `is_usable` is false is dropped.
    """
    name = f"{kind} {changes.mark(key)}"
    job = _newest(kind, name)
    over = job is not None and job.done  # first: a finished job has stored its result
    if job is not None:
        job.tabs.add(tabs.this())
    found = _known.get((kind, key))
    if found is not None and not found.problem and not is_usable(found.result):
        _known.drop((kind, key))
        found = None
    if found is not None:
        if found.problem:
            style.message(sources.plain(found.problem), "wrong", "error")
            st.button(
                "Try again", key=f"{kind} again", icon=":material/refresh:", on_click=_known.drop, args=((kind, key),)
            )
        return found.result

    if job is not None and over and not job.cancelled:
        job = None  # it ended when its last tab had been closed, or its result was dropped
    seconds = COSTS[kind](*costed, *arguments)
    refused = services().runs.long_work.refusal(seconds) if job is None else ""

    def items(*, long: bool) -> Iterable[Any]:
        return measured(work, *prepare(), *arguments, seconds=60 * services().host.run_minutes, long=long)

    begin: Callable[[], Any] = partial(_begin, kind, key, name, stage, seconds, items)
    if not refused and job is None and (starts or not button) and seconds <= ASK_SECONDS:
        job = begin()
    if job is None or job.cancelled:
        style.flashed(f"{kind} waits")
        st.button(
            button or "Measure",
            key=f"{kind} begin",
            icon=":material/play_arrow:",
            help=help,
            on_click=begin,
            disabled=bool(refused),
        )
        if refused:
            style.message(refused, "care")
        elif seconds > ASK_SECONDS:
            style.caption(f"Estimated time: {duration(seconds)}")
        return None
    with st.container(horizontal=True, vertical_alignment="center", key=f"{kind} progress"):
        job_channel.draw_progress(job, key=f"{kind} bar", label=stage)
        st.button("Cancel", key=f"{kind} cancel", icon=":material/close:", on_click=_cancel, args=(kind,))
    job_channel.redraw_when_done([job], key=kind)
    return None


def known(kind: str, key: Hashable) -> Any | None:
    """The result of a measurement, for any visitor who has asked for it; None if it isn't known or failed."""
    found = _known.get((kind, key))
    return None if found is None else found.result


def forget(kind: str, key: Hashable) -> None:
    """Drop a result that must not be kept, once the caller has it."""
    _known.drop((kind, key))


def _newest(kind: str, name: str) -> Job | None:
    """The newest job with this name; cancels others of its kind."""
    jobs = [job for job in services().measurements.jobs(identity.visitor()) if job.kind.startswith(f"{kind} ")]
    for job in jobs:
        if job.kind != name:
            services().measurements.cancel(identity.visitor(), job.id)
    return next((job for job in jobs if job.kind == name), None)


def _begin(
    kind: str, key: Hashable, name: str, stage: str, seconds: float, items: Callable[..., Iterable[Any]]
) -> Job | None:
    """Start the measurement; None, with a message, if too many of the visitor's are waiting."""
    visitor, showing = identity.visitor(), _Tabs()

    def compute(on_progress: OnProgress) -> None:
        def tell(stage: str, share: float | None) -> None:
            on_progress(stage, share)  # raises if it was cancelled
            if showing.left:
                raise Cancelled

        try:
            known = measure(tell)
        except PlaygroundError as error:
            known = _Known(None, str(error), 100)
        except Cancelled:
            raise
        except Exception:
            _log.exception("The measurement %s failed.", name)
            known = _Known(None, "The measurement failed because of an error in this app.", 100)
        _known.put((kind, key), known)

    def measure(tell: OnProgress) -> _Known:
        share, result = None, None
        with services().runs.long_work.ask(visitor, seconds) as slot:
            while not slot.wait(_PATIENCE):
                tell("Waiting for other visitors", None)
            tell(stage, None)
            for item in items(long=not slot.short):
                if item is not None:
                    done, total = item[:2] if isinstance(item, tuple) else (item.done, item.total)
                    share, result = done / max(1, total), item
                tell(stage, share)
        result = result[2] if isinstance(result, tuple) else result
        return _Known(result, "", len(pickle.dumps(result)))

    try:
        return services().measurements.start(visitor, name, compute, showing.ids)
    except HubError:  # the queue of this visitor is full
        flash(f"{kind} waits", "Other measurements are still waiting. Cancel one, or try again later.", "care")
        return None


def _cancel(kind: str) -> None:
    _newest(kind, "")
