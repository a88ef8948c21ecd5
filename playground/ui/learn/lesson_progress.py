"""A visitor's answers to the lessons' questions, stored in the visitor's folder."""

import json
import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

from playground.common.files import write_whole
from playground.lessons.lesson import Lesson, lessons
from playground.ui.session import identity
from playground.ui.session.services import services
from playground.ui.session.session_keys import Key

LESSON_ANSWERS = Key[Any]("lesson answers", None, "Version of the file of answers, and its answers")

_MAX_BYTES = 20_000
_MAX_ANSWER = 100  # characters

_changing = threading.Lock()  # of any visitor: it takes a moment

Answers = dict[str, dict[str, str]]
"""Answers by lesson and index of the block, from 0."""

Stamp = tuple[int, int, int] | None


def answers() -> Answers:
    """All answers of this visitor whose question still exists, also those given in other tabs."""
    path = _file()
    stamp, known = _stamp(path), LESSON_ANSWERS.get()
    if known is None or known[0] != stamp:
        known = stamp, _read(path)
        LESSON_ANSWERS.set(known)
    return known[1]


def given(lesson: Lesson, block: int) -> str | None:
    """The answer to a block's question, or None."""
    return answers().get(lesson.name, {}).get(str(block))


def count(lesson: Lesson) -> int:
    """Number of a lesson's questions that are answered."""
    return len(answers().get(lesson.name, {}))


def give(lesson: Lesson, block: int, answer: str) -> None:
    """Store an answer."""
    _change(lambda stored: stored.setdefault(lesson.name, {}).update({str(block): answer[:_MAX_ANSWER]}))


def forget(lesson: Lesson) -> None:
    """Delete the answers to a lesson."""
    _change(lambda stored: stored.pop(lesson.name, None))


def _file() -> Path:
    return services().host.private_folder / identity.visitor() / "lessons.json"


def _read(path: Path) -> Answers:
    """Answers in the file that fit the current lessons; empty if it can't be read."""
    stored: Any = None
    with suppress(OSError, ValueError), path.open("rb") as file:
        stored = json.loads(file.read(_MAX_BYTES))
    valid: Answers = {}
    for name, lesson in lessons().items():
        of_lesson = stored.get(name) if isinstance(stored, dict) else None
        for block in lesson.questions:
            answer = of_lesson.get(str(block)) if isinstance(of_lesson, dict) else None
            if isinstance(answer, str):
                valid.setdefault(name, {})[str(block)] = answer[:_MAX_ANSWER]
    return valid


def _change(change: Callable[[Answers], object]) -> None:
    """Change the stored answers.

    If writing the file fails, the change lasts as long as the session, or until another tab changes something.
    """
    path = _file()
    with _changing:
        stored = answers()
        change(stored)
        with suppress(OSError):
            path.parent.mkdir(parents=True, exist_ok=True)
            write_whole(path, json.dumps(stored).encode())
        LESSON_ANSWERS.set((_stamp(path), stored))


def _stamp(path: Path) -> Stamp:
    """Marks of one version of a file: time, inode, size; None if it doesn't exist."""
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_mtime_ns, status.st_ino, status.st_size
