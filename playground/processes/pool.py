"""Computations in child processes: bounded in time and memory, and cancelled by a caller that stops reading.

Errors come back as they are: a `PlaygroundError` is a sentence for people, any other one is ours and has the traceback
of the process in its notes.
"""

import io
import os
import pickle
import threading
import time
import traceback
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, TypeVar

from playground.common.bounded_cache import BoundedCache
from playground.common.errors import PlaygroundError
from playground.common.numbers import duration
from playground.model.task_model import TaskModel
from playground.processes import child
from playground.processes.child import OVER_TIME, Child, Connection, Worker, end, limit_time, memory_errors

_Item = TypeVar("_Item")
_PATIENCE = 0.25  # seconds
_EVERY = 0.1  # seconds between two messages
_SHARE = 20  # times as long as a message takes, too: a training's records are sent whole each time
_LONG_NICENESS = 4  # added for long work, which then has the lowest priority
_KEPT = 2  # processes of a pool that wait for the next computation
_IDLE_SECONDS = 60.0
_STALLED_SECONDS = 60.0  # by the clock, beside ten times the limit: what computes nothing ends, too

_pickled: BoundedCache[TaskModel, bytes] = BoundedCache(8_000_000)


class ComputeError(PlaygroundError):
    """A computation without a result: it took too long or its process ended."""


@dataclass(frozen=True)
class Limits:
    """Limits of one computation; 0: no limit."""

    memory_mb: int = 0  # beyond the start of its process
    seconds: float = 0  # of computing
    long: bool = False  # long work has the lowest priority, and its process is not used again


class Pool:
    """Processes that compute one thing after another; an idle one ends after a while. Thread-safe."""

    def __init__(self, what: str, niceness: int = child.SPARE_NICENESS, at_once: int = 64) -> None:
        """`what` is the noun for a computation in messages; beyond `at_once`, one waits for another to end."""
        self.what, self.niceness = what, niceness
        self._turn = threading.BoundedSemaphore(at_once)
        self._waiting: list[tuple[Child, int, float]] = []  # with its limit of memory, and until when it can be used
        self._lock = threading.Lock()

    def stream(
        self, work: Callable[..., Iterable[_Item]], *arguments: object, limits: Limits = Limits()
    ) -> Iterator[_Item | None]:
        """Yield the last item of `work(*arguments)` and some before it, computed in a process; see `received`.

        No weight of a model among the arguments may change, here or there: what was sent of the model is used again.
        """
        with self._turn:
            worker, finished = self._take(limits.memory_mb), False
            try:
                yield from received(worker, work, *arguments, limits=limits, what=f"The {self.what}")
                finished = True
            except (ComputeError, child.MemoryLimitError):
                raise
            except Exception:
                finished = True
                raise
            finally:
                if finished and not limits.long:
                    self._keep(worker, limits.memory_mb)
                else:
                    end(worker)

    def call(self, function: Callable[..., _Item], *arguments: object, limits: Limits = Limits()) -> _Item:
        """The result of `function(*arguments)`, computed in a process; raises as `stream` does."""
        *_, (result,) = filter(None, self.stream(_once, function, *arguments, limits=limits))
        return result

    def end(self) -> None:
        """End the processes that wait."""
        with self._lock:
            while self._waiting:
                end(self._waiting.pop()[0])

    def _take(self, memory_mb: int) -> Child:
        """A process that waits, or a new one."""
        with self._lock:
            while self._waiting:
                worker, limit, until = self._waiting.pop()
                if limit == memory_mb and time.monotonic() < until and not worker.join(0):
                    return worker
                end(worker)
        return child.start(serve, self.what, memory_mb, name=self.what, niceness=self.niceness, memory_mb=memory_mb)

    def _keep(self, worker: Child, memory_mb: int) -> None:
        with self._lock:
            if len(self._waiting) < _KEPT:
                self._waiting.append((worker, memory_mb, time.monotonic() + _IDLE_SECONDS / 2))
                return
        end(worker)


def received(
    worker: Worker,
    work: Callable[..., Iterable[_Item]],
    *arguments: object,
    limits: Limits = Limits(),
    what: str,
    every_item: bool = False,
) -> Iterator[_Item | None]:
    """Let a worker whose target is `serve` compute `work(*arguments)`; yield some of its items, with `every_item` all.

    Yields None after each quarter of a second without news, so that a caller can stop. `work` is a module's function.
    Raises its exception, and `ComputeError` if it exceeds its limits or the process ends; `what` begins the message.
    """
    until = time.monotonic() + 10 * limits.seconds + _STALLED_SECONDS
    over = ComputeError(
        f"This was ended after {duration(limits.seconds)} of computing, the limit here.", "Use a smaller model."
    )
    try:
        worker.send((_as_bytes(work, *arguments), limits, every_item))
        while True:
            if worker.poll(_PATIENCE):
                kind, value = pickle.loads(worker.recv())
                if kind == "end":
                    return
                if kind == "error":
                    break
                yield value
            elif limits.seconds and time.monotonic() > until:
                raise over
            else:
                yield None
    except (EOFError, OSError) as error:
        worker.join(1)
        if limits.seconds and worker.ending == OVER_TIME:
            raise over from None
        raise ComputeError(f"{what} ended unexpectedly ({worker.ending}).", "Try again.") from error
    raise value  # out of the block above, which takes an OSError for a closed connection


class _Pickler(pickle.Pickler):
    """Pickles a model once, for each process that reads it once: that takes as long as some forward passes."""

    def reducer_override(self, value: Any) -> Any:
        if not isinstance(value, TaskModel):
            return NotImplemented
        if (known := _pickled.get(value)) is None:
            known = pickle.dumps(value)
            _pickled.put(value, known)
        return _read, (known,)


def _as_bytes(function: Callable[..., object], *arguments: object) -> bytes:
    """A call to send to a process.

    As bytes, because multiprocessing would share the memory of tensors, which both ends then have to keep.
    """
    file = io.BytesIO()
    _Pickler(file).dump((function, arguments))
    return file.getvalue()


# --- in the process ---


@lru_cache(maxsize=8)
def _read(model: bytes) -> TaskModel:
    unpickled: TaskModel = pickle.loads(model)
    return unpickled


def serve(connection: Connection, what: str, memory_mb: int) -> None:
    """Compute one thing after another, until nothing comes for a while or memory has run out; see `received`."""
    while connection.poll(_IDLE_SECONDS):
        call, limits, every_item = connection.recv()
        if limits.long and hasattr(os, "nice"):
            os.nice(_LONG_NICENESS)
        try:
            with memory_errors(what, memory_mb), limit_time(limits.seconds):
                work, arguments = pickle.loads(call)
                _send_all(connection, work(*arguments), every_item=every_item)
        except Exception as error:
            connection.send(_as_message(error))
            if isinstance(error, child.MemoryLimitError):
                return
        else:
            connection.send(pickle.dumps(("end", None)))


def _send_all(connection: Connection, items: Iterable[object], *, every_item: bool) -> None:
    """The last item always, of the others all with `every_item`, else as many as take a small part of the time."""
    waiting, again = [], 0.0
    for item in items:
        waiting, began = [item], time.monotonic()
        if every_item or began >= again:
            connection.send(pickle.dumps(("item", waiting.pop())))
            now = time.monotonic()
            again = now + max(_EVERY, _SHARE * (now - began))
    for item in waiting:
        connection.send(pickle.dumps(("item", item)))


def _as_message(error: Exception) -> bytes:
    if not isinstance(error, PlaygroundError):
        error.add_note("".join(traceback.format_exception(error)))
    try:
        message = pickle.dumps(("error", error))
        pickle.loads(message)  # some can be written but not read
    except Exception:
        message = pickle.dumps(("error", RuntimeError("".join(traceback.format_exception(error)))))
    return message


def _once(function: Callable[..., _Item], *arguments: object) -> Iterator[tuple[_Item]]:
    yield (function(*arguments),)
