"""What a run needs of the machines it trains on; every backend has these methods and no others are called.

Any thread may call any method. Targets, their arguments and all messages are pickled, so both ends trust each other and
have the same version of this package. A target runs with one torch thread and at low priority; it ends with the server.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol


class Connection(Protocol):
    """The worker's end of the line to its run. Every method raises EOFError or OSError if the other end is gone."""

    def send(self, message: Any) -> None: ...

    def recv(self) -> Any:
        """The next message; blocks until there is one."""

    def poll(self, timeout: float | None = 0.0) -> bool:
        """Whether `recv` has a message, after `timeout` seconds at most."""


class Worker(Connection, Protocol):
    """A target at work, and the run's end of the line to it.

    What it has sent before its end still comes out of `recv`; `lost` and `ending` are known when that raises EOFError.
    After `kill`, `join` returns soon, also if the machine is out of reach.
    """

    @property
    def node(self) -> str:
        """Name of the node it works on; empty on this machine, and as long as it has none."""

    @property
    def lost(self) -> str:
        """What took the worker along, a clause like "Node a was lost": it can go on elsewhere; else empty."""

    @property
    def ending(self) -> str:
        """How it has ended, in words, for example "exit code 1"."""

    def kill(self) -> None:
        """Ends it without asking."""

    def join(self, seconds: float | None = None) -> bool:
        """Waits for its end; False if it has not ended after so many seconds."""

    def close(self) -> None:
        """Lets go of the line."""


@dataclass(frozen=True)
class Needs:
    """What a worker takes of the machines."""

    spare: bool = False  # no slot; it gives way to all others
    gpu: bool = False
    memory_mb: int = 0  # at most beyond its start; 0: no limit
    near: str = ""  # name of the node it works on, if that is still there


USUAL = Needs()


class Backend(Protocol):
    """Starts workers."""

    @property
    def slots(self) -> int:
        """Runs that can train at once; 0: as many as the host says."""

    @property
    def trouble(self) -> str:
        """Why no worker can start now, in a sentence; empty if one can."""

    @property
    def has_gpu(self) -> bool:
        """Whether a worker can have a GPU."""

    @property
    def shares_disk(self) -> bool:
        """Whether a worker can write to the host's folders, under the same paths; if not, its reports carry it all."""

    def start(self, target: Callable[..., None], *arguments: Any, name: str, needs: Needs = USUAL) -> Worker:
        """Starts `target(connection, *arguments)`, now or as soon as there is room; does not wait for that.

        The target ends quietly if the other end of its connection is gone. Raises whatever keeps it from starting.
        """

    def open(self, on_change: Callable[[], None]) -> None:
        """Gets ready, before the first `start`.

        `on_change` is called, in any thread, when `slots` or `trouble` has changed.
        """

    def settled(self, seconds: float) -> bool:
        """Waits until it is known whether there is `trouble`; False if that takes longer."""

    def close(self) -> None:
        """Ends every worker."""
