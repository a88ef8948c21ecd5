"""dates: a date as people write it -> the same date in ISO 8601, character by character."""

import re
from collections.abc import Iterable, Sequence
from datetime import date, timedelta
from functools import cached_property
from typing import TYPE_CHECKING, ClassVar

from playground.tasks.task import SPACE, Task, TaskPreset
from playground.tasks.tokens import PAD, SPECIALS

if TYPE_CHECKING:
    from torch import Generator, Tensor

DATE_FORMATS = (
    "{d} {mon} {yyyy}",
    "{Mon} {d}, {yyyy}",
    "{m}/{d}/{yy}",
    "{d} {Month} {yyyy}",
    "{Month} {d}, {yyyy}",
    "{mm}/{dd}/{yyyy}",
    "{dd}.{mm}.{yyyy}",
    "{d}.{m}.{yy}",
    "{yyyy}/{mm}/{dd}",
    "{dd}-{Mon}-{yyyy}",
    "{yyyy}{mm}{dd}",
    "{yyyy}-{mm}-{dd}",
)
"""How people write dates: with slashes and the year last, the month comes first, as in the USA; with dots, the day."""

MONTHS = (
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
)
FIRST, LAST = date(1969, 1, 1), date(2068, 12, 31)
"""The hundred years in which two digits are enough, as in POSIX and Python: 69 is 1969 and 68 is 2068."""

_DAYS = (LAST - FIRST).days + 1
_SHORT = tuple(month[:3] for month in MONTHS)
_PATTERNS = {
    "d": r"[1-9]\d?",
    "dd": r"\d\d",
    "m": r"[1-9]\d?",
    "mm": r"\d\d",
    "mon": "|".join(_SHORT).lower(),
    "Mon": "|".join(_SHORT),
    "Month": "|".join(MONTHS),
    "yy": r"\d\d",
    "yyyy": r"\d{4}",
}
_READERS = tuple(
    re.compile(
        re.sub(r"\\{(\w+)\\}", lambda field: f"(?P<{field[1]}>{_PATTERNS[field[1]]})", re.escape(format)), re.ASCII
    )
    for format in DATE_FORMATS
)


class Dates(Task):
    """Write a date in ISO 8601: Nov 21, 2026 -> 2026-11-21.

    The task of many tutorials on attention: each character of the answer is copied or looked up from a few characters
    of the input, whose positions depend on the format.
    """

    name = "dates"
    goal = "write dates in ISO 8601"
    answers_in_place = False
    spaced = False
    uses: ClassVar = {"held_out": ""}
    lengths = "6 to 18 characters"
    inputs = f"dates from {FIRST.year} to {LAST.year} in {len(DATE_FORMATS)} formats"
    alphabet = "letters, digits and signs as in 21 nov 2026"
    typing = "A date, for example 21 nov 2026, November 21, 2026 or 11/21/26."
    min_source_length = 6
    max_source_length = 18
    max_answer_length = 10
    preset = TaskPreset(
        "dates",
        "Dates",
        f"Learns to write dates in ISO 8601, from {len(DATE_FORMATS)} formats.",
        600,
        {
            "training.batch_size": 64,
            "training.learning_rate": 3e-3,
            "training.schedule": "cosine",
            "training.steps": 1000,
            "training.eval_every": 20,
        },
    )

    @cached_property
    def symbols(self) -> tuple[str, ...]:
        letters = {letter for month in MONTHS for letter in month + month[0].lower()}
        return (*"0123456789", SPACE, *",-./", *sorted(letters))

    def count_sources(self) -> int:
        may = sum(day.month == 5 for day in _every_day())  # its short name is its name
        return len(DATE_FORMATS) * _DAYS - may

    def every_source(self) -> Iterable[tuple[int, ...]]:
        texts = dict.fromkeys(written(day, format) for format in DATE_FORMATS for day in _every_day())
        return (tuple(self._ids(text)) for text in texts)

    def sample(self, generator: "Generator", count: int) -> "Tensor":
        """(count, S) with format and day uniform."""
        import torch

        days = torch.randint(_DAYS, (count,), generator=generator).tolist()
        formats = torch.randint(len(DATE_FORMATS), (count,), generator=generator).tolist()
        rows = [self._ids(written(_day(day), DATE_FORMATS[chosen])) for day, chosen in zip(days, formats, strict=True)]
        return torch.tensor([row + [PAD] * (self.max_source_length - len(row)) for row in rows])

    def answers(self, source: "Tensor") -> "Tensor":
        """(B, 10); all PAD for a source that is no date."""
        import torch

        days = [self._read(row) for row in source.tolist()]
        return torch.tensor([self._ids(day.isoformat()) if day else [PAD] * self.max_answer_length for day in days])

    def format(self, source: "Tensor") -> list[str]:
        """The format in which each of (N, S) sources is written: "mon d yyyy"."""
        found = []
        for row in source.tolist():
            readers = zip(DATE_FORMATS, _READERS, strict=True)
            found.append(next((form for form, reader in readers if reader.fullmatch(self._typed(row))), "none"))
        return found

    splits: ClassVar = {"format": format}

    def problem(self, source: Sequence[int]) -> str:
        day, name = self._read(source), self.text([self.symbols[token - len(SPECIALS)] for token in source])
        if day and FIRST <= day <= LAST:
            return ""
        if day:
            return f"“{name}” is not between {FIRST} and {LAST}."
        shown = ", ".join(f"“{written(date(2026, 11, 21), format)}”" for format in DATE_FORMATS)
        return f"“{name}” is not a date that this task reads. Write it like one of these: {shown}."

    def example(self, length: int = 11) -> str:
        """The date in the format whose length is nearest."""
        texts = (written(date(2026, 11 if length < 18 else 9, 21), format) for format in DATE_FORMATS)
        return min(texts, key=lambda text: abs(len(text) - length))

    def _read(self, source: Sequence[int]) -> date | None:
        return read(self._typed(source))

    def _typed(self, source: Sequence[int]) -> str:
        signs = (self.symbols[token - len(SPECIALS)] for token in source if token >= len(SPECIALS))
        return "".join(signs).replace(SPACE, " ")

    def _ids(self, text: str) -> list[int]:
        return [self._id[sign] for sign in text.replace(" ", SPACE)]

    @cached_property
    def _id(self) -> dict[str, int]:
        return {sign: token for token, sign in enumerate(self.symbols, start=len(SPECIALS))}


def written(day: date, form: str) -> str:
    """A day in one of `DATE_FORMATS`."""
    d, m, yyyy, month = day.day, day.month, f"{day.year}", MONTHS[day.month - 1]
    short = {"mon": month[:3].lower(), "Mon": month[:3], "Month": month, "yy": yyyy[2:], "yyyy": yyyy}
    return form.format(d=d, dd=f"{d:02}", m=m, mm=f"{m:02}", **short)


def read(text: str) -> date | None:
    """The day of a text in one of `DATE_FORMATS`, None for any other text."""
    for reader in _READERS:
        if match := reader.fullmatch(text):
            return _date(match.groupdict())
    return None


def _date(parts: dict[str, str]) -> date | None:
    month = parts.get("Month") or parts.get("Mon") or parts.get("mon")
    m = _SHORT.index(month[:3].capitalize()) + 1 if month else int(parts.get("mm") or parts["m"])
    year = int(parts.get("yyyy") or parts["yy"])
    if "yy" in parts:
        year += 1900 if year >= FIRST.year % 100 else 2000
    try:
        return date(year, m, int(parts.get("dd") or parts["d"]))
    except ValueError:  # such as February 30
        return None


def _day(index: int) -> date:
    return FIRST + timedelta(days=index)


def _every_day() -> Iterable[date]:
    return map(_day, range(_DAYS))
