"""Measurements in processes of low priority: one that takes long can be cancelled and slows no page."""

import io
import os
import pickle
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, TypeVar

from playground.bounded_cache import BoundedCache
from playground.errors import PlaygroundError
from playground.figures import duration
from playground.runs.backends import LOCAL, Connection, Needs
from playground.runs.backends.processes import LocalWorker, limit_time, memory_errors
from playground.task_model import TaskModel

_Progress = TypeVar("_Progress")
_PATIENCE = 0.25  # seconds
_EVERY = 0.1  # seconds between two messages
_SHARE = 20  # times as long as a message takes, too: a training's records are sent whole each time
_LONG_NICENESS = 4  # added to that of a process for long work, which makes it the lowest priority
_KEPT = 2  # processes that wait for the next measurement
_KEPT_SECONDS = 60.0

_waiting: list[tuple[LocalWorker, int, float]] = []  # with its limit of memory, and until when it can be used
_lock = threading.Lock()
_pickled: BoundedCache[TaskModel, bytes] = BoundedCache(8_000_000)


@dataclass(frozen=True)
class Limits:
    """What one measurement may use; 0: no limit."""

    memory_mb: int = 0  # beyond the start of its process
    seconds: float = 0  # of computing
    long: bool = False  # long work has the lowest priority


def measured(
    work: Callable[..., Iterable[_Progress]], *arguments: object, limits: Limits = Limits()
) -> Iterator[_Progress | None]:
    """Yield the last item of `work(*arguments)` and some before it, computed in another process.

    The process waits for the next measurement if this one finishes, and ends if the caller stops iterating. No weight
    of a model among the arguments may change, here or there: what was sent of the model is used again.

    Yields None after each quarter of a second without news, so that a caller can stop. `work` is a module's function.
    Raises its `PlaygroundError`, and one if the process exceeds its limits or ends by itself.
    """
    worker, finished = _worker(limits.memory_mb), False
    try:
        worker.send((as_bytes(work, *arguments), limits))
        while True:
            if not worker.poll(_PATIENCE):
                yield None
                continue
            message = pickle.loads(worker.recv())
            if message is None:
                finished = True
                return
            if isinstance(message, PlaygroundError):
                raise message
            yield message
    except (EOFError, OSError) as error:
        worker.join(1)
        if worker.over_time:
            problem = f"This was ended after {duration(limits.seconds)} of computing, the limit here."
            raise PlaygroundError(problem, "Use a smaller model.") from None
        raise PlaygroundError(f"The measurement ended unexpectedly ({worker.ending}).", "Try again.") from error
    finally:
        if finished and not limits.long:
            _keep(worker, limits.memory_mb)
        else:
            _end(worker)


def _worker(memory_mb: int) -> LocalWorker:
    """A process that waits, or a new one."""
    with _lock:
        while _waiting:
            worker, limit, until = _waiting.pop()
            if limit == memory_mb and time.monotonic() < until and not worker.join(0):
                return worker
            _end(worker)
    return LOCAL.start(_serve, memory_mb, name="measurement", needs=Needs(spare=True, memory_mb=memory_mb))


def _keep(worker: LocalWorker, memory_mb: int) -> None:
    with _lock:
        if len(_waiting) < _KEPT:
            _waiting.append((worker, memory_mb, time.monotonic() + _KEPT_SECONDS / 2))
        else:
            _end(worker)


def _end(worker: LocalWorker) -> None:
    worker.close()
    worker.kill()
    worker.join()


class _Pickler(pickle.Pickler):
    """Pickles a model once, for each process that reads it once: that takes as long as some forward passes."""

    def reducer_override(self, value: Any) -> Any:
        if not isinstance(value, TaskModel):
            return NotImplemented
        if (known := _pickled.get(value)) is None:
            known = pickle.dumps(value)
            _pickled.put(value, known)
        return _read, (known,)


def as_bytes(function: Callable[..., object], *arguments: object) -> bytes:
    """A call to send to a process, for `from_bytes`.

    As bytes, because multiprocessing would share the memory of tensors, which both ends then have to keep.
    """
    file = io.BytesIO()
    _Pickler(file).dump((function, arguments))
    return file.getvalue()


# --- in the process ---


@lru_cache(maxsize=8)
def _read(model: bytes) -> TaskModel:
    found: TaskModel = pickle.loads(model)
    return found


def from_bytes(call: bytes) -> bytes:
    """The pickled result of a pickled call."""
    function, arguments = pickle.loads(call)
    return pickle.dumps(function(*arguments))


def _serve(connection: Connection, memory_mb: int) -> None:
    """Measure one thing after another, until nothing comes for a while or something goes wrong."""
    while connection.poll(_KEPT_SECONDS):
        call, limits = connection.recv()
        if limits.long and hasattr(os, "nice"):
            os.nice(_LONG_NICENESS)
        work, arguments = pickle.loads(call)
        try:
            with memory_errors("measurement", memory_mb), limit_time(limits.seconds):
                _send_all(connection, work(*arguments))
        except PlaygroundError as error:
            connection.send(pickle.dumps(error))
            return
        connection.send(pickle.dumps(None))


def _send_all(connection: Connection, items: Iterable[object]) -> None:
    """The last item always, of the others as many as take a small part of the time."""
    waiting, again = None, 0.0
    for item in items:
        waiting = item
        if (began := time.monotonic()) >= again:
            connection.send(pickle.dumps(item))
            waiting, now = None, time.monotonic()
            again = now + max(_EVERY, _SHARE * (now - began))
    if waiting is not None:
        connection.send(pickle.dumps(waiting))
