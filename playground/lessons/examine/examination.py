"""What a learner's tests catch, as a table and as JSON."""

import json
from dataclasses import asdict, dataclass
from typing import Any

from pydantic import TypeAdapter

from playground.common.numbers import counted
from playground.lessons.mistakes.table import EXAMINED
from playground.recording.notebook_cells import in_words


@dataclass(frozen=True)
class Result:
    """The result of one test."""

    name: str
    line: int
    part: str | None = None  # that it asks for
    catches: tuple[str, ...] = ()
    misses: tuple[str, ...] = ()  # mistakes that can be made in this part and that it accepts
    false_alarm: str = ""  # a sentence if it refuses right code: then it catches nothing
    error: str = ""  # a sentence if it can't be run
    error_line: int | None = None
    cell: int = 0  # of a notebook, from 1, in which `line` is counted

    @property
    def says(self) -> str:
        """The result in words."""
        if self.false_alarm:
            return f"accuses right code, so it catches nothing. {self.false_alarm}"
        if self.error:
            return f"error. {self.error}"
        return f"catches {', '.join(self.catches)}" if self.catches else "catches nothing"


@dataclass(frozen=True)
class Examination:
    """The results of all tests of a file; printed, it is a table."""

    tests: tuple[Result, ...] = ()
    error: str = ""  # a sentence if the file can't be run
    error_line: int | None = None

    @property
    def caught(self) -> list[str]:
        """The mistakes that at least one test catches."""
        return [name for name in EXAMINED if any(name in test.catches for test in self.tests)]

    @property
    def missed(self) -> list[str]:
        """The others."""
        caught = self.caught
        return [name for name in EXAMINED if name not in caught]

    @property
    def is_complete(self) -> bool:
        """True if all mistakes are caught, no right code is accused, and every test runs."""
        return not self.error and not self.missed and not any(test.false_alarm or test.error for test in self.tests)

    @property
    def summary(self) -> str:
        """What is caught, and what is wrong with the tests, in sentences; false alarms first."""
        alarms = sum(bool(test.false_alarm) for test in self.tests)
        errors = sum(bool(test.error) for test in self.tests)
        sentences = [f"{counted(alarms, 'test')} accused right code."] if alarms else []
        sentences.append(f"{len(self.caught)} of {len(EXAMINED)} mistakes caught.")
        if errors:
            sentences.append(f"{counted(errors, 'test')} raised an error.")
        return " ".join(sentences)

    def __str__(self) -> str:
        if self.error:
            return self.error
        ordered = sorted(self.tests, key=lambda test: (not test.false_alarm, not test.error))
        named = [(f"{test.name} ({in_words(test.cell, test.line)})", test.says) for test in ordered]
        width = max(len(name) for name, _ in named)
        lines = [f"{name:{width}}  {says}" for name, says in named]
        lines += ["", self.summary]
        if self.missed:
            lines += ["", "Not caught:"]
        for name in self.missed:
            mistake = EXAMINED[name]
            lines.append(f"  {mistake.title} ({name}). Test this: {mistake.hint}")
            lines.append(f"    Lesson: {mistake.lesson.title} ({mistake.lesson.address})")
        return "\n".join(lines)

    def __repr__(self) -> str:
        return str(self)


def as_object(result: Examination) -> dict[str, Any]:
    """For scripts: what is caught, what is not with its hint and lesson, and every test."""
    missed = [
        {"name": name, "title": EXAMINED[name].title, "hint": EXAMINED[name].hint, "lesson": EXAMINED[name].about}
        for name in result.missed
    ]
    tests = [asdict(test) for test in result.tests]
    error = {"error": result.error or None, "error_line": result.error_line}
    return {"caught": result.caught, "missed": missed, "tests": tests, **error}


def as_json(result: Examination) -> str:
    """All fields on one line."""
    return json.dumps(asdict(result), allow_nan=False)


def from_json(text: bytes) -> Examination:
    """What `as_json` has written; raises ValueError."""
    return _EXAMINATION.validate_json(text)


_EXAMINATION = TypeAdapter(Examination)
