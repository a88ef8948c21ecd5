"""The interface of a backend; a run calls nothing else.

Any thread may call any method. Targets, arguments and messages are pickled: both ends trust each other and have the
same version of this package. A target runs with one torch thread and at low priority. It ends with the server.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

from playground.processes import Worker


@dataclass(frozen=True)
class Needs:
    """Resources a worker needs."""

    spare: bool = False  # takes no slot and runs at the lowest priority
    gpu: bool = False
    memory_mb: int = 0  # beyond what it uses at its start; 0: no limit
    near: str = ""  # name of the preferred node


DEFAULT_NEEDS = Needs()


class Backend(Protocol):
    """Starts workers and knows how many can run."""

    @property
    def slots(self) -> int:
        """Runs that can train at once; 0: the host's setting decides."""

    @property
    def problem(self) -> str:
        """The reason why no worker can start now, one sentence; empty if one can."""

    @property
    def has_gpu(self) -> bool:
        """A worker can use a GPU."""

    @property
    def shares_disk(self) -> bool:
        """A worker can write to the host's folders under the same paths; if not, its reports carry all data."""

    def start(self, target: Callable[..., None], *arguments: Any, name: str, needs: Needs = DEFAULT_NEEDS) -> Worker:
        """Start `target(connection, *arguments)`, now or when resources are free; return without waiting.

        The target ends quietly if the other end of its connection is closed. Raises any error that prevents the start.
        """

    def open(self, on_change: Callable[[], None]) -> None:
        """Prepare for the first `start`.

        `on_change` is called, in any thread, when `slots` or `problem` has changed.
        """

    def settled(self, seconds: float) -> bool:
        """Wait until `problem` is known to be set or empty; False after `seconds`."""

    def close(self) -> None:
        """End all workers."""
