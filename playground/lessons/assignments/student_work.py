"""What one student has done of an assignment: answers, wrong answers and hints, part by part."""

import hashlib
from collections.abc import Mapping
from typing import Annotated, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator
from pydantic_core import PydanticCustomError

from playground.common.names import clean_name, skeleton
from playground.common.seeds import seed_of as stream_seed
from playground.lessons.assignments.assignment import Assignment, Line, first_problem
from playground.lessons.assignments.kinds.part import MAX_ANSWER, Answer, AssignmentError, BasePart, Mark

MAX_FIELDS = 12  # of one answer
MAX_COUNT = 1000  # wrong answers to one part
MAX_STUDENT = 80  # characters

Student = Annotated[Line, Field(min_length=1, max_length=MAX_STUDENT, title="Name or number")]
"""Who works: a name or a number, from which the seed follows."""


class Attempt(BaseModel):
    """What was done for one part."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True, allow_inf_nan=False)

    answer: Annotated[
        Mapping[Annotated[str, Field(max_length=40)], Annotated[str, Field(max_length=MAX_ANSWER)]],
        Field(max_length=MAX_FIELDS),
    ] = Field(default_factory=dict)
    """The last answer; empty before the first."""
    wrong: Annotated[int, Field(ge=0, le=MAX_COUNT)] = 0
    hinted: Annotated[tuple[Annotated[int, Field(ge=0, le=MAX_COUNT)], ...], Field(max_length=20)] = ()
    """Numbers of the hints taken, as `BasePart.next_hint` gives them."""
    ruled_out: Annotated[tuple[Annotated[str, Field(max_length=MAX_ANSWER)], ...], Field(max_length=100)] = ()
    """Choices that marks have shown to be wrong, in this order."""
    share: Annotated[float, Field(ge=0, le=1)] = 0.0
    """Of the answer that is right."""
    marked: bool = True
    """False if only `grade` can judge the answer."""

    @property
    def hints(self) -> int:
        """How many hints were taken."""
        return len(self.hinted)


class Work(BaseModel):
    """All of a student's attempts; as JSON it is the file that keeps partial work. Methods return a changed copy."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    assignment: Assignment
    student: Student
    attempts: tuple[Attempt, ...]

    @model_validator(mode="after")
    def _as_many(self) -> Self:
        if len(self.attempts) != len(self.assignment.parts):
            raise PydanticCustomError("parts", "There is not one attempt for each part.")
        return self

    @classmethod
    def begin(cls, assignment: Assignment, student: str) -> Self:
        """No answers yet. Raises `AssignmentError` for a name that is empty or too long."""
        try:
            return cls(assignment=assignment, student=student, attempts=(Attempt(),) * len(assignment.parts))
        except ValidationError as error:
            raise AssignmentError(
                f"This name or number can't be used: {first_problem(error)}", f"Use 1 to {MAX_STUDENT} characters."
            ) from None

    @property
    def seed(self) -> int:
        """The student's own seed."""
        return seed_of(self.assignment, self.student)

    def seed_of_part(self, index: int) -> int:
        """The seed of a part, counted from 0."""
        return part_seed(self.seed, index)

    def is_closed(self, index: int) -> bool:
        """Whether a part takes no more answers: it is right, or all tries are used."""
        attempt, tries = self.attempts[index], self.assignment.tries
        return (attempt.marked and attempt.share == 1) or bool(tries and attempt.wrong >= tries)

    def answered(self, index: int, answer: Answer, mark: Mark) -> Self:
        """With an answer and its mark, which the part's `judge` has computed; closed parts stay as they are.

        The same answer given again costs nothing.
        """
        attempt = self.attempts[index]
        if self.is_closed(index) or (attempt.answer == dict(answer) and attempt.marked == mark.marked):
            return self
        wrong = min(MAX_COUNT, attempt.wrong + (mark.marked and not mark.right))
        changes = {"answer": dict(answer), "wrong": wrong, "share": mark.share, "marked": mark.marked}
        ruled_out = tuple(dict.fromkeys((*attempt.ruled_out, *mark.ruled_out)))
        return self._with(index, attempt, changes | {"ruled_out": ruled_out})

    def next_hint(self, index: int) -> int | None:
        """The number of the next hint to a part; None if it is closed, or no hint tells anything new."""
        attempt, part = self.attempts[index], self.assignment.parts[index]
        if self.is_closed(index):
            return None
        return part.next_hint(self.seed_of_part(index), attempt.hinted, attempt.ruled_out)

    def with_hint(self, index: int) -> Self:
        """With one more hint to a part, if there is one, see `next_hint`."""
        attempt, number = self.attempts[index], self.next_hint(index)
        return self if number is None else self._with(index, attempt, {"hinted": (*attempt.hinted, number)})

    def points_of(self, index: int) -> float:
        """Points for a part so far."""
        return points_of(self.assignment.parts[index], self.seed_of_part(index), self.attempts[index])

    @property
    def points(self) -> float:
        """All points so far."""
        return round(sum(map(self.points_of, range(len(self.attempts)))), 2)

    def _with(self, index: int, attempt: Attempt, changes: dict[str, object]) -> Self:
        attempts = list(self.attempts)
        attempts[index] = Attempt.model_validate(attempt.model_dump() | changes)
        return self.model_copy(update={"attempts": tuple(attempts)})


def seed_of(assignment: Assignment, student: str) -> int:
    """A seed of 31 bits for a student; case, spaces and full-width characters don't change it."""
    text = f"{assignment.id}\n{skeleton(clean_name(student))}"
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:4]) >> 1


def part_seed(seed: int, index: int) -> int:
    """The seed of a part, counted from 0, from the student's; 31 bits."""
    return stream_seed(seed, f"part {index}") >> 1


def points_of(part: BasePart, seed: int, attempt: Attempt) -> float:
    """Points for an attempt; none while it isn't marked."""
    return part.earned(seed, attempt.share, attempt.wrong, attempt.hints) if attempt.marked else 0.0
