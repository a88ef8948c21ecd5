"""The process that speaks to a Ray cluster for the server: Ray ends it when the cluster goes away, not the server."""

import contextlib
import logging
import os
import socket
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from playground.errors import one_line
from playground.recording import REPOSITORY
from playground.runs.backends.backend import Connection, Needs
from playground.runs.backends.cluster_slot import Slot

IDLE_SECONDS = 1.0
"""How long a warm slot waits for the next run before it gives its CPU back."""

NODE_SECONDS = 5.0
"""How long a node may outlive its workers when it is shut down, if the cluster responds."""

CONNECT_SECONDS = 3.0

ATTEMPTS = 5
"""To find a slot."""


@dataclass(frozen=True)
class Start:
    """Starts a worker; see `Backend.start`."""

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
    """Ends a worker."""

    key: int


@dataclass(frozen=True)
class Capacity:
    """The cluster answers."""

    cpus: int
    gpus: int


@dataclass(frozen=True)
class Trouble:
    """The cluster cannot be used."""

    problem: str


@dataclass(frozen=True)
class Placed:
    """A worker has a node."""

    key: int
    node: str


@dataclass(frozen=True)
class Told:
    """What a worker has sent."""

    key: int
    messages: list[Any]


@dataclass(frozen=True)
class Gone:
    """A worker has ended."""

    key: int
    ending: str = "exit code 0"
    lost_node: str = ""


def drive(connection: Connection, address: str, patience: float) -> None:
    """Obeys `Start`, `Send` and `Kill`, and tells the rest, until the cluster or the server is gone."""
    try:
        import ray
    except ImportError:
        connection.send(Trouble('Ray is not installed. Run: pip install ".[cluster]"'))
        return
    os.chdir(REPOSITORY)  # Ray lets nodes import from the working directory: on this machine they find the package
    try:
        _check(address)
        ray.init(address=address or "auto", log_to_driver=False, logging_level=logging.ERROR)
    except Exception as error:  # whatever it was, those who wait must be told
        where = f"at {address}" if address else "on this machine"
        connection.send(Trouble(f"There is no Ray cluster {where}: {one_line(error, 200)}."))
        return
    _Driver(connection, ray, patience).run()


def _check(address: str) -> None:
    """Raises OSError if nobody listens at a host and port: Ray itself would try for a minute."""
    host, _, port = address.removeprefix("ray://").rpartition(":")
    if host and port.isdecimal():
        try:
            socket.create_connection((host, int(port)), CONNECT_SECONDS).close()
        except OSError as error:
            raise OSError(error.strerror or "it does not respond") from None


@dataclass
class _Attended:
    """A worker that is carried."""

    slot: Any = None  # None: not asked for yet
    begun: bool = False
    early: list[Any] = field(default_factory=list)  # messages from before
    told: int = 0  # how many messages it was sent
    killed: bool = False

    def tell(self, message: Any) -> None:
        """Sends it a message, with its number: an actor with several threads takes calls in any order."""
        self.slot.tell.remote(self.told, message)
        self.told += 1


class _Driver:
    def __init__(self, connection: Connection, ray: Any, patience: float) -> None:
        self.connection, self.ray, self.patience = connection, ray, patience
        self.slot = ray.remote(Slot)
        self.workers: dict[int, _Attended] = {}  # by key
        self.idle: list[tuple[float, str, Any]] = []  # since when, node, slot
        self.nodes: dict[str, tuple[str, int]] = {}  # host and port of those that are there, by id
        self.names: dict[str, str] = {}  # by id, also of those that were there
        self.answered = time.monotonic()
        self._lock, self._telling = threading.Lock(), threading.Lock()

    def run(self) -> None:
        for task in (self._watch, self._tick):
            threading.Thread(target=task, daemon=True).start()
        while True:
            self._obey(self.connection.recv())

    def _tick(self) -> None:
        """Gives slots back that nobody needs, and ends this process if the cluster is gone: Ray's calls may hang."""
        silent = False
        while time.monotonic() - self.answered < self.patience:
            if silent != (silent := self._is_silent()) and silent:
                self.tell(Trouble("The Ray cluster does not respond."))
            if not silent:
                self._give_back()
            time.sleep(0.2)
        os._exit(1)

    def _is_silent(self) -> bool:
        """Whether runs wait for the cluster to respond."""
        return time.monotonic() - self.answered > self.patience / 4

    def tell(self, message: Any) -> None:
        with self._telling, contextlib.suppress(OSError):  # the server is gone, and this process in a moment
            self.connection.send(message)

    def _watch(self) -> None:
        """Looks which nodes are there."""
        told = None
        while True:
            try:
                nodes = [node for node in self.ray.nodes() if node["Alive"]]
            except Exception:  # it does not answer
                time.sleep(1)
                continue
            late = self._is_silent()
            self.names |= {node["NodeID"]: _name(node) for node in nodes}
            self.nodes = {node["NodeID"]: (node["NodeManagerAddress"], node["NodeManagerPort"]) for node in nodes}
            self.answered = time.monotonic()
            cpus, gpus = (int(sum(node["Resources"].get(kind, 0) for node in nodes)) for kind in ("CPU", "GPU"))
            if late or told != (told := Capacity(cpus, gpus)):
                self.tell(told)
            time.sleep(1)

    def _obey(self, command: Start | Send | Kill) -> None:
        if isinstance(command, Start):
            worker = self.workers[command.key] = _Attended()
            threading.Thread(target=self._attend, args=(command, worker), daemon=True).start()
            return
        with self._lock:
            attended = self.workers.get(command.key)
            if attended is None:
                return
            if isinstance(command, Kill):
                attended.killed = True
                if attended.slot is not None:
                    self.ray.kill(attended.slot)
            elif attended.begun:
                attended.tell(command.message)
            else:
                attended.early.append(command.message)

    def _attend(self, start: Start, worker: _Attended) -> None:
        """Carries what a worker sends until it has ended."""
        key, node, whole = start.key, "", False
        try:
            slot, node = self._placed(start, worker)
            self.ray.get(slot.begin.remote(start.target, start.arguments, start.needs.memory_mb))
            with self._lock:
                worker.begun = True
                for message in worker.early:
                    worker.tell(message)
            self.tell(Placed(key, self.names.get(node, node[:8])))
            over = False
            while not over:
                messages, over, ending = self.ray.get(slot.told.remote())
                if messages:
                    self.tell(Told(key, messages))
        except Exception as error:  # a worker without an end would keep its run for ever
            gone = Gone(key, "killed") if worker.killed else self._lost(key, node, error)
        else:
            whole = not ending
            gone = Gone(key) if whole else Gone(key, ending)
        with self._lock:  # nobody can kill it for this worker once another has it
            del self.workers[key]
            if whole and not (start.needs.spare or start.needs.gpu or worker.killed):
                self.idle.append((time.monotonic(), node, slot))
            elif worker.slot is not None:
                self.ray.kill(worker.slot)
        self.tell(gone)

    def _placed(self, start: Start, worker: _Attended) -> tuple[Any, str]:
        """A slot for a worker and its node; raises Ray's error if there is none after some attempts.

        A slot is lost when it is given to a node of which the cluster has not noticed yet that it is gone.
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
        """A slot for a worker: a warm one, or a new one where the cluster has a CPU."""
        from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

        near = next((each for each in self.nodes if self.names[each] == start.needs.near), "")
        for idle in self.idle if not (start.needs.spare or start.needs.gpu) else ():
            if near in ("", idle[1]):
                self.idle.remove(idle)
                return idle[2]
        where = NodeAffinitySchedulingStrategy(near, soft=True) if near else "SPREAD"
        takes = {"num_cpus": 0 if start.needs.spare else 1, "num_gpus": int(start.needs.gpu)}
        slot = self.slot.options(**takes, max_concurrency=4, scheduling_strategy=where)
        return slot.remote(15 if start.needs.spare else 10)

    def _give_back(self) -> None:
        """Ends slots that nobody has needed for a moment."""
        with self._lock:
            until = time.monotonic() - IDLE_SECONDS
            over = [idle for idle in self.idle if idle[0] < until]
            self.idle = [idle for idle in self.idle if idle[0] >= until]
        for *_, slot in over:
            self.ray.kill(slot)

    def _is_there(self, node: str) -> bool:
        """Whether a node is there; the cluster itself may take long to notice that it is not."""
        where = self.nodes.get(node)
        if where is None:
            return node == ""  # it was lost before it had one
        try:
            socket.create_connection(where, CONNECT_SECONDS).close()
        except OSError:
            return False
        return True

    def _lost(self, key: int, node: str, error: Exception) -> Gone:
        """How a worker was lost: with its node, or alone. If the cluster does not generate, nobody can tell."""
        since = time.monotonic()
        while (there := self._is_there(node)) and self.answered < since + NODE_SECONDS:
            time.sleep(0.2)
        if not there:
            return Gone(key, lost_node=self.names.get(node, node[:8]))
        return Gone(key, one_line(error, 200))


def _name(node: dict[str, Any]) -> str:
    """What people call a node: its host, and what tells it from others there."""
    return f"{node['NodeManagerHostname']}/{node['NodeID'][:8]}"
