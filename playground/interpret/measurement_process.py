"""Measurements in a process of low priority: one that takes long can be cancelled and slows no page."""

import pickle
import time
from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

from playground.errors import PlaygroundError
from playground.runs.backends import LOCAL, Connection, Needs
from playground.runs.backends.processes import memory_errors

_Progress = TypeVar("_Progress")
_PATIENCE = 0.25  # seconds
_EVERY = 0.1  # seconds between two messages
_SHARE = 20  # times as long as a message takes, too: a training's records are sent whole each time


def measured(
    work: Callable[..., Iterable[_Progress]], *arguments: object, memory_mb: int = 0
) -> Iterator[_Progress | None]:
    """Yield the last item of `work(*arguments)` and some before it, computed in a process of its own.

    The process ends with this generator.

    Yields None after each quarter of a second without news, so that a caller can stop. `work` is a module's function.
    Raises its `PlaygroundError`, and one if the process needs more than `memory_mb` or ends by itself.
    """
    # As bytes: multiprocessing would share the memory of tensors, which both ends then have to keep.
    job = pickle.dumps((work, arguments, memory_mb))
    worker = LOCAL.start(_measure, job, name="measurement", needs=Needs(spare=True, memory_mb=memory_mb))
    try:
        while True:
            if not worker.poll(_PATIENCE):
                yield None
                continue
            message = pickle.loads(worker.recv())
            if message is None:
                return
            if isinstance(message, PlaygroundError):
                raise message
            yield message
    except EOFError as error:
        worker.join(1)
        raise PlaygroundError(f"The measurement ended unexpectedly ({worker.ending}).", "Try again.") from error
    finally:
        worker.close()
        worker.kill()
        worker.join()


def _measure(connection: Connection, job: bytes) -> None:
    work, arguments, memory_mb = pickle.loads(job)
    try:
        with memory_errors("measurement", memory_mb):
            _send_all(connection, work(*arguments))
        connection.send(pickle.dumps(None))
    except PlaygroundError as error:
        connection.send(pickle.dumps(error))


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
