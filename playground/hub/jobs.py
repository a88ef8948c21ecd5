"""Work that takes a while, beside the page: who began it can leave, come back and find what became of it."""

import logging
import threading
import time
import traceback
from collections.abc import Callable
from dataclasses import dataclass, field
from secrets import token_hex
from typing import Any

from playground.gate import CheckpointError
from playground.hub.client import HubError

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
    """A few jobs at a time in all and one for each owner; the rest wait their turn, the oldest first."""

    def __init__(self, *, at_once: int = 4, waiting: int = 8, kept_seconds: float = 1800.0) -> None:
        """`waiting` is how many one owner may have unfinished; what has ended is forgotten after `kept_seconds`."""
        self._at_once, self._waiting, self._kept_seconds = at_once, waiting, kept_seconds
        self._lock = threading.Lock()
        self._jobs: dict[str, Job] = {}
        self._queue: list[tuple[Job, Callable[[Tell], Any]]] = []
        self._running: set[str] = set()  # owners

    def start(self, owner: str, kind: str, function: Callable[[Tell], Any]) -> Job:
        """Has `function(tell)` done; raises `HubError` if this owner has too many jobs unfinished."""
        with self._lock:
            self._forget()
            if sum(not job.done for job in self._jobs.values() if job.owner == owner) >= self._waiting:
                raise HubError(
                    "rate", f"{self._waiting} of your pushes and pulls are still running.", "Wait for one to end."
                )
            job = Job(owner, kind)
            self._jobs[job.id] = job
            self._queue.append((job, function))
            self._go_on()
        return job

    def job(self, owner: str, id: str) -> Job | None:
        """This owner's job of this id; None for anybody else's, and for what is forgotten."""
        job = self._jobs.get(id)
        return job if job is not None and job.owner == owner else None

    def jobs(self, owner: str) -> list[Job]:
        """All of this owner's, the newest first."""
        with self._lock:
            self._forget()
            return [job for job in reversed(self._jobs.values()) if job.owner == owner]

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

    def forget(self, owner: str, id: str) -> None:
        """Drops a job that has ended."""
        with self._lock:
            job = self.job(owner, id)
            if job is not None and job.done:
                del self._jobs[id]

    # --- inside, with the lock ---

    def _go_on(self) -> None:
        for entry in list(self._queue):
            job, function = entry
            if len(self._running) >= self._at_once:
                return
            if job.owner not in self._running:
                self._queue.remove(entry)
                self._running.add(job.owner)
                threading.Thread(target=self._work, args=(job, function), name=job.kind, daemon=True).start()

    def _forget(self) -> None:
        since = time.time() - self._kept_seconds
        for id in [job.id for job in self._jobs.values() if job.ended is not None and job.ended < since]:
            del self._jobs[id]

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
            job.error = HubError("refused", str(error))
        except Exception as error:
            job.error = _unforeseen(job.kind)
            # Where it happened and nothing else: the words of an error may hold what is a visitor's own.
            places = " < ".join(
                f"{at.filename}:{at.lineno}" for at in reversed(traceback.extract_tb(error.__traceback__))
            )
            _log.error("A %s failed with %s at %s", job.kind, type(error).__name__, places)
        with self._lock:
            self._end(job)
            self._running.discard(job.owner)
            self._go_on()
