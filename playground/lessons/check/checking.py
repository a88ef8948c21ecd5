"""The way in: check a file in a process of its own, or an object in this one."""

import json
import os
import signal
import subprocess
import sys
from dataclasses import asdict
from pathlib import Path
from time import monotonic
from typing import Any

from playground.errors import PlaygroundError, one_line
from playground.lessons.check.student_code import EXAMPLES, TheirError, find, load
from playground.lessons.check.verdict import CheckError, Verdict, failed
from playground.paths import user_path
from playground.recording import REPOSITORY

PARTS = tuple(EXAMPLES)
MAX_SECONDS = 60.0
"""For the code and its comparison; a process needs some more to start."""

START_SECONDS = 60.0
MEMORY_MB = 1000
TIMED_OUT = -int(getattr(signal, "SIGALRM", 14))


def check(thing: Any, part: str = "attention", mask: str | None = None) -> Verdict:
    """Checks a function, a class, a module, or the file at a path; see `playground.check`."""
    if part not in PARTS:
        raise CheckError(f"There is no part {one_line(part)!r}.", f"Choose one of {', '.join(PARTS)}.")
    if mask not in (None, "keep", "hide"):
        raise CheckError(f"A mask cannot {one_line(mask)!r}.", "Choose keep or hide.")
    if isinstance(thing, (str, os.PathLike)):
        return check_file(user_path(thing), part, mask)
    return verdict_of([thing], part, mask)


def verdict_of(things: list[Any], part: str, mask: Any) -> Verdict:
    """The verdict on the first thing; for masks on all of them. What cannot be checked has the verdict `error`."""
    from playground.lessons.check.checked_losses import check_loss
    from playground.lessons.check.checked_masks import check_masks
    from playground.lessons.check.comparing import check_object

    try:
        if part == "loss":
            return check_loss(things[0])
        return check_masks(things, mask) if part == "masks" else check_object(things[0], part, mask)
    except PlaygroundError as error:
        return failed(part, str(error), error.line if isinstance(error, TheirError) else None)


def verdict_here(file: Path, part: str, mask: Any) -> Verdict:
    """The verdict on a file that is run in this process."""
    try:
        return verdict_of(find(load(file), part), part, mask)
    except PlaygroundError as error:
        return failed(part, str(error), error.line if isinstance(error, TheirError) else None)


class CheckProcess:
    """A process that runs a file and checks it, with limited time and memory."""

    def __init__(self, file: Path, part: str, mask: str | None = None, seconds: float = MAX_SECONDS) -> None:
        words = [sys.executable, "-m", "playground.lessons.check", str(file.absolute()), part, mask or "", str(seconds)]
        paths = os.pathsep.join(filter(None, (str(REPOSITORY), os.environ.get("PYTHONPATH"))))
        self._part, self._seconds, self._until = part, seconds, monotonic() + seconds + START_SECONDS
        self._process = subprocess.Popen(
            words,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=os.environ | {"PYTHONPATH": paths},
            start_new_session=True,  # what the code starts ends with it
        )

    def wait(self, seconds: float | None = None) -> Verdict | None:
        """The verdict; None if there is none after so many seconds."""
        left = max(0.0, self._until - monotonic())
        try:
            answer, _ = self._process.communicate(timeout=left if seconds is None else min(seconds, left))
        except subprocess.TimeoutExpired:
            if monotonic() < self._until:
                return None
            self.end()
            self._process.communicate()
            return self._verdict(b"", TIMED_OUT)
        self.end()
        return self._verdict(answer, self._process.returncode)

    def end(self) -> None:
        """Ends the process and what it has started; `wait` returns then."""
        if hasattr(os, "killpg"):
            try:
                os.killpg(self._process.pid, signal.SIGKILL)
            except (ProcessLookupError, PermissionError):
                pass
        else:
            self._process.kill()

    def _verdict(self, answer: bytes, code: int) -> Verdict:
        if code == TIMED_OUT:
            message = f"The check was stopped after {self._seconds:g} seconds. Does your code have an endless loop?"
            return failed(self._part, message)
        try:
            fields = json.loads(answer)
            return Verdict(**{**fields, "agrees": tuple(fields["agrees"])})
        except (ValueError, TypeError, KeyError):
            how = f"killed by signal {-code}" if code < 0 else f"exit code {code}"
            return failed(self._part, f"Your code ended the process that checked it ({how}).")


def check_file(file: Path, part: str, mask: str | None = None, seconds: float = MAX_SECONDS) -> Verdict:
    """Runs a file and checks it in a process of its own, whose time and memory are limited."""
    process = CheckProcess(file, part, mask, seconds)
    try:
        while (verdict := process.wait()) is None:
            pass
        return verdict
    except BaseException:  # such as Ctrl-C
        process.end()
        process.wait()
        raise


def as_json(verdict: Verdict) -> str:
    """All fields as one object on one line."""
    return json.dumps(asdict(verdict), allow_nan=False)
