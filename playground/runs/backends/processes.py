"""Child processes of the server: warm start, low priority, exit with the parent. `ComputeProcess` runs single calls."""

import contextlib
import multiprocessing
import os
import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cached_property
from multiprocessing import forkserver, spawn
from multiprocessing.connection import Connection, wait
from multiprocessing.context import ForkServerContext, SpawnContext
from multiprocessing.process import BaseProcess
from threading import Lock
from typing import Any, TypeVar
from unittest import mock

import torch

from playground.errors import PlaygroundError
from playground.recording import REPOSITORY
from playground.runs.backends.backend import DEFAULT_NEEDS, Needs
from playground.training import TrainingError


class LocalWorker:
    """A target in a process on this machine."""

    node = lost = ""

    def __init__(self, connection: Connection, process: BaseProcess) -> None:
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
        """How its process ended."""
        code = self._process.exitcode
        return f"killed by signal {-code}" if code is not None and code < 0 else f"exit code {code}"

    @property
    def over_time(self) -> bool:
        """Whether `limit_time` ended it."""
        return self._process.exitcode == _OVER_TIME

    def kill(self) -> None:
        """Kill it."""
        self._process.kill()

    def join(self, seconds: float | None = None) -> bool:
        """Wait for its end; False if it has not ended after `seconds`."""
        self._process.join(seconds)
        return not self._process.is_alive()


class Local:
    """The backend of this machine: one process per worker."""

    slots, problem, shares_disk = 0, "", True

    @cached_property
    def has_gpu(self) -> bool:
        """Whether the driver reports a GPU. A process that has started CUDA cannot fork children that use it."""
        with mock.patch.dict(os.environ, {"PYTORCH_NVML_BASED_CUDA_CHECK": "1"}):
            return torch.cuda.is_available()

    def start(
        self, target: Callable[..., None], *arguments: Any, name: str, needs: Needs = DEFAULT_NEEDS
    ) -> LocalWorker:
        """See `Backend.start`."""
        return start(target, *arguments, name=name, niceness=15 if needs.spare else 10, memory_mb=needs.memory_mb)

    def open(self, on_change: Callable[[], None]) -> None:
        """Do nothing: `warm_up` or the first process starts the fork server."""

    def settled(self, seconds: float) -> bool:
        """True: this backend never has a problem."""
        return True

    def close(self) -> None:
        """Do nothing: every process ends with this one."""


LOCAL = Local()


def start(
    target: Callable[..., None], *arguments: Any, name: str, niceness: int = 10, memory_mb: int = 0
) -> LocalWorker:
    """Start `target(connection, *arguments)` in a new process; see `Backend.start`.

    A higher `niceness` means a lower priority.
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
    return LocalWorker(connection, process)


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
    context.set_forkserver_preload(["playground.runs.preload"])
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
    if hasattr(os, "nice"):
        os.nice(niceness)
    torch.set_num_threads(1)
    threading.Thread(target=_end_with_server, daemon=True).start()
    if memory_mb:
        limit_memory(memory_mb)
    with contextlib.suppress(EOFError, BrokenPipeError, ConnectionResetError):
        target(connection, *arguments)


def _end_with_server() -> None:
    """End this process when the server ends, even during a long step."""
    server = multiprocessing.parent_process()
    if server is not None:
        wait([server.sentinel])
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


_OVER_TIME = 75  # exit code


@contextlib.contextmanager
def limit_time(seconds: float) -> Iterator[None]:
    """End this process once it has computed for so many seconds inside the block; 0: no limit."""
    ended, until = threading.Event(), time.process_time() + seconds

    def watch() -> None:
        while (left := until - time.process_time()) > 0:
            if ended.wait(min(1.0, left)):
                return
        os._exit(_OVER_TIME)

    if seconds:
        threading.Thread(target=watch, daemon=True).start()
    try:
        yield
    finally:
        ended.set()


@contextlib.contextmanager
def memory_errors(what: str, memory_mb: int) -> Iterator[None]:
    """Turn a failed allocation into a `TrainingError`."""
    try:
        yield
    except (MemoryError, RuntimeError) as error:
        if isinstance(error, RuntimeError) and "allocate memory" not in str(error):
            raise
        limit_memory(None)
        limit = f"more memory than the {memory_mb:,} MB limit of this host" if memory_mb else "too much memory"
        raise TrainingError(
            f"The {what} needed {limit} and was stopped. Use a smaller batch, model or length."
        ) from error


MAX_SECONDS = 20.0
"""Time limit of one call; the process is killed after it."""

_Result = TypeVar("_Result")


class ComputeError(PlaygroundError):
    """A call without a result: it took too long or its process ended."""


class ComputeProcess:
    """Calls functions in a process that starts with the first call and may end between calls."""

    def __init__(self, memory_mb: int = 0) -> None:
        """`memory_mb` is the memory the process may use beyond its start; 0: no limit."""
        self.memory_mb = memory_mb
        self._worker: LocalWorker | None = None
        self._lock = threading.Lock()

    def call(self, function: Callable[..., _Result], *arguments: object) -> _Result:
        """Call `function` in the process; return its result or raise its exception.

        Function, arguments and result must be picklable. Raises `ComputeError` if there is no result.
        """
        with self._lock:
            if self._worker is None or self._worker.join(0):
                self._end()
                self._worker = start(_serve, name="compute", memory_mb=self.memory_mb)
            worker = self._worker
            try:
                worker.send((function, arguments))
                until = time.monotonic() + MAX_SECONDS
                while not worker.poll(min(1.0, max(0.0, until - time.monotonic()))):
                    if time.monotonic() >= until:
                        self._end()
                        raise ComputeError(f"This took longer than {MAX_SECONDS:g} seconds.", "Try a smaller model.")
                done, result = worker.recv()
            except (EOFError, OSError) as error:
                worker.join(1)
                how = worker.ending
                self._end()
                raise ComputeError(f"The computation ended unexpectedly ({how}).", "Try again.") from error
        if done:
            return result
        raise result

    def end(self) -> None:
        """End the process; the next call starts a new one."""
        with self._lock:
            self._end()

    def _end(self) -> None:
        if self._worker is not None:
            worker, self._worker = self._worker, None
            worker.close()
            worker.kill()
            worker.join()


def _serve(connection: Connection) -> None:
    while True:
        function, arguments = connection.recv()
        try:
            answer = True, function(*arguments)
        except Exception as error:
            answer = False, error
        connection.send(answer)
