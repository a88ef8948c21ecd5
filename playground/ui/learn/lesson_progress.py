"""Which questions of the lessons a visitor has answered: kept in the visitor's folder."""

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
"""By lesson and number of the block, from 0."""


def answers() -> Answers:
    """All answers of this visitor that still belong to a question."""
    found = keys.LESSON_ANSWERS.get()
    if found is None:
        found = _read(_file())
        keys.LESSON_ANSWERS.set(found)
    return found


def given(lesson: Lesson, block: int) -> str | None:
    """The answer to a block's question; None if there is none yet."""
    return answers().get(lesson.name, {}).get(str(block))


def count(lesson: Lesson) -> int:
    """How many of a lesson's questions are answered."""
    return len(answers().get(lesson.name, {}))


def give(lesson: Lesson, block: int, answer: str) -> None:
    """Keeps an answer."""
    answers().setdefault(lesson.name, {})[str(block)] = answer[:_MAX_ANSWER]
    _write()


def forget(lesson: Lesson) -> None:
    """Begins a lesson again."""
    answers().pop(lesson.name, None)
    _write()


def _file() -> Path:
    return state.HOST.private_folder / state.visitor() / "lessons.json"


def _read(path: Path) -> Answers:
    """What the file says that fits today's lessons; nothing where it cannot be read."""
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
    """Writes beside and renames; where the disk refuses, the answers last as long as the session."""
    path = _file()
    beside = path.with_suffix(".new")
    with suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        beside.write_text(json.dumps(answers()))
        beside.replace(path)
