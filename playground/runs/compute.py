"""A process that computes what the server must not compute itself: it has low priority and takes one call at a time."""

import threading
import time
from collections.abc import Callable
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from typing import TypeVar

from playground.errors import PlaygroundError
from playground.runs import processes
from playground.runs.guest import settle

MAX_SECONDS = 20.0
"""For one call; then the process is ended."""

_Result = TypeVar("_Result")


class ComputeError(PlaygroundError):
    """A call without a result: it took too long, or its process ended."""


class ComputeProcess:
    """Calls functions in a process that starts with the first call and may end between two of them."""

    def __init__(self, memory_mb: int = 0) -> None:
        """`memory_mb` is what the process may take beyond its start; 0: no limit."""
        self.memory_mb = memory_mb
        self._there: tuple[Connection, BaseProcess] | None = None
        self._lock = threading.Lock()

    def call(self, function: Callable[..., _Result], *arguments: object) -> _Result:
        """Returns what `function` returns, and raises what it raises; blocks until then.

        Function, arguments and result must be picklable. Raises `ComputeError` if there is no result.
        """
        with self._lock:
            if self._there is None or not self._there[1].is_alive():
                self._end()
                self._there = processes.start(_serve, self.memory_mb, name="compute")
            connection, process = self._there
            try:
                connection.send((function, arguments))
                until = time.monotonic() + MAX_SECONDS
                while not connection.poll(min(1.0, max(0.0, until - time.monotonic()))):
                    if time.monotonic() >= until:
                        self._end()
                        raise ComputeError(f"This took longer than {MAX_SECONDS:g} seconds.", "Try a smaller model.")
                done, result = connection.recv()
            except (EOFError, OSError) as error:
                process.join(1)
                how = processes.ending(process.exitcode)
                self._end()
                raise ComputeError(f"The computation ended unexpectedly ({how}).", "Try again.") from error
        if done:
            return result
        raise result

    def end(self) -> None:
        """Ends the process, which has nothing to keep; the next call starts another one."""
        with self._lock:
            self._end()

    def _end(self) -> None:
        if self._there is not None:
            connection, process = self._there
            self._there = None
            connection.close()
            process.kill()
            process.join()


def _serve(connection: Connection, memory_mb: int) -> None:
    settle(10, memory_mb)
    while True:
        try:
            function, arguments = connection.recv()
        except EOFError:
            return
        try:
            answer = True, function(*arguments)
        except Exception as error:
            answer = False, error
        connection.send(answer)
