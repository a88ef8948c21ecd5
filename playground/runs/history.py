"""The records of one run in columns: 100,000 steps take a few megabytes; dictionaries would take a hundred."""

import math
from array import array
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from playground.training import with_interval
from playground.training.measure import SINGLE

EVERY_STEP = ("step", *(measure.name for measure in SINGLE if measure.at == "step"))
EVALUATED = ("step", *(measure.name for measure in SINGLE if measure.at == "evaluation"))
_INTEGERS = ("step", *(measure.name for measure in SINGLE if measure.whole))
_DETAILS = tuple(measure.name for measure in SINGLE if measure.detail)

MAX_POINTS = 800
"""Maximum points of a chart line."""


class History:
    """Records of steps and evaluations as columns. Not thread-safe."""

    def __init__(self, records: Iterable[dict[str, Any]] = ()) -> None:
        self._steps = {name: _column(name) for name in EVERY_STEP}
        self._evaluations = {name: _column(name) for name in EVALUATED}
        self.thinned = False  # whether rows are missing
        for record in records:
            self.append(record)

    def append(self, record: dict[str, Any]) -> None:
        """Append a record of `Progress.record`; `Frames` stores what is not a single number."""
        _append(self._steps, record)
        if "exact_match" in record:
            _append(self._evaluations, with_interval(record))

    def cut_after(self, step: int) -> None:
        """Drop the records of later steps."""
        for table in (self._steps, self._evaluations):
            kept = bisect_right(table["step"], step)
            for column in table.values():
                del column[kept:]

    def thin(self, max_rows: int) -> None:
        """Keep at most `max_rows` rows of each table, including the extremes."""
        for table in (self._steps, self._evaluations):
            rows = _extremes(table, tuple(table)[1:], max_rows)
            if len(rows) < len(table["step"]):
                self.thinned = True
                table |= {name: array(column.typecode, [column[row] for row in rows]) for name, column in table.items()}

    @property
    def nbytes(self) -> int:
        """Its size in memory in bytes."""
        columns = (column for table in (self._steps, self._evaluations) for column in table.values())
        return sum(len(column) * column.itemsize for column in columns)

    def __len__(self) -> int:
        return len(self._steps["step"])

    @property
    def steps(self) -> Sequence[int]:
        """All recorded steps in order."""
        return self._steps["step"]

    @property
    def step(self) -> int:
        """The last recorded step; 0 if there is none."""
        return self._steps["step"][-1] if len(self) else 0

    def last(self, step: float = math.inf) -> dict[str, Any]:
        """The newest value of each measure up to `step`."""
        newest: dict[str, Any] = {}
        for table in (self._evaluations, self._steps):
            if row := bisect_right(table["step"], step):
                newest |= _row(table, row - 1)
        return newest

    def largest_evaluation(self, exact_match: float) -> int:
        """The most held-out sequences in an evaluation with at least this exact match."""
        evaluations = zip(self._evaluations["sequences"], self._evaluations["exact_match"], strict=True)
        return max((sequences for sequences, reached in evaluations if reached >= exact_match), default=0)

    def records(self) -> list[dict[str, Any]]:
        """All records as they were appended."""
        evaluations = {step: row for row, step in enumerate(self._evaluations["step"])}
        lines = []
        for row in range(len(self)):
            line = _row(self._steps, row)
            if line["step"] in evaluations:
                line |= _row(self._evaluations, evaluations[line["step"]])
            lines.append(line)
        return lines

    def points(self, names: Iterable[str], max_points: int = MAX_POINTS) -> list[dict[str, Any]]:
        """Step and the named measures, thinned to at most `max_points` rows that include every peak of a measure.

        Includes the first and the newest row. Chosen rows stay while a run grows, until there are too many; then their
        number halves.
        """
        wanted = tuple(names)
        table = self._evaluations if set(wanted) <= set(EVALUATED) else self._steps
        peaks = tuple(name for name in wanted if name not in _DETAILS)
        return [_row(table, row, ("step", *wanted)) for row in _extremes(table, peaks, max_points)]

    def columns(self, names: Iterable[str]) -> dict[str, np.ndarray]:
        """All values of the named measures, which share their steps, and the steps; NaN: not measured."""
        wanted = tuple(names)
        table = self._evaluations if set(wanted) <= set(EVALUATED) else self._steps
        return {name: np.array(table[name]) for name in ("step", *wanted)}


def _column(name: str) -> array:
    return array("i" if name in _INTEGERS else "d")


def _append(table: dict[str, array], record: dict[str, Any]) -> None:
    for name, column in table.items():
        column.append(record.get(name, math.nan))


def _row(table: dict[str, array], row: int, names: Iterable[str] | None = None) -> dict[str, Any]:
    values = {name: table[name][row] for name in (names or table)}
    return {name: v for name, v in values.items() if name in _INTEGERS or not math.isnan(v)}


def _extremes(table: dict[str, array], names: tuple[str, ...], max_rows: int) -> list[int]:
    """At most `max_rows` row numbers: those with the extremes of the named columns in each stretch of equal length."""
    count = len(table["step"])
    if count <= max_rows:
        return list(range(count))
    width = 1
    while width < count and 2 * len(names) * math.ceil(count / width) > max_rows - 2:
        width *= 2  # a power of two, so that a longer table is divided at the same rows
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
