"""Measurements in a process of low priority: one that takes long can be cancelled and slows no page."""

import pickle
from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

from playground.errors import PlaygroundError
from playground.runs.backends import LOCAL, Connection, Needs
from playground.runs.backends.processes import memory_errors

_Progress = TypeVar("_Progress")
_PATIENCE = 0.25  # seconds


def measured(
    work: Callable[..., Iterable[_Progress]], *arguments: object, memory_mb: int = 0
) -> Iterator[_Progress | None]:
    """Yield what `work(*arguments)` yields, computed in a process of its own that ends with this generator.

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
            for progress in work(*arguments):
                connection.send(pickle.dumps(progress))
        connection.send(pickle.dumps(None))
    except PlaygroundError as error:
        connection.send(pickle.dumps(error))
