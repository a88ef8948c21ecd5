"""Processes that run visitors' own code: one at a time for each visitor, with its outcome, also after a reload."""

import threading
from collections import OrderedDict
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic
from typing import Any, Generic, Protocol, TypeVar

import streamlit as st

from playground.lessons.check.process import confinement
from playground.lessons.check.verdict import CheckError
from playground.ui.parts import style
from playground.ui.parts.code import own_machine
from playground.ui.parts.live import changes
from playground.ui.server.stream import OWN
from playground.ui.session import identity

MAX_VISITORS = 100
"""Whose code and last job are stored."""

_Asked = TypeVar("_Asked")
_Outcome = TypeVar("_Outcome")
_Made = TypeVar("_Made", covariant=True)


class CodeProcess(Protocol[_Made]):
    """A process that runs code."""

    def wait(self) -> _Made:
        """Its outcome."""

    def end(self) -> None:
        """End it; `wait` returns then."""


class CodeJob(Generic[_Asked, _Outcome]):
    """One process, running or ended."""

    def __init__(self, asked: _Asked, process: CodeProcess[_Outcome | None], progress: str) -> None:
        """`progress` is a sentence with `{}` for the seconds that it has run."""
        self.asked = asked
        self.began = monotonic()
        self.cancelled = False
        self.outcome: _Outcome | None = None
        self._process, self._progress = process, progress

    @property
    def running(self) -> bool:
        return self.outcome is None and not self.cancelled

    @property
    def progress(self) -> str:
        """Sentence with its running time."""
        return self._progress.format(int(monotonic() - self.began))

    def cancel(self) -> None:
        """End the process without an outcome."""
        self.cancelled = self.outcome is None
        if self.cancelled:
            self._process.end()

    def follow(self, clean: Callable[[], None]) -> None:
        """Wait in a thread for the outcome, and call `clean` before it is there."""
        threading.Thread(target=self._follow, args=(clean,), name="code", daemon=True).start()

    def _follow(self, clean: Callable[[], None]) -> None:
        outcome = self._process.wait()
        clean()
        self.outcome = None if self.cancelled else outcome


class CodeJobs(Generic[_Asked, _Outcome]):
    """The last job of each visitor. The module that makes it registers its channel of the event stream."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.channel = f"{OWN}/{name}"
        self._jobs: OrderedDict[str, CodeJob[_Asked, _Outcome]] = OrderedDict()  # by visitor, the newest last

    def begin(self, start: Callable[[Path], CodeJob[_Asked, _Outcome]]) -> CodeJob[_Asked, _Outcome]:
        """Start a job of this visitor and cancel an earlier one; `start` gets a folder that is removed at its end.

        Raises `CheckError` if that isn't allowed.
        """
        if not own_machine.permitted():
            raise CheckError("This server doesn't run visitors' code.", "Run it on your own machine.")
        visitor = identity.visitor()
        if earlier := self._jobs.pop(visitor, None):
            earlier.cancel()
        confinement.hide()
        folder = TemporaryDirectory(prefix=f"{self.name}-")
        try:
            job = self._jobs[visitor] = start(Path(folder.name))
        except (OSError, ValueError) as error:  # ValueError: text that no file or argument can hold
            folder.cleanup()
            raise CheckError("Your code could not be started.", "Try again.") from error
        job.follow(folder.cleanup)
        while len(self._jobs) > MAX_VISITORS:
            self._jobs.popitem(last=False)[1].cancel()
        return job

    def latest(self) -> CodeJob[_Asked, _Outcome] | None:
        """This visitor's last job, available after a reload."""
        return self._jobs.get(identity.visitor())

    def fields(self, visitor: str) -> dict[str, Any]:
        """Channel fields of a visitor's running job; empty if there is none."""
        job = self._jobs.get(visitor)
        return {self.name: job.began, "progress": job.progress} if job and job.running else {}

    def moving(self, visitor: str) -> bool:
        """True while a job of a visitor runs."""
        return bool(self.fields(visitor))

    def show_running(self, job: CodeJob[_Asked, _Outcome]) -> None:
        """Draw a running job and a button that cancels it; the fragment is drawn again once it ends."""
        style.message(job.progress, "plain", "hourglass_top")
        st.button("Cancel", key=f"{self.name} cancel", icon=":material/close:", on_click=job.cancel)
        texts = {"progress": ".message.plain span + span"}
        changes.redraw(self.channel, {self.name: job.began}, key=self.name, texts=texts)
