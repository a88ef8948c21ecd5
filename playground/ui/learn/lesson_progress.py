"""A visitor's answers to the lessons' questions, stored in the visitor's folder."""

import json
from contextlib import suppress
from pathlib import Path
from typing import Any

from playground.lessons.lesson import Lesson, lessons
from playground.ui.session import session_keys as keys
from playground.ui.session import state

_MAX_BYTES = 20_000
_MAX_ANSWER = 100  # characters

Answers = dict[str, dict[str, str]]
"""Answers by lesson and index of the block, from 0."""


def answers() -> Answers:
    """All answers of this visitor whose question still exists."""
    found = keys.LESSON_ANSWERS.get()
    if found is None:
        found = _read(_file())
        keys.LESSON_ANSWERS.set(found)
    return found


def given(lesson: Lesson, block: int) -> str | None:
    """The answer to a block's question, or None."""
    return answers().get(lesson.name, {}).get(str(block))


def count(lesson: Lesson) -> int:
    """Number of a lesson's questions that are answered."""
    return len(answers().get(lesson.name, {}))


def give(lesson: Lesson, block: int, answer: str) -> None:
    """Store an answer."""
    answers().setdefault(lesson.name, {})[str(block)] = answer[:_MAX_ANSWER]
    _write()


def forget(lesson: Lesson) -> None:
    """Delete the answers to a lesson."""
    answers().pop(lesson.name, None)
    _write()


def _file() -> Path:
    return state.HOST.private_folder / state.visitor() / "lessons.json"


def _read(path: Path) -> Answers:
    """Answers in the file that fit the current lessons; empty if it can't be read."""
    stored: Any = None
    with suppress(OSError, ValueError), path.open("rb") as file:
        stored = json.loads(file.read(_MAX_BYTES))
    found: Answers = {}
    for name, lesson in lessons().items():
        of_lesson = stored.get(name) if isinstance(stored, dict) else None
        for block in lesson.questions:
            answer = of_lesson.get(str(block)) if isinstance(of_lesson, dict) else None
            if isinstance(answer, str):
                found.setdefault(name, {})[str(block)] = answer[:_MAX_ANSWER]
    return found


def _write() -> None:
    """Write a temporary file and rename it; if that fails, answers last as long as the session."""
    path = _file()
    beside = path.with_suffix(".new")
    with suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        beside.write_text(json.dumps(answers()), "utf-8")
        beside.replace(path)
