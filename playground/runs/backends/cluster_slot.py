"""What stands on a node of the cluster: a warm process that works for one run after another, a Ray actor."""

import multiprocessing
import os
import sys
import threading
import traceback
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any

from playground.runs.backends.processes import limit_memory

WAIT_SECONDS = 5.0
"""How long `Slot.told` waits for news."""


class Slot:
    """One worker at a time, in a thread of this process; the others of its threads carry messages."""

    def __init__(self, niceness: int) -> None:
        from playground.runs import preload  # noqa: F401  # warms up torch

        if hasattr(os, "nice"):
            os.nice(niceness)
        self._telling = threading.Lock()

    def node(self) -> str:
        """Id of the node it stands on."""
        import ray

        return ray.get_runtime_context().get_node_id()

    def begin(self, target: Callable[..., None], arguments: Sequence[Any], memory_mb: int) -> None:
        """Starts `target(connection, *arguments)`; see `Backend.start`."""
        limit_memory(memory_mb or None)
        self._connection, far_end = multiprocessing.Pipe()
        self._early: dict[int, Any] = {}  # messages by number, while one before them is missing
        self._told, self._ending = 0, ""

        def work() -> None:
            self._ending = "it was ended"
            try:
                target(far_end, *arguments)
                self._ending = ""
            except Exception as error:
                traceback.print_exc(file=sys.stderr)
                self._ending = f"error: {type(error).__name__}"
            finally:
                far_end.close()

        threading.Thread(target=work, daemon=True).start()

    def tell(self, number: int, message: Any) -> None:
        """Gives the worker a message, after all with lower numbers."""
        with self._telling, suppress(OSError):  # it may just have ended
            self._early[number] = message
            while self._told in self._early:
                self._connection.send(self._early.pop(self._told))
                self._told += 1

    def told(self) -> tuple[list[Any], bool, str]:
        """What the worker has sent since the last call, whether it has ended, and how, if it is by an error.

        Waits a moment if there is nothing.
        """
        messages, wait = [], WAIT_SECONDS
        try:
            while self._connection.poll(wait):
                messages.append(self._connection.recv())
                wait = 0.0
        except EOFError:
            return messages, True, self._ending
        return messages, False, ""
