"""One child process: warm start, low priority, limits of memory and time, exit with the parent."""

import contextlib
import multiprocessing
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from multiprocessing import connection as pipes
from multiprocessing import forkserver, spawn
from multiprocessing.context import ForkServerContext, SpawnContext
from multiprocessing.process import BaseProcess
from threading import Lock
from typing import Any, Protocol
from unittest import mock

import torch

from playground.common.errors import PlaygroundError
from playground.recording import REPOSITORY

PRELOAD = "playground.runs.preload"
"""Name of the module that the fork server imports once, so that every process starts with it loaded."""

USUAL_NICENESS, SPARE_NICENESS, IDLE = 10, 15, 20
"""A higher number is a lower priority. With `IDLE` a process computes only while no other one wants the core, and
otherwise hardly ever; where the system can't do that, it has the lowest niceness."""

OVER_TIME = "" if sys.platform == "win32" else f"killed by signal {signal.SIGPROF:d}"
"""Ending of a process that `limit_time` ended."""


class MemoryLimitError(PlaygroundError):
    """A computation that needed more memory than its process may use."""


class Connection(Protocol):
    """The worker's end of the connection to its run. Methods raise EOFError or OSError if the other end is closed."""

    def send(self, message: Any) -> None: ...

    def recv(self) -> Any:
        """Return the next message; block until there is one."""

    def poll(self, timeout: float | None = 0.0) -> bool:
        """True if `recv` has a message; wait up to `timeout` seconds."""


class Worker(Connection, Protocol):
    """A running target and the run's end of the connection to it.

    Messages sent before it ended can still be received. `lost` and `ending` are set once `recv` raises EOFError.
    After `kill`, `join` returns soon, even if the machine cannot be reached.
    """

    @property
    def node(self) -> str:
        """Name of its node; empty on this machine and before a node is assigned."""

    @property
    def lost(self) -> str:
        """The loss of its node as a clause like "Node a was lost": the run can resume elsewhere. Else empty."""

    @property
    def ending(self) -> str:
        """Its end in words, for example "exit code 1"."""

    def kill(self) -> None:
        """Kill it."""

    def join(self, seconds: float | None = None) -> bool:
        """Wait for its end; False if it has not ended after `seconds`."""

    def close(self) -> None:
        """Close the connection."""


class Child:
    """A target in a process on this machine, and the other end of its connection; see `Worker`."""

    node = lost = ""

    def __init__(self, connection: pipes.Connection, process: BaseProcess) -> None:
        self._process = process
        self.send, self.recv, self.poll, self.close = (
            connection.send,
            connection.recv,
            connection.poll,
            connection.close,
        )

    @property
    def pid(self) -> int:
        """Id of its process."""
        assert self._process.pid is not None
        return self._process.pid

    @property
    def ending(self) -> str:
        """The end of its process in words."""
        code = self._process.exitcode
        return f"killed by signal {-code}" if code is not None and code < 0 else f"exit code {code}"

    def kill(self) -> None:
        """Kill it."""
        self._process.kill()

    def join(self, seconds: float | None = None) -> bool:
        """Wait for its end; False if it has not ended after `seconds`."""
        self._process.join(seconds)
        return not self._process.is_alive()


def end(worker: Worker, patience: float = 0.0) -> None:
    """Wait up to `patience` seconds for the end of a worker, then kill it; close its connection."""
    if not worker.join(patience):
        worker.kill()
        worker.join()
    worker.close()


def start(
    target: Callable[..., None], *arguments: Any, name: str, niceness: int = USUAL_NICENESS, memory_mb: int = 0
) -> Child:
    """Start `target(connection, *arguments)` in a new process and return without waiting.

    The target runs with one torch thread and ends quietly if the other end of its connection is closed. It may use
    `memory_mb` beyond what it uses at its start; 0: no limit. Raises any error that prevents the start.
    """
    connection, far_end = multiprocessing.Pipe()
    try:
        options = niceness, memory_mb, target, *arguments
        process = _context().Process(target=_child_main, args=(far_end, *options), name=name, daemon=True)
        with _without_main():
            process.start()
    except BaseException:
        connection.close()
        raise
    finally:
        far_end.close()
    return Child(connection, process)


def warm_up() -> None:
    """Start the fork server early: otherwise the first process takes seconds."""
    _context()
    if multiprocessing.get_all_start_methods()[0] != "spawn":
        with _without_main():
            forkserver.ensure_running()
            first = _context().Process(target=_nothing)
            first.start()
        first.join()  # only now all imports are certainly done


def _nothing() -> None:
    pass


def _context() -> SpawnContext | ForkServerContext:
    if "forkserver" not in multiprocessing.get_all_start_methods():
        return multiprocessing.get_context("spawn")  # Windows
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload([PRELOAD])
    return context


_starting = Lock()


@contextmanager
def _without_main() -> Iterator[None]:
    """Keep multiprocessing from running the main script, here a Streamlit page, again in every worker.

    Also lets the fork server find this package from any working directory: it ignores sys.path.
    """
    original = spawn.get_preparation_data

    def preparation_data(name: str) -> dict:
        data = original(name)
        return {key: value for key, value in data.items() if not key.startswith("init_main_from")}

    paths = filter(None, (str(REPOSITORY), os.environ.get("PYTHONPATH")))
    with (
        _starting,
        mock.patch.object(spawn, "get_preparation_data", preparation_data),
        mock.patch.dict(os.environ, {"PYTHONPATH": os.pathsep.join(paths)}),
    ):
        yield


def _child_main(
    connection: Connection, niceness: int, memory_mb: int, target: Callable[..., None], *arguments: Any
) -> None:
    """Shared set-up for child processes: one thread, low priority, exit with the parent."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the server, whose end closes the connection
    lower_priority(niceness)
    torch.set_num_threads(1)
    threading.Thread(target=_end_with_server, daemon=True).start()
    if memory_mb:
        limit_memory(memory_mb)
    with contextlib.suppress(EOFError, BrokenPipeError, ConnectionResetError):
        target(connection, *arguments)


def lower_priority(niceness: int) -> None:
    """Lower the priority of this process."""
    if niceness >= IDLE and sys.platform == "linux":
        with contextlib.suppress(OSError):  # a system that forbids it
            os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))
    if hasattr(os, "nice"):
        os.nice(niceness)


def _end_with_server() -> None:
    """End this process when the server ends, even during a long step."""
    server = multiprocessing.parent_process()
    if server is not None:
        pipes.wait([server.sentinel])
        os._exit(1)


def limit_memory(megabytes: int | None) -> None:
    """Limit the memory this process may allocate in addition; Linux only.

    None removes the limit, so that a process that has reached it can still report the error.
    """
    try:
        import resource

        limit = hard_limit = resource.getrlimit(resource.RLIMIT_DATA)[1]
        if megabytes is not None:
            with open("/proc/self/status", encoding="ascii", errors="replace") as status:
                taken = next(int(line.split()[1]) * 1024 for line in status if line.startswith("VmData"))
            limit = taken + megabytes * 1_000_000
        resource.setrlimit(resource.RLIMIT_DATA, (limit, hard_limit))
    except (ImportError, OSError, StopIteration, ValueError):
        pass


@contextlib.contextmanager
def limit_time(seconds: float) -> Iterator[None]:
    """End this process, with `OVER_TIME`, once it has computed for so many seconds inside the block; 0: no limit.

    Not on Windows.
    """
    if sys.platform == "win32" or not seconds:
        yield
        return
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)


def is_of_memory(error: BaseException) -> bool:
    """True for an allocation that failed."""
    # torch has no class of its own for it.
    return isinstance(error, MemoryError) or (isinstance(error, RuntimeError) and "allocate memory" in str(error))


@contextlib.contextmanager
def memory_errors(what: str, memory_mb: int) -> Iterator[None]:
    """Turn a failed allocation into a `MemoryLimitError`."""
    try:
        yield
    except (MemoryError, RuntimeError) as error:
        if not is_of_memory(error):
            raise
        limit_memory(None)
        limit = f"more memory than the {memory_mb:,} MB limit of this host" if memory_mb else "too much memory"
        raise MemoryLimitError(
            f"The {what} needed {limit} and was stopped. Use a smaller batch, model or length."
        ) from error
