"""Processes for code of somebody else: one runs it, one that it can't change asks it and answers, and this one waits.

Nothing here imports torch, so that the process that runs the code starts before the one that asks does.
"""

import os
import subprocess
import sys
import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from contextlib import suppress
from secrets import token_hex
from time import monotonic, sleep
from typing import Generic, NoReturn, TypeVar

from playground.lessons.check.process import confinement

A = TypeVar("A")

MAX_SECONDS = 60.0
"""For the code and what is done with it; the processes need some more to start."""

START_SECONDS = 300.0

_WATCH_SECONDS = 0.05


class AskingProcess(ABC, Generic[A]):
    """A process that runs `module`, which has a `Supervisor`, until it answers or is ended."""

    def __init__(self, module: str, words: Sequence[str], seconds: float) -> None:
        """`seconds`, also the last word, are those of the code."""
        self._until = monotonic() + seconds + START_SECONDS
        self._secret = token_hex(16).encode()
        self._process = subprocess.Popen(
            [sys.executable, "-m", module, *words, str(seconds)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=confinement.environment(),
            start_new_session=True,
        )
        assert self._process.stdin is not None
        with suppress(OSError):
            self._process.stdin.write(self._secret + b"\n")
            self._process.stdin.flush()

    def wait(self, seconds: float | None = None) -> A | None:
        """The answer; None if there is none after so many seconds."""
        left = max(0.0, self._until - monotonic())
        try:
            answer, _ = self._process.communicate(timeout=left if seconds is None else min(seconds, left))
        except subprocess.TimeoutExpired:
            if monotonic() < self._until:
                return None
            self.end()
            self._process.communicate()
            return self.late()
        self.end()
        try:
            return self.read(answer.partition(self._secret)[2].partition(b"\n")[0])
        except ValueError:
            code = self._process.returncode
            return self.broken(
                "its process ended, " + (f"killed by signal {-code}" if code < 0 else f"exit code {code}")
            )

    def result(self) -> A:
        """The answer, however long it takes; an interrupt ends the process."""
        try:
            while (answer := self.wait()) is None:
                pass
            return answer
        except BaseException:  # such as Ctrl-C
            self.end()
            self.wait()
            raise

    def end(self) -> None:
        """Ends the process and what it has started; `wait` returns then."""
        confinement.end_with_descendants(self._process)

    @abstractmethod
    def read(self, answer: bytes) -> A:
        """The answer from what follows the secret, which only the asking process knows; raises ValueError."""

    @abstractmethod
    def late(self) -> A:
        """The answer if there is none in time."""

    @abstractmethod
    def broken(self, problem: str) -> A:
        """The answer if the asking process ends without one."""


class Supervisor:
    """In the asking process: starts the process that runs the code, watches it, and answers once."""

    def __init__(self, module: str, words: Sequence[str], seconds: str) -> None:
        """`module` gets the words, the seconds and the megabytes."""
        confinement.supervise()
        self._secret = sys.stdin.buffer.readline().strip()
        self._seconds, self._lock = float(seconds), threading.Lock()
        words = [sys.executable, "-m", module, *words, seconds, str(confinement.MEMORY_MB)]
        self.process = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, start_new_session=True)

    def answer(self, text: str) -> NoReturn:
        """Write the answer, the first one alone, and end."""
        self._lock.acquire()
        confinement.end_descendants(os.getpid())
        sys.stdout.buffer.write(self._secret + text.encode() + b"\n")
        sys.stdout.buffer.flush()
        os._exit(0)

    def watch(self, stopped: Callable[[str], str]) -> None:
        """From now on, answer with what `stopped` makes of a sentence if the code takes too much time or memory."""
        threading.Thread(target=self._watch, args=(stopped,), daemon=True).start()

    def _watch(self, stopped: Callable[[str], str]) -> None:
        until, before = monotonic() + self._seconds, confinement.memory(os.getpid())
        most = before + confinement.MEMORY_MB * 1_000_000
        while monotonic() < until:
            if confinement.memory(os.getpid()) > most:
                problem = f"The check was stopped: your code used more than {confinement.MEMORY_MB:,} MB."
                self.answer(stopped(problem))
            sleep(_WATCH_SECONDS)
        problem = f"The check was stopped after {self._seconds:g} seconds. Does your code have an endless loop?"
        self.answer(stopped(problem))
