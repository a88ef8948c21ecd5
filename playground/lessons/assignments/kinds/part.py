"""What all kinds of parts have in common: points, a question made from a seed, and marks that are computed."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated, ClassVar, Literal

from pydantic import BaseModel, ConfigDict, Field

from playground.common.errors import PlaygroundError
from playground.lessons.hunts import HINT_COSTS, MAX_POINTS, WRONG_COSTS
from playground.settings.config import RunConfig

Answer = Mapping[str, str]
"""What a student answers: a text for each field, by its name."""

MAX_ANSWER = 20_000
"""Characters of one text of an answer; code is the longest."""

FieldKind = Literal["choice", "number", "run", "code"]


class AssignmentError(PlaygroundError, ValueError):
    """An assignment, an answer or a receipt that cannot be used."""


@dataclass(frozen=True)
class AnswerField:
    """One text that a student gives."""

    name: str
    label: str
    kind: FieldKind
    choices: Mapping[str, str] = field(default_factory=dict)  # of a choice: what a person reads, by value
    help: str = ""


@dataclass(frozen=True)
class Asked:
    """The question of a part for one student. All texts are Markdown by this project, with the student's numbers."""

    text: str
    fields: tuple[AnswerField, ...]
    config: RunConfig | None = None  # of a run that the student trains; see `pitfall`
    pitfall: str = ""  # the mistake in that run, hidden from the student
    checkpoint: str = ""  # a model that comes with the app
    input: str = ""  # for that model
    lesson: str = ""  # whose values have the seed `seed`
    block: int = 0
    seed: int = 0  # of the part


@dataclass(frozen=True)
class Mark:
    """The judgement on one answer."""

    share: float  # of the points, 0 to 1, before hints and wrong answers cost any
    message: str = ""  # what is right and wrong, without the solution
    marked: bool = True  # False: only `grade` can judge it
    ruled_out: tuple[str, ...] = ()  # choices that the message shows to be wrong

    @property
    def right(self) -> bool:
        """True if everything is right."""
        return self.marked and self.share == 1


class BasePart(BaseModel, ABC):
    """A part of an assignment: what a lecturer chooses. Everything else follows from it and a seed."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    title_of_kind: ClassVar[str]
    """What a lecturer chooses from."""
    hints: ClassVar[int] = 0
    """How many hints there are, each closer than the one before."""
    has_material: ClassVar[bool] = False
    """Whether there is something to read besides the question, see `material`."""
    runs_code: ClassVar[bool] = False
    """Whether `judge` runs the student's code. A server for others must not call it."""

    points: Annotated[int, Field(ge=1, le=100, title="Points")] = 10

    @property
    @abstractmethod
    def title(self) -> str:
        """A few words on what is asked."""

    @property
    def trains(self) -> bool:
        """Whether `judge` trains a model, which takes seconds: call it in a process, see `processes.pool`.

        Another processor can train a slightly different model, so two machines may disagree about such an answer.
        """
        return False

    @abstractmethod
    def asked(self, seed: int) -> Asked:
        """The question for this seed."""

    def material(self, seed: int) -> str:
        """Markdown besides the question that takes seconds to compute: call it in a process."""
        return ""

    @abstractmethod
    def judge(self, seed: int, answer: Answer) -> Mark:
        """The mark for an answer, computed. Raises `AssignmentError` for an answer that is incomplete."""

    @abstractmethod
    def solution(self, seed: int) -> Answer:
        """A right answer, for tests; empty for a part that is solved in many ways."""

    def next_hint(self, seed: int, taken: Sequence[int], ruled_out: Sequence[str]) -> int | None:
        """The number of the next hint after those taken, for `hint`; None if none tells anything new.

        `ruled_out` are the choices that marks have shown to be wrong.
        """
        return None

    def hint(self, seed: int, number: int, ruled_out: Sequence[str] = ()) -> str:
        """The hint with a number from `next_hint`, and the choices that were ruled out so far."""
        raise NotImplementedError

    def wrong_costs(self, seed: int) -> int:
        """Tenths of the points that a wrong answer costs."""
        return WRONG_COSTS

    def earned(self, seed: int, share: float, wrong: int, hints: int) -> float:
        """Points for a share that is right, after wrong answers and hints; two decimals."""
        lost = (self.wrong_costs(seed) * wrong + HINT_COSTS * hints) / MAX_POINTS
        return round(self.points * max(0.0, share - lost), 2)


def complete(fields: tuple[AnswerField, ...], answer: Answer) -> dict[str, str]:
    """The answer without spaces around it. Raises `AssignmentError` if a text is missing, unknown or too long."""
    given = {name: text.strip() for name, text in answer.items()}
    if extra := given.keys() - {each.name for each in fields}:
        raise AssignmentError(f"The answer has an unknown field {min(extra)!r:.60}.")
    for each in fields:
        text = given.get(each.name, "")
        if not text:
            raise AssignmentError(f"“{each.label}” is empty.", "Answer it first.")
        if len(text) > MAX_ANSWER:
            raise AssignmentError(f"“{each.label}” has {len(text):,} characters.", f"Use at most {MAX_ANSWER:,}.")
        if each.kind == "choice" and text not in each.choices:
            raise AssignmentError(f"“{each.label}” is none of the choices.", "Choose one of them.")
    return given
