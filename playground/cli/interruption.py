"""Ctrl-C and SIGTERM for commands that have something to save first."""

import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from types import FrameType


@dataclass
class Interruption:
    """The first signal that asked a command to end, if any."""

    number: int = 0

    @property
    def exit_code(self) -> int:
        """130 after Ctrl-C and 143 after SIGTERM, as shells count; 0 without a signal."""
        return self.number and 128 + self.number


@contextmanager
def interruptible() -> Iterator[Interruption]:
    """Note the first Ctrl-C or SIGTERM, for the command to see; the second ends it at once.

    Outside of the main thread, which alone can handle signals, nothing is noted.
    """
    asked = Interruption()

    def take(number: int, _frame: FrameType | None) -> None:
        if asked.number:
            sys.exit(128 + number)  # an exception, so that a folder that is being written stays whole
        asked.number = number

    if threading.current_thread() is not threading.main_thread():
        yield asked
        return
    before = {number: signal.signal(number, take) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield asked
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
