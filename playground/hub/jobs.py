"""Background jobs: a person can leave the page and come back to the result."""

import logging
import threading
import time
import traceback
from collections.abc import Callable
from dataclasses import dataclass, field
from secrets import token_hex
from typing import Any

from playground.common.errors import CheckpointError, HubError

OnProgress = Callable[[str, float | None], None]
"""Called with the current stage as text and the fraction done, 0 to 1 or None. May be called from any thread."""

_log = logging.getLogger(__name__)


def no_progress(_stage: str, _share: float | None) -> None:
    """Ignore the progress."""


def _unforeseen(kind: str) -> HubError:
    """The error for an unexpected exception: its outcome is unknown."""
    problem = f"This {kind} failed with an internal error."
    if kind != "push":
        return HubError("failed", problem, "Try again.")
    advice = "Check the repository on the Hub before you push again."
    outcome = "It is unknown whether its commit is on the Hub."
    return HubError("failed", problem, advice, outcome=outcome, landed=None, created=None)


class Cancelled(Exception):
    """Raised by `on_progress` if the owner has cancelled the job."""


@dataclass
class Job:
    """A background job and its result. Only `Jobs` changes it."""

    owner: str = field(repr=False)
    kind: str
    title: str = field(default="", repr=False)
    """The repository of a push or pull."""
    id: str = field(default_factory=lambda: token_hex(16))
    stage: str = "Waiting"
    share: float | None = None  # from 0 to 1
    done: bool = False
    result: Any = field(default=None, repr=False)
    error: HubError | None = None
    cancelled: bool = False
    ended: float | None = None
    tabs: set[str] = field(default_factory=set, repr=False)  # that show it


class Jobs:
    """Runs `at_once` jobs in all and one per queue at a time, oldest first.

    Each owner has one queue or, with `by_kind`, one per kind of job.
    """

    def __init__(
        self, *, at_once: int = 4, waiting: int = 8, kept_seconds: float = 1800.0, by_kind: bool = False
    ) -> None:
        """`waiting` limits the unfinished jobs per queue; ended jobs are dropped after `kept_seconds`."""
        self._at_once, self._waiting, self._kept_seconds, self._by_kind = at_once, waiting, kept_seconds, by_kind
        self.on_change: Callable[[str], None] = lambda _owner: None
        """Called with an owner whose list of jobs has changed, in any thread; must not block."""
        self._lock = threading.Lock()
        self._jobs: dict[str, Job] = {}  # by id, newest last
        self._queue: list[tuple[Job, Callable[[OnProgress], Any]]] = []
        self._running: set[tuple[str, str]] = set()  # queues

    def start(
        self,
        owner: str,
        kind: str,
        function: Callable[[OnProgress], Any],
        tabs: set[str] | None = None,
        title: str = "",
    ) -> Job:
        """Start `function(on_progress)` as a job, shown in `tabs`; raises `HubError` if its queue is full."""
        job = Job(owner, kind, title)
        if tabs is not None:
            job.tabs = tabs
        with self._lock:
            self._forget()
            unfinished = [other for other in self._jobs.values() if not other.done]
            if sum(self._line(other) == self._line(job) for other in unfinished) >= self._waiting:
                raise HubError(
                    "rate", f"You already have {self._waiting} unfinished pushes and pulls.", "Wait for one to finish."
                )
            self._jobs[job.id] = job
            self._queue.append((job, function))
            self._go_on()
        self.on_change(owner)
        return job

    def job(self, owner: str, id: str) -> Job | None:
        """This owner's job with this id; None for other owners' and dropped jobs."""
        job = self._jobs.get(id)
        return job if job and job.owner == owner else None

    def jobs(self, owner: str) -> list[Job]:
        """All jobs of this owner, newest first."""
        if not self._jobs:
            return []  # without the lock: every tab polls this
        with self._lock:
            self._forget()
            return [job for job in reversed(self._jobs.values()) if job.owner == owner]

    def cancel(self, owner: str, id: str) -> None:
        """Cancel a job: at once if it waits, else at its next progress report."""
        with self._lock:
            job = self.job(owner, id)
            if job is None or job.done:
                return
            job.cancelled = True
            if any(waiting is job for waiting, _ in self._queue):
                self._queue = [entry for entry in self._queue if entry[0] is not job]
                self._end(job)
        self.on_change(owner)

    def forget(self, owner: str, id: str) -> None:
        """Drop a job; if it has not ended, cancel it."""
        self.cancel(owner, id)
        with self._lock:
            job = self.job(owner, id)
            if job is not None and job.done:
                del self._jobs[id]
        self.on_change(owner)

    # --- inside, with the lock ---

    def _go_on(self) -> None:
        for entry in list(self._queue):
            job, function = entry
            if len(self._running) >= self._at_once:
                return
            if self._line(job) not in self._running:
                self._queue.remove(entry)
                self._running.add(self._line(job))
                threading.Thread(target=self._work, args=(job, function), name=job.kind, daemon=True).start()

    def _line(self, job: Job) -> tuple[str, str]:
        return job.owner, job.kind if self._by_kind else ""

    def _forget(self) -> None:
        since = time.monotonic() - self._kept_seconds
        for job in [job for job in self._jobs.values() if job.ended is not None and job.ended < since]:
            del self._jobs[job.id]

    @staticmethod
    def _end(job: Job) -> None:
        job.ended = time.monotonic()
        job.done = True  # last, so that a done job is complete for readers

    # --- in a thread of the job's own ---

    def _work(self, job: Job, function: Callable[[OnProgress], Any]) -> None:
        def on_progress(stage: str, share: float | None = None) -> None:
            if job.cancelled:
                raise Cancelled
            job.stage, job.share = stage, share

        try:
            job.stage = "Starting"
            job.result = function(on_progress)
        except Cancelled:
            pass
        except HubError as error:
            job.error = error
        except CheckpointError as error:
            job.error = HubError.of(error)
        except Exception as error:
            job.error = _unforeseen(job.kind)
            # Only where it happened: an error message may contain private data of a visitor.
            frames = " < ".join(
                f"{frame.filename}:{frame.lineno}" for frame in reversed(traceback.extract_tb(error.__traceback__))
            )
            _log.error("A %s failed with %s at %s", job.kind, type(error).__name__, frames)
        with self._lock:
            self._end(job)
            self._running.discard(self._line(job))
            self._go_on()
