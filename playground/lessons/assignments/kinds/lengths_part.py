"""Homework: train a model that tells whether its input is sorted, and test it by length."""

from functools import lru_cache
from random import Random
from typing import Annotated, ClassVar, Literal

from pydantic import Field

from playground.experiments.lengths import by_length
from playground.lessons.assignments.kinds.own_model import number_of, own_model
from playground.lessons.assignments.kinds.part import Answer, AnswerField, Asked, BasePart, Mark, complete
from playground.settings.config import RunConfig
from playground.settings.presets import PRESETS

_FIRST, _LAST = 4, 12
"""Lengths that are asked for: shorter inputs are so few that all models answer them alike."""
_WITHIN = 0.51  # percentage points


class LengthsPart(BasePart):
    """The exact match of the student's own model on inputs of some lengths."""

    title_of_kind: ClassVar = "Test a model by length"

    kind: Literal["lengths"] = "lengths"
    count: Annotated[int, Field(ge=1, le=6, title="Lengths to test")] = 4

    @property
    def title(self) -> str:
        """See `BasePart`."""
        return "Test sortedness by length"

    @property
    def trains(self) -> bool:
        """See `BasePart`."""
        return True

    def asked(self, seed: int) -> Asked:
        """The run to train, and lengths of the student's own."""
        fields = [
            AnswerField(f"length-{length}", f"Exact match at length {length}, in %", "number", help="1 decimal")
            for length in self._lengths(seed)
        ]
        text = (
            "Train this model, which tells whether its input is sorted. Then measure its exact match on inputs of each "
            "length that training leaves out."
        )
        return Asked(text, tuple(fields), config=own_config(seed), seed=seed)

    def judge(self, seed: int, answer: Answer) -> Mark:
        """Each length earns the same share."""
        given, scores = complete(self.asked(seed).fields, answer), _scores(own_config(seed))
        right = [
            abs(number_of(given[f"length-{length}"]) - 100 * scores[length]) <= _WITHIN
            for length in self._lengths(seed)
        ]
        return Mark(sum(right) / len(right), f"{sum(right)} of {len(right)} answers are right.")

    def solution(self, seed: int) -> Answer:
        """See `BasePart`."""
        scores = _scores(own_config(seed))
        return {f"length-{length}": f"{100 * scores[length]:.1f}" for length in self._lengths(seed)}

    def _lengths(self, seed: int) -> list[int]:
        return sorted(Random(f"lengths {seed}").sample(range(_FIRST, _LAST + 1), self.count))


def own_config(seed: int) -> RunConfig:
    """The settings of the student's own model, which ends before it is solved."""
    return PRESETS["is-sorted"].config.updated(
        {
            "task.max_length": _LAST,
            "model.d_ff": 128,
            "training.batch_size": 64,
            "training.steps": 250,
            "training.stop_when_solved": False,
            "seed": seed,
        }
    )


@lru_cache(maxsize=256)
def _scores(config: RunConfig) -> dict[int, float]:
    """Exact match by length."""
    *_, (_, _, scores) = by_length(own_model(config), range(_FIRST, _LAST + 1))
    return {score.length: score.exact_match or 0.0 for score in scores}
