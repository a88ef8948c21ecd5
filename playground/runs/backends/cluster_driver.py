"""The process that talks to a Ray cluster: Ray ends its process when a cluster is lost, and must not end the server."""

import contextlib
import logging
import os
import socket
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from playground.common.errors import one_line
from playground.processes import Connection
from playground.processes.child import SPARE_NICENESS, USUAL_NICENESS
from playground.recording import REPOSITORY
from playground.runs.backends.backend import Needs
from playground.runs.backends.cluster_slot import WorkerSlot

IDLE_SECONDS = 1.0
"""Seconds a warm slot waits for the next run before it frees its CPU."""

NODE_SECONDS = 5.0
"""Seconds a node that shuts down may outlive its workers, while the cluster responds."""

CONNECT_SECONDS = 3.0

ATTEMPTS = 5
"""Attempts to get a slot."""


@dataclass(frozen=True)
class Start:
    """Start a worker; see `Backend.start`."""

    key: int
    target: Callable[..., None]
    arguments: tuple[Any, ...]
    needs: Needs


@dataclass(frozen=True)
class Send:
    """A message for a worker."""

    key: int
    message: Any


@dataclass(frozen=True)
class Kill:
    """Kill a worker."""

    key: int


@dataclass(frozen=True)
class Capacity:
    """The cluster responds and has these resources."""

    cpus: int
    gpus: int


@dataclass(frozen=True)
class Problem:
    """The cluster cannot be used."""

    problem: str


@dataclass(frozen=True)
class WorkerPlaced:
    """A worker was assigned to a node."""

    key: int
    node: str


@dataclass(frozen=True)
class WorkerMessages:
    """Messages from a worker."""

    key: int
    messages: list[Any]


@dataclass(frozen=True)
class WorkerEnded:
    """A worker has ended."""

    key: int
    ending: str = "exit code 0"
    lost_node: str = ""


def drive(connection: Connection, address: str, timeout: float) -> None:
    """Handle `Start`, `Send` and `Kill` and send the other messages, until the cluster or the server is lost."""
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # Ray sends statistics by default
    try:
        import ray
    except ImportError:
        connection.send(Problem('Ray is not installed. Install it with pip install ".[cluster]".'))
        return
    os.chdir(REPOSITORY)  # Ray nodes import from the working directory; on this machine they find the package there
    try:
        _check(address)
        ray.init(address=address or "auto", log_to_driver=False, logging_level=logging.ERROR)
    except Exception as error:  # report any error to those who wait
        where = f"at {address}" if address else "on this machine"
        advice = "Check the address and the cluster's token." if address else "Start one with `ray start --head`."
        reason = one_line(error, 200).rstrip(". ")
        connection.send(Problem(f"There is no Ray cluster {where}: {reason}. {advice}"))
        return
    _Driver(connection, ray, timeout).run()


def _check(address: str) -> None:
    """Raises OSError if nothing listens at a host and port: Ray itself would try for a minute."""
    host, _, port = address.removeprefix("ray://").rpartition(":")
    if host and port.isdecimal():
        try:
            socket.create_connection((host, int(port)), CONNECT_SECONDS).close()
        except OSError as error:
            raise OSError(error.strerror or "no response") from None


@dataclass
class _ManagedWorker:
    """A worker and its slot."""

    slot: Any = None  # None: not requested yet
    begun: bool = False
    early: list[Any] = field(default_factory=list)  # messages sent before the worker has begun
    sent: int = 0  # number of messages
    killed: bool = False

    def begin(self) -> None:
        """Send the messages that waited for it."""
        self.begun = True
        for message in self.early:
            self.send(message)

    def send(self, message: Any) -> None:
        """Send a message with its number: an actor with several threads takes calls in any order."""
        if not self.begun:
            self.early.append(message)
            return
        self.slot.send.remote(self.sent, message)
        self.sent += 1


class _Driver:
    def __init__(self, connection: Connection, ray: Any, timeout: float) -> None:
        self.connection, self.ray, self.timeout = connection, ray, timeout
        self.slot = ray.remote(WorkerSlot)
        self.workers: dict[int, _ManagedWorker] = {}  # by key
        self.idle: list[tuple[float, str, Any]] = []  # since when, node, slot
        self.nodes: dict[str, tuple[str, int]] = {}  # id -> host and port of the alive ones
        self.names: dict[str, str] = {}  # id -> name, also of earlier ones
        self.answered = time.monotonic()
        self._lock, self._send_lock = threading.Lock(), threading.Lock()

    def run(self) -> None:
        for task in (self._watch, self._tick):
            threading.Thread(target=task, daemon=True).start()
        while True:
            self._handle(self.connection.recv())

    def _tick(self) -> None:
        """Free idle slots; end this process if the cluster is lost, since Ray's calls may hang."""
        silent = False
        while time.monotonic() - self.answered < self.timeout:
            was_silent, silent = silent, self._is_silent()
            if not silent:
                self._release_idle_slots()
            elif not was_silent:
                self.send(Problem("The Ray cluster does not respond."))
            time.sleep(0.2)
        os._exit(1)

    def _is_silent(self) -> bool:
        """Runs wait for the cluster to respond."""
        return time.monotonic() - self.answered > self.timeout / 4

    def send(self, message: Any) -> None:
        with self._send_lock, contextlib.suppress(OSError):  # the server has ended, and this process will soon
            self.connection.send(message)

    def _watch(self) -> None:
        """Watch which nodes are alive."""
        reported = None
        while True:
            try:
                nodes = [node for node in self.ray.nodes() if node["Alive"]]
            except Exception:  # no response
                time.sleep(1)
                continue
            late = self._is_silent()
            self.names |= {node["NodeID"]: _name(node) for node in nodes}
            self.nodes = {node["NodeID"]: (node["NodeManagerAddress"], node["NodeManagerPort"]) for node in nodes}
            self.answered = time.monotonic()
            cpus, gpus = (int(sum(node["Resources"].get(kind, 0) for node in nodes)) for kind in ("CPU", "GPU"))
            capacity = Capacity(cpus, gpus)
            if late or capacity != reported:
                self.send(capacity)
            reported = capacity
            time.sleep(1)

    def _handle(self, command: Start | Send | Kill) -> None:
        if isinstance(command, Start):
            new = self.workers[command.key] = _ManagedWorker()
            threading.Thread(target=self._manage, args=(command, new), daemon=True).start()
            return
        with self._lock:
            worker = self.workers.get(command.key)
            if worker is None:
                return
            if isinstance(command, Kill):
                worker.killed = True
                if worker.slot is not None:
                    self.ray.kill(worker.slot)
            else:
                worker.send(command.message)

    def _manage(self, start: Start, worker: _ManagedWorker) -> None:
        """Start a worker and forward its messages until it ends."""
        key, node, reusable = start.key, "", False
        try:
            slot, node = self._placed(start, worker)
            self.ray.get(slot.begin.remote(start.target, start.arguments, start.needs.memory_mb))
            with self._lock:
                worker.begin()
            self.send(WorkerPlaced(key, self._name_of(node)))
            over = False
            while not over:
                messages, over, ending = self.ray.get(slot.receive.remote())
                if messages:
                    self.send(WorkerMessages(key, messages))
        except Exception as error:  # without an end its run would wait forever
            ended = WorkerEnded(key, "killed") if worker.killed else self._lost(key, node, error)
        else:
            reusable = not ending
            ended = WorkerEnded(key) if reusable else WorkerEnded(key, ending)
        with self._lock:  # so that no late kill hits the next worker of this slot
            del self.workers[key]
            if reusable and not (start.needs.spare or start.needs.gpu or worker.killed):
                self.idle.append((time.monotonic(), node, slot))
            elif worker.slot is not None:
                self.ray.kill(worker.slot)
        self.send(ended)

    def _placed(self, start: Start, worker: _ManagedWorker) -> tuple[Any, str]:
        """A slot for a worker and the slot's node. Raises Ray's error after `ATTEMPTS`.

        A slot is lost if the cluster assigns it to a node that is gone and has not noticed it.
        """
        for left in reversed(range(ATTEMPTS)):
            with self._lock:
                slot = worker.slot = self._slot(start)
                if worker.killed:
                    self.ray.kill(slot)
            try:
                return slot, self.ray.get(slot.node.remote())
            except self.ray.exceptions.RayError:
                if worker.killed or not left:
                    raise
        raise AssertionError

    def _slot(self, start: Start) -> Any:
        """A slot for a worker: a warm one, or a new one where a CPU is free."""
        from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

        needs = start.needs
        near = next((node for node in self.nodes if self.names[node] == needs.near), "")
        if not (needs.spare or needs.gpu):
            for idle in self.idle:
                if near in ("", idle[1]):
                    self.idle.remove(idle)
                    return idle[2]
        where = NodeAffinitySchedulingStrategy(near, soft=True) if near else "SPREAD"
        resources = {"num_cpus": 0 if needs.spare else 1, "num_gpus": int(needs.gpu)}
        slot = self.slot.options(**resources, max_concurrency=4, scheduling_strategy=where)
        return slot.remote(SPARE_NICENESS if needs.spare else USUAL_NICENESS)

    def _release_idle_slots(self) -> None:
        """End slots that have been idle for `IDLE_SECONDS`."""
        with self._lock:
            until = time.monotonic() - IDLE_SECONDS
            over = [idle for idle in self.idle if idle[0] < until]
            self.idle = [idle for idle in self.idle if idle[0] >= until]
        for *_, slot in over:
            self.ray.kill(slot)

    def _name_of(self, node: str) -> str:
        """The displayed name of a node, also of an earlier one."""
        return self.names.get(node, node[:8])

    def _is_there(self, node: str) -> bool:
        """A node is alive; the cluster may take long to notice that it is not."""
        where = self.nodes.get(node)
        if where is None:
            return node == ""  # lost before it was assigned
        try:
            socket.create_connection(where, CONNECT_SECONDS).close()
        except OSError:
            return False
        return True

    def _lost(self, key: int, node: str, error: Exception) -> WorkerEnded:
        """The end of a worker that was lost, with its node or alone; waits while the cluster does not respond."""
        since = time.monotonic()
        while self._is_there(node):
            if self.answered >= since + NODE_SECONDS:
                return WorkerEnded(key, one_line(error, 200))
            time.sleep(0.2)
        return WorkerEnded(key, lost_node=self._name_of(node))


def _name(node: dict[str, Any]) -> str:
    """The displayed name of a node: its host and the start of its id."""
    return f"{node['NodeManagerHostname']}/{node['NodeID'][:8]}"
