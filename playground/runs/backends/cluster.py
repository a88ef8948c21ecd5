"""Runs on the nodes of a Ray cluster: each has a CPU there, and what it keeps comes back to this host's disk."""

import itertools
import logging
import threading
from collections import deque
from collections.abc import Callable
from typing import Any

from playground.runs.backends import processes
from playground.runs.backends.backend import USUAL, Needs
from playground.runs.backends.cluster_driver import (
    Capacity,
    Gone,
    Kill,
    Placed,
    Send,
    Start,
    Told,
    Trouble,
    drive,
)

PATIENCE = 20.0
"""Seconds without a response until a cluster counts as gone: its runs go on from where they were kept when it is back.

After a quarter of it no run starts any more.
"""

_log = logging.getLogger(__name__)

RETRY_SECONDS = 3.0
"""Between two attempts to connect."""


class ClusterWorker:
    """A worker on a node."""

    def __init__(self, key: int, tell: Callable[[Any], None]) -> None:
        self.node = self.lost = self.ending = ""
        self._key, self._tell = key, tell
        self._inbox = deque[Any]()
        self._news = threading.Condition()
        self._gone = False

    def send(self, message: Any) -> None:
        """Raises OSError once it is gone."""
        if self._gone:
            raise BrokenPipeError
        self._tell(Send(self._key, message))

    def recv(self) -> Any:
        """Its next message; blocks until there is one. Raises EOFError once it is gone."""
        with self._news:
            self._news.wait_for(lambda: self._inbox or self._gone)
            if not self._inbox:
                raise EOFError
            return self._inbox.popleft()

    def poll(self, timeout: float | None = 0.0) -> bool:
        """Whether `recv` returns or raises at once, after `timeout` seconds at most."""
        with self._news:
            return bool(self._news.wait_for(lambda: self._inbox or self._gone, timeout))

    def kill(self) -> None:
        """Ends it without asking."""
        self._tell(Kill(self._key))

    def join(self, seconds: float | None = None) -> bool:
        """Waits for its end; False if it has not ended after so many seconds."""
        with self._news:
            return self._news.wait_for(lambda: self._gone, seconds)

    def close(self) -> None:
        """Does nothing: the line belongs to the cluster."""

    def take(self, message: Placed | Told) -> None:
        with self._news:
            if isinstance(message, Placed):
                self.node = message.node
            else:
                self._inbox.extend(message.messages)
            self._news.notify_all()

    def end(self, ending: str, lost: str = "") -> None:
        with self._news:
            self.ending, self.lost, self._gone = ending, lost, True
            self._news.notify_all()


class Cluster:
    """The backend of a Ray cluster. If it goes away, its runs go on when it is back; see `Backend`."""

    shares_disk = False

    def __init__(self, address: str = "", patience: float = PATIENCE) -> None:
        """`address` is a host and a port, or starts with ray://; empty: the cluster that runs on this machine."""
        self.address, self.patience = address, patience
        self.slots, self.has_gpu = 1, False
        self.trouble = "The Ray cluster has not responded yet."
        self._workers: dict[int, ClusterWorker] = {}
        self._keys = itertools.count()
        self._driver: processes.LocalWorker | None = None
        self._lock, self._settled, self._closed = threading.RLock(), threading.Event(), threading.Event()
        self._thread: threading.Thread | None = None
        self._on_change: Callable[[], None] = lambda: None

    def open(self, on_change: Callable[[], None] = lambda: None) -> None:
        """Connects, and connects again whenever the connection is lost; see `Backend.open`."""
        self._on_change = on_change
        self._thread = threading.Thread(target=self._stay_connected, name="cluster", daemon=True)
        self._thread.start()

    def settled(self, seconds: float) -> bool:
        """Waits until the cluster has responded, or `trouble` says why it does not; False if that takes longer."""
        return self._settled.wait(seconds)

    def start(self, target: Callable[..., None], *arguments: Any, name: str, needs: Needs = USUAL) -> ClusterWorker:
        """See `Backend.start`."""
        with self._lock:
            worker = ClusterWorker(next(self._keys), self._tell)
            self._workers[worker._key] = worker
            if self._driver is None:
                self._end(worker._key, "not started", "The Ray cluster was lost")
            self._tell(Start(worker._key, target, arguments, needs))
        return worker

    def close(self) -> None:
        """Ends every worker."""
        self._closed.set()
        with self._lock:
            driver = self._driver
        if driver is not None:
            driver.kill()
        if self._thread is not None:
            self._thread.join()

    def _tell(self, command: Start | Send | Kill) -> None:
        with self._lock:
            if self._driver is not None:
                try:
                    self._driver.send(command)
                except OSError:  # it has just ended, and whoever listens to it tells all workers
                    pass

    def _stay_connected(self) -> None:
        while not self._closed.is_set():
            try:
                driver = processes.start(drive, self.address, self.patience, name="cluster", niceness=0)
            except Exception as error:  # whatever it was, runs wait and the next attempt may work
                self._trouble(f"The process that speaks to the Ray cluster could not be started: {error}.")
            else:
                self._carry(driver)
            self._closed.wait(RETRY_SECONDS)

    def _carry(self, driver: processes.LocalWorker) -> None:
        """Takes in what a driver tells until it has ended; whatever cannot be taken in ends it."""
        with self._lock:
            self._driver = driver
        try:
            while not self._closed.is_set():  # it may have been closed while this driver started
                self._take(driver.recv())
        except (EOFError, OSError):
            pass
        except Exception:
            _log.exception("What the Ray cluster sent cannot be used.")
        finally:
            self._disconnect(driver)

    def _disconnect(self, driver: processes.LocalWorker) -> None:
        driver.kill()
        driver.join()
        driver.close()
        with self._lock:
            self._driver = None
            connected = not self.trouble
            keys = list(self._workers)
        if connected:
            self._trouble("The connection to the Ray cluster was lost.")
        for key in keys:
            self._end(key, "the connection was lost", "The connection to the Ray cluster was lost")

    def _trouble(self, problem: str) -> None:
        self.trouble = problem
        self._settled.set()
        self._on_change()

    def _take(self, message: Capacity | Trouble | Placed | Told | Gone) -> None:
        if isinstance(message, Capacity):
            self.slots, self.has_gpu, self.trouble = max(1, message.cpus), message.gpus > 0, ""
            self._settled.set()
            self._on_change()
        elif isinstance(message, Trouble):
            self._trouble(message.problem)
        elif isinstance(message, Gone):
            lost = message.lost_node and f"Node {message.lost_node} was lost"
            self._end(message.key, message.ending, lost)
        elif worker := self._workers.get(message.key):
            worker.take(message)

    def _end(self, key: int, ending: str, lost: str = "") -> None:
        with self._lock:
            worker = self._workers.pop(key, None)
        if worker is not None:
            worker.end(ending, lost)
