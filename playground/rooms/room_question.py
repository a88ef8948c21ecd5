"""A question to a room, its answers, and their counts."""

import json
from collections import Counter
from collections.abc import Collection, Iterable
from typing import Annotated, Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, ValidationError, model_validator

from playground.common.errors import PlaygroundError

MAX_CHOICES, MAX_SECONDS = 5, 600
MAX_TEXT, MAX_CHOICE = 200, 40
"""Characters."""
MAX_TEXTS = 340
"""Bytes of all texts of a question together as JSON, so that a room's whole state fits into 1 kB."""

BINS = 8
"""Of a histogram of numbers, and along each axis of points."""
MAX_LISTED = 8
"""Cells or points listed in a result, those with most answers first."""

QuestionKind = Literal["choice", "number", "cell", "point"]
Vote = int | float | tuple[float, ...] | None
"""Index of a choice from 0, a number, the indices of a cell, a point (x, y); None: the seat passes."""

Phrase = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1)]


class RoomError(PlaygroundError):
    """A request that a room refuses. `status` is that of the HTTP response."""

    def __init__(self, status: int, problem: str, advice: str = "") -> None:
        super().__init__(problem, advice)
        self.status = status


class RoomQuestion(BaseModel):
    """A question as the host asks it."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    kind: QuestionKind
    text: Annotated[Phrase, Field(max_length=MAX_TEXT)]
    choices: Annotated[tuple[Annotated[Phrase, Field(max_length=MAX_CHOICE)], ...], Field(max_length=MAX_CHOICES)] = ()
    shape: Annotated[tuple[Annotated[int, Field(ge=1, le=4096)], ...], Field(max_length=3)] = ()
    """Of the tensor in which a cell is picked: (rows, columns) or (heads, rows, columns)."""
    seconds: Annotated[int, Field(ge=0, le=MAX_SECONDS)] = 0
    """Until the question closes; 0: the host closes it."""
    of: Annotated[dict[str, str | int], Field(max_length=6)] = {}
    """Where the true value comes from: a lesson's block, a cell of a pass, a step of a run."""
    truth: Annotated[str, Field(max_length=MAX_CHOICE)] = ""
    """The true value as text; hidden until Reveal."""
    why: Annotated[str, Field(max_length=MAX_TEXT)] = ""
    """Shown with the true value."""

    @model_validator(mode="after")
    def _fits(self) -> Self:
        if (self.kind == "choice") != (len(self.choices) >= 2):
            raise ValueError(f"a question with choices has 2 to {MAX_CHOICES} of them, and other questions none")
        if len(set(self.choices)) < len(self.choices):
            raise ValueError("two choices are the same")
        if size_of(self.text, *self.choices, self.truth, self.why) > MAX_TEXTS:
            raise ValueError(f"all its texts together may have {MAX_TEXTS} bytes")
        if (self.kind == "cell") != (len(self.shape) >= 2):
            raise ValueError("a question for a cell has the shape of its tensor, and other questions none")
        return self

    @classmethod
    def of_request(cls, fields: Any) -> Self:
        """Raises `RoomError` with a sentence that names the field."""
        try:
            return cls.model_validate(fields)
        except ValidationError as error:
            first = error.errors(include_url=False)[0]
            where = "".join(f"{part}: " for part in first["loc"])
            why = first["msg"].removeprefix("Value error, ")
            raise RoomError(422, f"This question isn't allowed: {where}{why}.") from None

    def answer(self, given: Any) -> Vote:
        """The answer that a client sent. Raises `RoomError`."""
        if given is None:
            return None
        numbers = given if isinstance(given, list) else [given]
        if not all(type(number) in (int, float) and abs(number) <= 1e12 for number in numbers):
            raise RoomError(422, f"An answer to this question is {self.expects}.")
        whole = all(number == int(number) for number in numbers)
        if isinstance(given, list):
            if self.kind == "point" and len(given) == 2:
                return tuple(map(float, given))
            inside = whole and len(given) == len(self.shape)
            if self.kind == "cell" and inside and all(0 <= at < size for at, size in zip(given, self.shape)):
                return tuple(map(int, given))
        elif self.kind == "number":
            return float(given)
        elif self.kind == "choice" and whole and 0 <= given < len(self.choices):
            return int(given)
        raise RoomError(422, f"An answer to this question is {self.expects}.")

    @property
    def expects(self) -> str:
        """What an answer looks like."""
        if self.kind == "choice":
            return f"the index of a choice, 0 to {len(self.choices) - 1}, or null to pass"
        if self.kind == "cell":
            return f"a list of {len(self.shape)} indices below {list(self.shape)}, or null to pass"
        return "a finite number, or null to pass" if self.kind == "number" else "a list [x, y], or null to pass"


def size_of(*texts: str) -> int:
    """Bytes of these texts in JSON."""
    return sum(len(json.dumps(text, ensure_ascii=False).encode()) - 2 for text in texts)


def result(question: RoomQuestion, answers: Collection[Vote]) -> dict[str, Any]:
    """Counts of answers without names.

    `choices`: a count for each; `values`: [number, count] of a few different numbers, in order, or `numbers`: [low,
    high, counts of bins of equal width]; `positions`: [indices, count] of the cells or points with most answers;
    `passed`: seats that passed.
    """
    given = [answer for answer in answers if answer is not None]
    counts: dict[str, Any] = {"passed": len(answers) - len(given)}
    if question.kind == "choice":
        by_choice = Counter(given)
        return counts | {"choices": [by_choice[index] for index in range(len(question.choices))]}
    if question.kind == "number":
        numbers = [number for number in given if isinstance(number, float)]
        if len(set(numbers)) <= BINS:
            return counts | {"values": [list(item) for item in sorted(Counter(numbers).items())]}
        return counts | {"numbers": _bins(numbers)}
    positions = Counter(_rounded(given) if question.kind == "point" else given).most_common(MAX_LISTED)
    return counts | {"positions": [[list(at), count] for at, count in positions if isinstance(at, tuple)]}


def _bins(numbers: list[float]) -> list[Any]:
    low, high = min(numbers), max(numbers)
    counts = [0] * BINS
    for number in numbers:
        counts[min(BINS - 1, int(BINS * (number - low) / (high - low)))] += 1
    return [low, high, counts]


def _rounded(points: Iterable[Any]) -> list[tuple[float, float]]:
    """Points at the centres of a grid of `BINS` by `BINS` over all of them."""
    points = list(points)
    axes = [[point[axis] for point in points] for axis in (0, 1)]
    steps = [((max(axis) - min(axis)) / BINS, min(axis)) if axis else (0.0, 0.0) for axis in axes]

    def centre(value: float, axis: int) -> float:
        step, low = steps[axis]
        return float(f"{low + step * (min(BINS - 1, int((value - low) / step)) + 0.5):.4g}") if step else value

    return [(centre(x, 0), centre(y, 1)) for x, y in points]
