"""The records of one run in columns: 100,000 steps take a few megabytes, where dictionaries would take a hundred."""

import math
from array import array
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

EVERY_STEP = ("step", "loss", "learning_rate", "gradient_norm", "seconds")
EVALUATED = (
    "step",
    "validation_loss",
    "exact_match",
    "token_accuracy",
    "teacher_forced_exact_match",
    "teacher_forced_token_accuracy",
    "sequences",
)
_WHOLE = ("step", "sequences")

MAX_POINTS = 800
"""As many as a chart can show apart."""


class History:
    """Append-only; not thread-safe by itself."""

    def __init__(self, records: Iterable[dict[str, Any]] = ()) -> None:
        self._steps = {name: _column(name) for name in EVERY_STEP}
        self._evaluations = {name: _column(name) for name in EVALUATED}
        self.thinned = False  # whether rows are missing
        for record in records:
            self.append(record)

    def append(self, record: dict[str, Any]) -> None:
        """Adds one line as `Progress.record` makes it; what is no single number belongs to `Frames`."""
        _append(self._steps, record)
        if "exact_match" in record:
            _append(self._evaluations, record)

    def cut_after(self, step: int) -> None:
        """Forgets the records of later steps."""
        for table in (self._steps, self._evaluations):
            kept = bisect_right(table["step"], step)
            for column in table.values():
                del column[kept:]

    def thin(self, most: int) -> None:
        """Leaves at most so many rows of each table, the extreme ones among them."""
        for table in (self._steps, self._evaluations):
            rows = _telling(table, tuple(table)[1:], most)
            if len(rows) < len(table["step"]):
                self.thinned = True
                table |= {name: array(column.typecode, [column[row] for row in rows]) for name, column in table.items()}

    @property
    def nbytes(self) -> int:
        """What it takes in memory."""
        columns = (column for table in (self._steps, self._evaluations) for column in table.values())
        return sum(len(column) * column.itemsize for column in columns)

    def __len__(self) -> int:
        return len(self._steps["step"])

    @property
    def steps(self) -> Sequence[int]:
        """Every recorded step, in order."""
        return self._steps["step"]

    @property
    def step(self) -> int:
        """The last recorded step, 0 before any."""
        return self._steps["step"][-1] if len(self) else 0

    def last(self, step: float = math.inf) -> dict[str, Any]:
        """The newest value of everything that has been measured until `step`."""
        newest: dict[str, Any] = {}
        for table in (self._evaluations, self._steps):
            if row := bisect_right(table["step"], step):
                newest |= _row(table, row - 1)
        return newest

    def most_tested(self, exact_match: float) -> int:
        """The most held-out sequences of which a test found at least this share right."""
        tests = zip(self._evaluations["sequences"], self._evaluations["exact_match"], strict=True)
        return max((sequences for sequences, right in tests if right >= exact_match), default=0)

    def records(self) -> list[dict[str, Any]]:
        """Every record again, as it was appended."""
        evaluations = {step: row for row, step in enumerate(self._evaluations["step"])}
        lines = []
        for row in range(len(self)):
            line = _row(self._steps, row)
            if line["step"] in evaluations:
                line |= _row(self._evaluations, evaluations[line["step"]])
            lines.append(line)
        return lines

    def points(self, names: Iterable[str], most: int = MAX_POINTS) -> list[dict[str, Any]]:
        """Step and the named measures, thinned to at most `most` rows in which no peak is missing.

        The first and the newest are always among them. Rows once chosen stay while a run grows, until there are too
        many and their number halves.
        """
        wanted = tuple(names)
        table = self._evaluations if set(wanted) <= set(EVALUATED) else self._steps
        return [_row(table, row, ("step", *wanted)) for row in _telling(table, wanted, most)]

    def columns(self, names: Iterable[str]) -> dict[str, np.ndarray]:
        """Every value there is of the named measures, which are taken at the same steps, with the steps; NaN: none."""
        wanted = tuple(names)
        table = self._evaluations if set(wanted) <= set(EVALUATED) else self._steps
        return {name: np.array(table[name]) for name in ("step", *wanted)}


def _column(name: str) -> array:
    return array("i" if name in _WHOLE else "d")


def _append(table: dict[str, array], record: dict[str, Any]) -> None:
    for name, column in table.items():
        column.append(record.get(name, math.nan))


def _row(table: dict[str, array], row: int, names: Iterable[str] | None = None) -> dict[str, Any]:
    values = {name: table[name][row] for name in (names or table)}
    return {name: v for name, v in values.items() if name in _WHOLE or not math.isnan(v)}


def _telling(table: dict[str, array], names: tuple[str, ...], most: int) -> list[int]:
    """Rows that show how the named columns go: of each stretch of equal length those with the extremes."""
    count = len(table["step"])
    if count <= most:
        return list(range(count))
    width = 1
    while width < count and 2 * len(names) * math.ceil(count / width) > most - 2:
        width *= 2  # so that a longer table is cut at the same rows
    rows = {0, count - 1}
    begins = np.arange(0, count, width)
    for name in names:
        column = np.full(len(begins) * width, np.nan)
        column[:count] = table[name]
        stretches = column.reshape(len(begins), width)
        lowest = np.where(np.isnan(stretches), np.inf, stretches).argmin(1)
        highest = np.where(np.isnan(stretches), -np.inf, stretches).argmax(1)
        rows |= set((begins + lowest).tolist()) | set((begins + highest).tolist())
    return sorted(row for row in rows if row < count)
