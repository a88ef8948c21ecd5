"""A question of a lesson, computed from the student's own numbers."""

import copy
import math
from collections.abc import Mapping, Sequence
from functools import lru_cache
from random import Random
from typing import Annotated, ClassVar, Literal, Self

from pydantic import Field, model_validator
from pydantic_core import PydanticCustomError

from playground.lessons.assignments.kinds.part import (
    Answer,
    AnswerField,
    Asked,
    AssignmentError,
    BasePart,
    Mark,
    complete,
)
from playground.lessons.exercise import ExerciseRun
from playground.lessons.hunts import MAX_POINTS, WRONG_COSTS
from playground.lessons.lesson import Block, Lesson, Question, fill, is_number, lessons
from playground.training.loop import Training

LOSS_STEP = 10
"""The step of an exercise whose loss a student types: only their own run has it."""
_LOSS_WITHIN = 0.002


class LessonPart(BasePart):
    """One question of a lesson. In a lesson with exercises, the student also types a loss of their own run."""

    title_of_kind: ClassVar = "Question of a lesson"
    hints: ClassVar = 1

    kind: Literal["lesson"] = "lesson"
    lesson: Annotated[str, Field(max_length=40, title="Lesson")]
    block: Annotated[int, Field(ge=0, le=20, title="Block, counted from 0")]

    @model_validator(mode="after")
    def _exists(self) -> Self:
        if self.lesson not in lessons() or self.block not in lessons()[self.lesson].questions:
            raise PydanticCustomError("missing", "The lesson has no question there.")
        return self

    @property
    def title(self) -> str:
        """See `BasePart`."""
        return f"{self._lesson.title}: {self._block.title}"

    @property
    def trains(self) -> bool:
        """See `BasePart`."""
        return self._block.exercise is not None

    def asked(self, seed: int) -> Asked:
        """The question with its choices. The page draws the block around it from `lesson`, `block` and `seed`."""
        facts = {} if self.trains else self._lesson.facts(seed)
        question = self._question
        choices = {each: each for each in (fill(choice, facts) for choice in question.choices)}
        fields = [AnswerField("answer", "Answer", "choice" if choices else "number", choices)]
        if self._block.exercise:
            label = next(iter(self._lesson.exercises[self._block.exercise.name].runs))
            fields.append(
                AnswerField(
                    "loss", f"Training loss at step {LOSS_STEP} of your run “{label}”", "number", help="3 decimals"
                )
            )
        text = "\n\n".join(fill(part, facts) for part in question.parts if isinstance(part, str))
        return Asked(text, tuple(fields), lesson=self.lesson, block=self.block, seed=seed)

    def judge(self, seed: int, answer: Answer) -> Mark:
        """See `BasePart`."""
        given = complete(self.asked(seed).fields, answer)
        facts, loss = self._known(seed)
        for name, text in given.items():
            if name == "loss" or not self._question.choices:
                _require_number(text)
        right = [self._question.is_right(given["answer"], facts)]
        if loss is not None:
            right.append(abs(float(given["loss"].replace(",", ".")) - loss) <= _LOSS_WITHIN)
        if all(right):
            return Mark(1.0, "Right.")
        choices = list(self.asked(seed).fields[0].choices)
        if loss is not None and right[0]:
            others = tuple(each for each in choices if each != given["answer"])
            return Mark(0.0, "The answer is right, but the loss isn't that of your own run.", ruled_out=others)
        return Mark(0.0, "That isn't the answer.", ruled_out=(given["answer"],) if choices else ())

    def solution(self, seed: int) -> Answer:
        """See `BasePart`."""
        facts, loss = self._known(seed)
        found = {"answer": fill(self._question.answer, facts)}
        return found if loss is None else found | {"loss": f"{loss:.3f}"}

    def next_hint(self, seed: int, taken: Sequence[int], ruled_out: Sequence[str]) -> int | None:
        """The number is how many choices were ruled out: the hint is none of them, and stays when there are more."""
        choices = self.asked(seed).fields[0].choices
        new = not choices or len(set(choices) - set(ruled_out)) > 1
        return len(ruled_out) if new and not taken else None

    def hint(self, seed: int, number: int, ruled_out: Sequence[str] = ()) -> str:
        """One wrong choice that wasn't ruled out before, or an interval around the number."""
        facts, random = self._known(seed)[0], Random(f"hint {seed}")
        right = fill(self._question.answer, facts)
        if self._question.choices:
            known = {right, *ruled_out[:number]}
            wrong = [each for each in self.asked(seed).fields[0].choices if each not in known]
            return f"It isn't this one: {random.choice(wrong)}"
        value, place = float(right.replace(",", "").replace("−", "-").replace(" %", "")), random.uniform(0.1, 0.9)
        width = max(abs(value) / 2, 1.0 if value == int(value) else 0.1)
        low, high = value - place * width, value + (1 - place) * width
        if value == int(value):
            return f"It is between {math.floor(low):,} and {math.ceil(high):,}."
        return f"It is between {low:.2g} and {high:.2g}."

    def wrong_costs(self, seed: int) -> int:
        """Of choices so much that guessing earns nothing in the end."""
        choices = len(self._question.choices)
        return math.ceil(MAX_POINTS / (choices - 1)) if choices else WRONG_COSTS

    @property
    def _lesson(self) -> Lesson:
        return lessons()[self.lesson]

    @property
    def _block(self) -> Block:
        return self._lesson.blocks[self.block]

    @property
    def _question(self) -> Question:
        return self._lesson.questions[self.block]

    def _known(self, seed: int) -> tuple[Mapping[str, object], float | None]:
        """The values of the lesson, and the loss of an exercise's first run at `LOSS_STEP`; None without exercise."""
        if self._block.exercise is None:
            return self._lesson.facts(seed), None
        return _trained(self.lesson, self._block.exercise.name, seed)


@lru_cache(maxsize=64)
def _trained(lesson: str, name: str, seed: int) -> tuple[Mapping[str, object], float]:
    """The values of an exercise, and the loss of its first run at `LOSS_STEP`; trains all of its runs."""
    exercise = lessons()[lesson].exercises[name]
    outcomes = {}
    for label, config in exercise.configs(seed).items():
        training = Training(config)
        first = copy.deepcopy(training.model)
        records = [progress.record() for progress in training.progress()]
        outcomes[label] = ExerciseRun(records, first, training.model)
    first_run = next(iter(outcomes.values()))
    loss = next(record["loss"] for record in first_run.records if record["step"] == LOSS_STEP)
    return exercise.facts(outcomes), float(loss)


def _require_number(text: str) -> None:
    if not is_number(text):
        raise AssignmentError(f"{text!r:.60} is no number.", "Type one, for example 0.25.")
