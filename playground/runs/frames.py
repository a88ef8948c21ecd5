"""Evaluations beyond single numbers: grouped measures and predicted tokens."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from playground.tasks import PAD
from playground.training.measure import EXAMPLES, GROUPED, numbers

MAX_FRAMES = 400
"""Maximum frames of a picture over time."""


@dataclass(frozen=True, eq=False)
class Frame:
    """The measurements of one evaluation."""

    values: Mapping[str, np.ndarray]  # by grouped measure: (groups,) float32, NaN where nothing was measured
    predictions: np.ndarray  # (examples, positions) int16, padded with PAD

    @property
    def nbytes(self) -> int:
        """Their size in memory in bytes."""
        return self.predictions.nbytes + sum(values.nbytes for values in self.values.values())


class Frames:
    """Evenly spaced frames and the newest; when there are too many, the spacing doubles. Not thread-safe."""

    def __init__(self, every: int, records: Iterable[Mapping[str, Any]] = (), *, max_frames: int = MAX_FRAMES) -> None:
        """`every` is the number of steps between evaluations."""
        self._every, self._max_frames = every, max_frames
        self._frames: dict[int, Frame] = {}
        for record in records:
            self.append(record)

    def append(self, record: Mapping[str, Any]) -> None:
        """Add the evaluation in a record of `Progress.record`, if it has one."""
        if EXAMPLES not in record:
            return
        self._drop(lambda step: step % self._every == 0)  # the previous newest may not be on the grid
        self._frames[record["step"]] = Frame(
            {
                measure.name: np.array([*numbers(record.get(measure.name, [])).values()], np.float32)  # None is NaN
                for measure in GROUPED
            },
            _table(record[EXAMPLES], PAD).astype(np.int16),
        )
        self.thin(self._max_frames)

    def cut_after(self, step: int) -> None:
        """Drop the frames of later steps."""
        self._drop(lambda kept: kept <= step)

    def thin(self, max_frames: int) -> None:
        """Keep at most `max_frames` frames from now on; 2 or more."""
        self._max_frames, newest = max_frames, max(self._frames, default=0)
        while len(self._frames) > max_frames:
            self._every *= 2
            self._drop(lambda step: step % self._every == 0 or step == newest)

    @property
    def steps(self) -> list[int]:
        """Steps with a frame, in order."""
        return list(self._frames)

    def items(self) -> list[tuple[int, Frame]]:
        """Each step and its frame, in order."""
        return list(self._frames.items())

    @property
    def nbytes(self) -> int:
        """Their size in memory in bytes."""
        return sum(frame.nbytes for frame in self._frames.values())

    def values(self, measure: str) -> np.ndarray:
        """The values of a grouped measure, shape (steps, groups); NaN where nothing was measured."""
        return _table([frame.values[measure] for frame in self._frames.values()], np.nan).astype(np.float32)

    def predictions(self, example: int) -> list[list[int]]:
        """The predicted token ids for one of the shown examples, per step."""
        tables = (frame.predictions for frame in self._frames.values())
        return [tokens[example][tokens[example] != PAD].tolist() if example < len(tokens) else [] for tokens in tables]

    def _drop(self, keep: Callable[[int], bool]) -> None:
        self._frames = {step: frame for step, frame in self._frames.items() if keep(step)}


def _table(rows: Iterable[Any], filler: float) -> np.ndarray:
    """Rows of different lengths as one array, padded with `filler`."""
    given = list(rows)
    table = np.full((len(given), max(map(len, given), default=0)), filler)
    for row, values in zip(table, given, strict=True):
        row[: len(values)] = values
    return table
