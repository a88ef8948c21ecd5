"""The Ray backend: each run takes a CPU of a node and sends what it keeps back to this host's disk."""

import itertools
import logging
import threading
from collections import deque
from collections.abc import Callable
from typing import Any

from playground.processes import child
from playground.runs.backends.backend import DEFAULT_NEEDS, Needs
from playground.runs.backends.cluster_driver import (
    Capacity,
    Kill,
    Problem,
    Send,
    Start,
    WorkerEnded,
    WorkerMessages,
    WorkerPlaced,
    drive,
)

TIMEOUT_SECONDS = 20.0
"""Seconds without a response after which a cluster counts as lost; its runs resume once it responds.

After a quarter of this time no new run starts.
"""

_log = logging.getLogger(__name__)

RETRY_SECONDS = 3.0
"""Seconds between two attempts to connect."""


class ClusterWorker:
    """A worker on a node."""

    def __init__(self, key: int, send_command: Callable[[Any], None]) -> None:
        self.node = self.lost = self.ending = ""
        self._key, self._send_command = key, send_command
        self._inbox = deque[Any]()
        self._news = threading.Condition()
        self._gone = False

    def send(self, message: Any) -> None:
        """Raises OSError once the worker has ended."""
        if self._gone:
            raise BrokenPipeError
        self._send_command(Send(self._key, message))

    def recv(self) -> Any:
        """Return its next message; block until there is one. Raises EOFError once the worker has ended."""
        with self._news:
            self._news.wait_for(lambda: self._inbox or self._gone)
            if not self._inbox:
                raise EOFError
            return self._inbox.popleft()

    def poll(self, timeout: float | None = 0.0) -> bool:
        """Wait up to `timeout` seconds until `recv` would return or raise at once; False if it would not."""
        with self._news:
            return bool(self._news.wait_for(lambda: self._inbox or self._gone, timeout))

    def kill(self) -> None:
        """Kill it."""
        self._send_command(Kill(self._key))

    def join(self, seconds: float | None = None) -> bool:
        """Wait for its end; False if it has not ended after `seconds`."""
        with self._news:
            return self._news.wait_for(lambda: self._gone, seconds)

    def close(self) -> None:
        """Do nothing: the connection belongs to the cluster."""

    def take(self, message: WorkerPlaced | WorkerMessages) -> None:
        with self._news:
            if isinstance(message, WorkerPlaced):
                self.node = message.node
            else:
                self._inbox.extend(message.messages)
            self._news.notify_all()

    def end(self, ending: str, lost: str = "") -> None:
        with self._news:
            self.ending, self.lost, self._gone = ending, lost, True
            self._news.notify_all()


class Cluster:
    """The backend of a Ray cluster, see `Backend`. If the cluster is lost, its runs resume when it is back."""

    shares_disk = False

    def __init__(self, address: str = "", timeout: float = TIMEOUT_SECONDS) -> None:
        """`address` is host:port or ray://...; empty: the cluster on this machine."""
        self.address, self.timeout = address, timeout
        self.slots, self.has_gpu = 1, False
        self.problem = "The Ray cluster has not responded yet."
        self._workers: dict[int, ClusterWorker] = {}
        self._keys = itertools.count()
        self._driver: child.Child | None = None
        self._lock, self._settled, self._closed = threading.RLock(), threading.Event(), threading.Event()
        self._thread: threading.Thread | None = None
        self._on_change: Callable[[], None] = lambda: None

    def open(self, on_change: Callable[[], None] = lambda: None) -> None:
        """Connect, and reconnect whenever the connection is lost; see `Backend.open`."""
        self._on_change = on_change
        self._thread = threading.Thread(target=self._stay_connected, name="cluster", daemon=True)
        self._thread.start()

    def settled(self, seconds: float) -> bool:
        """Wait until the cluster has responded or `problem` says why not; False after `seconds`."""
        return self._settled.wait(seconds)

    def start(
        self, target: Callable[..., None], *arguments: Any, name: str, needs: Needs = DEFAULT_NEEDS
    ) -> ClusterWorker:
        """See `Backend.start`."""
        with self._lock:
            worker = ClusterWorker(next(self._keys), self._send_command)
            self._workers[worker._key] = worker
            if self._driver is None:
                self._end(worker._key, "not started", "The Ray cluster was lost")
            self._send_command(Start(worker._key, target, arguments, needs))
        return worker

    def close(self) -> None:
        """End all workers."""
        self._closed.set()
        with self._lock:
            driver = self._driver
        if driver is not None:
            driver.kill()
        if self._thread is not None:
            self._thread.join()

    def _send_command(self, command: Start | Send | Kill) -> None:
        with self._lock:
            if self._driver is not None:
                try:
                    self._driver.send(command)
                except OSError:  # it has just ended; the thread that listens ends all workers
                    pass

    def _stay_connected(self) -> None:
        while not self._closed.is_set():
            try:
                driver = child.start(drive, self.address, self.timeout, name="cluster", niceness=0)
            except Exception as error:  # runs wait; the next attempt may succeed
                self._set_problem(f"The process that connects to the Ray cluster could not be started: {error}.")
            else:
                self._receive_from(driver)
            self._closed.wait(RETRY_SECONDS)

    def _receive_from(self, driver: child.Child) -> None:
        """Handle a driver's messages until it ends; an invalid message ends it."""
        with self._lock:
            self._driver = driver
        try:
            while not self._closed.is_set():  # it may have been closed while this driver started
                self._take(driver.recv())
        except (EOFError, OSError):
            pass
        except Exception:
            _log.exception("The Ray cluster sent an invalid message.")
        finally:
            self._disconnect(driver)

    def _disconnect(self, driver: child.Child) -> None:
        child.end(driver)
        with self._lock:
            self._driver = None
            connected = not self.problem
            keys = list(self._workers)
        if connected:
            self._set_problem("The connection to the Ray cluster was lost.")
        for key in keys:
            self._end(key, "the connection was lost", "The connection to the Ray cluster was lost")

    def _set_problem(self, problem: str) -> None:
        self.problem = problem
        self._settled.set()
        self._on_change()

    def _take(self, message: Capacity | Problem | WorkerPlaced | WorkerMessages | WorkerEnded) -> None:
        if isinstance(message, Capacity):
            self.slots, self.has_gpu, self.problem = max(1, message.cpus), message.gpus > 0, ""
            self._settled.set()
            self._on_change()
        elif isinstance(message, Problem):
            self._set_problem(message.problem)
        elif isinstance(message, WorkerEnded):
            lost = message.lost_node and f"Node {message.lost_node} was lost"
            self._end(message.key, message.ending, lost)
        elif worker := self._workers.get(message.key):
            worker.take(message)

    def _end(self, key: int, ending: str, lost: str = "") -> None:
        with self._lock:
            worker = self._workers.pop(key, None)
        if worker is not None:
            worker.end(ending, lost)
