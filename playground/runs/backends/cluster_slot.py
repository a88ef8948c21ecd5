"""A Ray actor on a node: a warm process that runs one worker after another."""

import importlib
import multiprocessing
import os
import sys
import threading
import traceback
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any

from playground.processes import limit_memory
from playground.processes.child import PRELOAD

WAIT_SECONDS = 5.0
"""Seconds `WorkerSlot.receive` waits for messages."""


class WorkerSlot:
    """Runs one worker at a time in a thread; its other threads forward messages."""

    def __init__(self, niceness: int) -> None:
        importlib.import_module(PRELOAD)
        if hasattr(os, "nice"):
            os.nice(niceness)
        self._send_lock = threading.Lock()

    def node(self) -> str:
        """Id of its node."""
        import ray

        return ray.get_runtime_context().get_node_id()

    def begin(self, target: Callable[..., None], arguments: Sequence[Any], memory_mb: int) -> None:
        """Start `target(connection, *arguments)`; see `Backend.start`."""
        limit_memory(memory_mb or None)
        self._connection, far_end = multiprocessing.Pipe()
        self._early: dict[int, Any] = {}  # number -> message; they wait for an earlier one
        self._sent, self._ending = 0, ""

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

    def send(self, number: int, message: Any) -> None:
        """Send the worker a message, after all messages with lower numbers."""
        with self._send_lock, suppress(OSError):  # the worker may just have ended
            self._early[number] = message
            while self._sent in self._early:
                self._connection.send(self._early.pop(self._sent))
                self._sent += 1

    def receive(self) -> tuple[list[Any], bool, str]:
        """The worker's new messages, whether it has ended, and its error if one ended it.

        Waits up to `WAIT_SECONDS` for a message.
        """
        messages, wait = [], WAIT_SECONDS
        try:
            while self._connection.poll(wait):
                messages.append(self._connection.recv())
                wait = 0.0
        except EOFError:
            return messages, True, self._ending
        return messages, False, ""
