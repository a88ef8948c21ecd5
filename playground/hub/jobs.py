"""Work that takes a while, beside the page: who began it can leave, come back and find what became of it."""

import logging
import threading
import time
import traceback
from collections.abc import Callable
from dataclasses import dataclass, field
from secrets import token_hex
from typing import Any

from playground.errors import CheckpointError, HubError

Tell = Callable[[str, float | None], None]
"""Says how far something is: a stage in words, a share from 0 to 1 or None. Called from other threads; only stores."""

_log = logging.getLogger(__name__)


def silent(_stage: str, _share: float | None) -> None:
    """For whom nobody listens to."""


def _unforeseen(kind: str) -> HubError:
    """For an error that this app has not foreseen: what it left behind is unknown."""
    problem = f"This {kind} ended with an error in this app."
    if kind != "push":
        return HubError("failed", problem, "Try again.")
    advice = "Look at the repository on the Hub before you push again."
    outcome = "Whether its commit is on the Hub is unknown."
    return HubError("failed", problem, advice, outcome=outcome, landed=None, created=None)


class Cancelled(Exception):
    """Raised by `tell` where its owner no longer wants the job."""


@dataclass
class Job:
    """A piece of work and what became of it; read it as often as you like, only `Jobs` changes it."""

    owner: str = field(repr=False)
    kind: str
    id: str = field(default_factory=lambda: token_hex(16))
    stage: str = "Waiting"
    share: float | None = None  # from 0 to 1
    done: bool = False
    result: Any = field(default=None, repr=False)
    error: HubError | None = None
    cancelled: bool = False
    began: float = field(default_factory=time.time)
    ended: float | None = None


class Jobs:
    """A few jobs at a time in all and one in each line; the rest wait their turn, the oldest first.

    All jobs of an owner form one line or, with `by_kind`, those of each kind do.
    """

    def __init__(
        self, *, at_once: int = 4, waiting: int = 8, kept_seconds: float = 1800.0, by_kind: bool = False
    ) -> None:
        """`waiting` is how many one line may have unfinished; what has ended is forgotten after `kept_seconds`."""
        self._at_once, self._waiting, self._kept_seconds, self._by_kind = at_once, waiting, kept_seconds, by_kind
        self.on_change: Callable[[str], None] = lambda _owner: None
        """Called with an owner whose list of jobs has changed, in any thread; must not block."""
        self._lock = threading.Lock()
        self._jobs: dict[str, dict[str, Job]] = {}  # by owner and id; no owner without any
        self._queue: list[tuple[Job, Callable[[Tell], Any]]] = []
        self._running: set[tuple[str, str]] = set()  # lines

    def start(self, owner: str, kind: str, function: Callable[[Tell], Any]) -> Job:
        """Has `function(tell)` done; raises `HubError` if too many jobs of its line are unfinished."""
        job = Job(owner, kind)
        with self._lock:
            self._forget()
            line = [each for each in self._of(owner).values() if self._line(each) == self._line(job)]
            if sum(not each.done for each in line) >= self._waiting:
                raise HubError(
                    "rate", f"{self._waiting} of your pushes and pulls are still running.", "Wait for one to end."
                )
            self._jobs.setdefault(owner, {})[job.id] = job
            self._queue.append((job, function))
            self._go_on()
        self.on_change(owner)
        return job

    def job(self, owner: str, id: str) -> Job | None:
        """This owner's job of this id; None for anybody else's, and for what is forgotten."""
        return self._of(owner).get(id)

    def jobs(self, owner: str) -> list[Job]:
        """All of this owner's, the newest first."""
        if owner not in self._jobs:
            return []  # without the lock: every tab asks for this again and again
        with self._lock:
            self._forget()
            return [*reversed(self._of(owner).values())]

    def cancel(self, owner: str, id: str) -> None:
        """Ends a job at once if it still waits, otherwise the next time it tells how far it is."""
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
        """Drops a job that has ended."""
        with self._lock:
            job = self.job(owner, id)
            if job is not None and job.done:
                self._drop(job)
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

    def _of(self, owner: str) -> dict[str, Job]:
        return self._jobs.get(owner, {})

    def _line(self, job: Job) -> tuple[str, str]:
        return job.owner, job.kind if self._by_kind else ""

    def _forget(self) -> None:
        since, every = time.time() - self._kept_seconds, [job for of in self._jobs.values() for job in of.values()]
        for job in every:
            if job.ended is not None and job.ended < since:
                self._drop(job)

    def _drop(self, job: Job) -> None:
        del self._jobs[job.owner][job.id]
        if not self._jobs[job.owner]:
            del self._jobs[job.owner]

    @staticmethod
    def _end(job: Job) -> None:
        job.ended = time.time()
        job.done = True  # last: who sees it done sees the rest, too

    # --- in a thread of the job's own ---

    def _work(self, job: Job, function: Callable[[Tell], Any]) -> None:
        def tell(stage: str, share: float | None = None) -> None:
            if job.cancelled:
                raise Cancelled
            job.stage, job.share = stage, share

        try:
            job.stage = "Starting"
            job.result = function(tell)
        except Cancelled:
            pass
        except HubError as error:
            job.error = error
        except CheckpointError as error:
            job.error = HubError.of(error)
        except Exception as error:
            job.error = _unforeseen(job.kind)
            # Where it happened and nothing else: the words of an error may hold what is a visitor's own.
            places = " < ".join(
                f"{at.filename}:{at.lineno}" for at in reversed(traceback.extract_tb(error.__traceback__))
            )
            _log.error("A %s failed with %s at %s", job.kind, type(error).__name__, places)
        with self._lock:
            self._end(job)
            self._running.discard(self._line(job))
            self._go_on()
