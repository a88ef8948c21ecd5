"""What a run was like at its evaluated steps, beyond single numbers: place by place, head by head, token by token."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from playground.tasks import PAD

MAX_FRAMES = 400
"""As many as a picture over time can show apart."""

MEASURES = ("position_accuracy", "attention_entropy", "predictions")
"""Keys of a record that are no single numbers."""


@dataclass(frozen=True, eq=False)
class Frame:
    """What was measured at one evaluated step."""

    accuracy: np.ndarray  # (places,) float32, NaN where nothing was tested
    entropy: np.ndarray  # float32, the heads of all attentions in a row
    predictions: np.ndarray  # (examples, longest) int16, padded with PAD

    @property
    def nbytes(self) -> int:
        return self.accuracy.nbytes + self.entropy.nbytes + self.predictions.nbytes


class Frames:
    """Frames at even distances, and the newest; when there are too many, the distance doubles. Not thread-safe."""

    def __init__(self, every: int, records: Iterable[Mapping[str, Any]] = (), *, most: int = MAX_FRAMES) -> None:
        """`every` is the distance of two evaluations in steps."""
        self._every, self._most = every, most
        self._frames: dict[int, Frame] = {}
        self._heads: dict[str, int] = {}  # tap -> number of heads
        for record in records:
            self.append(record)

    def append(self, record: Mapping[str, Any]) -> None:
        """Adds what a record of `Progress.record` holds of an evaluation, if it holds one."""
        if "predictions" not in record:
            return
        entropy = record["attention_entropy"]
        self._heads = {tap: len(heads) for tap, heads in entropy.items()}
        self._drop(lambda step: step % self._every == 0)  # the newest until now may have been kept only as that
        self._frames[record["step"]] = Frame(
            np.array(record["position_accuracy"], dtype=np.float32),  # None becomes NaN
            np.array([head for heads in entropy.values() for head in heads], dtype=np.float32),
            _table(record["predictions"], PAD).astype(np.int16),
        )
        self.thin(self._most)

    def cut_after(self, step: int) -> None:
        """Forgets later frames."""
        self._drop(lambda kept: kept <= step)

    def thin(self, most: int) -> None:
        """Leaves room for so many frames, two at least, from now on."""
        self._most, newest = most, max(self._frames, default=0)
        while len(self._frames) > most:
            self._every *= 2
            self._drop(lambda step: step % self._every == 0 or step == newest)

    @property
    def steps(self) -> list[int]:
        """Steps of which there is a frame, in order."""
        return list(self._frames)

    def items(self) -> list[tuple[int, Frame]]:
        """Each step and its frame, in order."""
        return list(self._frames.items())

    @property
    def heads(self) -> dict[str, int]:
        """Tap -> number of heads, in the order of `Frame.entropy`; empty before any frame."""
        return dict(self._heads)

    @property
    def nbytes(self) -> int:
        """What they take in memory."""
        return sum(frame.nbytes for frame in self._frames.values())

    def position_accuracy(self) -> np.ndarray:
        """(steps, places) share of tested answers that are right at a place; NaN where none has it."""
        return _table([frame.accuracy for frame in self._frames.values()], np.nan).astype(np.float32)

    def attention_entropy(self) -> dict[str, np.ndarray]:
        """Tap -> (steps, heads) mean entropy in bits."""
        rows = _table([frame.entropy for frame in self._frames.values()], np.nan).astype(np.float32)
        ends = np.cumsum([0, *self._heads.values()])
        return {tap: rows[:, ends[at] : ends[at + 1]] for at, tap in enumerate(self._heads)}

    def predictions(self, example: int) -> list[list[int]]:
        """What was said to one of the shown examples at each step, as token ids."""
        said = (frame.predictions for frame in self._frames.values())
        return [tokens[example][tokens[example] != PAD].tolist() if example < len(tokens) else [] for tokens in said]

    def _drop(self, keep: Callable[[int], bool]) -> None:
        self._frames = {step: frame for step, frame in self._frames.items() if keep(step)}


def _table(rows: Iterable[Any], filler: float) -> np.ndarray:
    """Rows of different lengths as one array, filled up at their ends."""
    given = list(rows)
    table = np.full((len(given), max(map(len, given), default=0)), filler)
    for row, values in zip(table, given, strict=True):
        row[: len(values)] = values
    return table
