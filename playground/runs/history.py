"""The records of one run in columns: 100,000 steps take a few megabytes, where dictionaries would take a hundred."""

import math
from array import array
from bisect import bisect_right
from collections.abc import Iterable
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


class History:
    """Append-only; not thread-safe by itself."""

    def __init__(self, records: Iterable[dict[str, Any]] = ()) -> None:
        self._steps = {name: array("d") for name in EVERY_STEP}
        self._evaluations = {name: array("d") for name in EVALUATED}
        for record in records:
            self.append(record)

    def append(self, record: dict[str, Any]) -> None:
        """Adds one line as `Progress.record` makes it."""
        _append(self._steps, record)
        if "exact_match" in record:
            _append(self._evaluations, record)

    def cut_after(self, step: int) -> None:
        """Forgets the records of later steps."""
        for table in (self._steps, self._evaluations):
            kept = bisect_right(table["step"], step)
            for column in table.values():
                del column[kept:]

    def __len__(self) -> int:
        return len(self._steps["step"])

    @property
    def step(self) -> int:
        """The last recorded step, 0 before any."""
        return int(self._steps["step"][-1]) if len(self) else 0

    def last(self) -> dict[str, Any]:
        """The newest value of everything that has been measured."""
        newest: dict[str, Any] = {}
        for table in (self._evaluations, self._steps):
            if table["step"]:
                newest |= _row(table, -1)
        return newest

    def records(self) -> list[dict[str, Any]]:
        """Every record again, as it was appended."""
        evaluations = {int(step): row for row, step in enumerate(self._evaluations["step"])}
        lines = []
        for row in range(len(self)):
            line = _row(self._steps, row)
            if line["step"] in evaluations:
                line |= _row(self._evaluations, evaluations[line["step"]])
            lines.append(line)
        return lines

    def points(self, names: Iterable[str], most: int = 400) -> list[dict[str, Any]]:
        """Step and the named measures, thinned evenly to about `most` rows; the newest is always among them."""
        wanted = tuple(names)
        table = self._evaluations if set(wanted) <= set(EVALUATED) else self._steps
        count = len(table["step"])
        stride = max(1, math.ceil(count / most))
        rows = range(count - 1, -1, -stride)
        return [_row(table, row, ("step", *wanted)) for row in reversed(rows)]

    def columns(self, names: Iterable[str]) -> dict[str, np.ndarray]:
        """Every recorded value of the named measures, which are taken at the same steps, with the steps; NaN: none."""
        wanted = tuple(names)
        table = self._evaluations if set(wanted) <= set(EVALUATED) else self._steps
        return {name: np.array(table[name]) for name in ("step", *wanted)}


def _append(table: dict[str, array], record: dict[str, Any]) -> None:
    for name, column in table.items():
        column.append(record.get(name, math.nan))


def _row(table: dict[str, array], row: int, names: Iterable[str] | None = None) -> dict[str, Any]:
    values = {name: table[name][row] for name in (names or table)}
    return {name: int(v) if name in _WHOLE else v for name, v in values.items() if not math.isnan(v)}
