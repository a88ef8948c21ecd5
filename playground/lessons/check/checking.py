"""The way in: check a file in a process of its own, or an object in this one."""

import json
import os
import signal
import subprocess
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Any

from playground.errors import PlaygroundError, one_line
from playground.lessons.check.student_code import EXAMPLES
from playground.lessons.check.verdict import CheckError, Verdict
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
        return check_file(Path(thing), part, mask)
    return verdict_of([thing], part, mask)


def verdict_of(things: list[Any], part: str, mask: Any) -> Verdict:
    """The verdict on the first thing; for masks on all of them. What cannot be checked has the verdict `error`."""
    from playground.lessons.check.checked_masks import check_masks
    from playground.lessons.check.comparing import check_object

    try:
        return check_masks(things, mask) if part == "masks" else check_object(things[0], part, mask)
    except PlaygroundError as error:
        return failed(part, str(error))


def failed(part: str, message: str) -> Verdict:
    """The verdict on what could not be checked."""
    return Verdict(part, "error", None, None, None, message)


def check_file(file: Path, part: str, mask: str | None = None, seconds: float = MAX_SECONDS) -> Verdict:
    """Runs a file and checks it in a process of its own, whose time and memory are limited."""
    words = [sys.executable, "-m", "playground.lessons.check", str(file.absolute()), part, mask or "", str(seconds)]
    paths = os.pathsep.join(filter(None, (str(REPOSITORY), os.environ.get("PYTHONPATH"))))
    try:
        done = subprocess.run(
            words,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            timeout=seconds + START_SECONDS,
            env=os.environ | {"PYTHONPATH": paths},
            check=False,
        )
        code = done.returncode
    except subprocess.TimeoutExpired:
        code = TIMED_OUT
    if code == TIMED_OUT:
        return failed(part, f"The check was stopped after {seconds:g} seconds. Does your code have an endless loop?")
    try:
        return Verdict(**json.loads(done.stdout))
    except (ValueError, TypeError):
        how = f"killed by signal {-code}" if code < 0 else f"exit code {code}"
        return failed(part, f"Your code ended the process that checked it ({how}).")


def as_json(verdict: Verdict) -> str:
    """One object on one line."""
    return json.dumps(asdict(verdict), allow_nan=False)
