"""Homework: train a model for addition, and rank its heads by how many answers are wrong without them."""

from functools import lru_cache
from typing import Annotated, ClassVar, Literal

from pydantic import Field

from playground.interpret.ablation import ablate_each
from playground.lessons.assignments.kinds.own_model import number_of, own_model
from playground.lessons.assignments.kinds.part import Answer, AnswerField, Asked, BasePart, Mark, complete
from playground.model.head_paths import heads
from playground.settings.config import RunConfig
from playground.settings.presets import PRESETS

_TIE = 0.0051  # exact matches that differ by less are equally right
_WITHIN = 0.51  # percentage points


class RankingPart(BasePart):
    """The most important heads of the student's own model, in order."""

    title_of_kind: ClassVar = "Rank the heads by importance"

    kind: Literal["ranking"] = "ranking"
    count: Annotated[int, Field(ge=1, le=5, title="Heads to rank")] = 3

    @property
    def title(self) -> str:
        """See `BasePart`."""
        return "Rank the heads by importance"

    @property
    def trains(self) -> bool:
        """See `BasePart`."""
        return True

    def asked(self, seed: int) -> Asked:
        """The run to train, and the heads to rank."""
        config = own_config(seed)
        choices = {head.path: head.words[:1].upper() + head.words[1:] for head in heads(config.model)}
        ranks = [AnswerField(f"rank-{n}", f"Rank {n}", "choice", choices) for n in range(1, self.count + 1)]
        value = AnswerField("exact", "Exact match without the head of rank 1, in %", "number", help="1 decimal")
        text = (
            "Train this model, which adds two numbers. Then switch off each head in turn (output 0) and test the model "
            "on held-out inputs. The head without which the fewest answers are right is the most important: rank 1."
        )
        return Asked(text, (*ranks, value), config=config, seed=seed)

    def judge(self, seed: int, answer: Answer) -> Mark:
        """Each rank and the number earn the same share; heads with nearly equal scores may be exchanged."""
        given, ranking = complete(self.asked(seed).fields, answer), _ranking(own_config(seed))
        scores, named = list(ranking.values()), [given[f"rank-{n}"] for n in range(1, self.count + 1)]
        right = [
            head not in named[:rank] and abs(ranking[head] - scores[rank]) <= _TIE for rank, head in enumerate(named)
        ]
        right.append(abs(number_of(given["exact"]) - 100 * scores[0]) <= _WITHIN)
        return Mark(sum(right) / len(right), f"{sum(right)} of {len(right)} answers are right.")

    def solution(self, seed: int) -> Answer:
        """See `BasePart`."""
        ranking = _ranking(own_config(seed))
        ranks = {f"rank-{n}": head for n, head in enumerate(list(ranking)[: self.count], 1)}
        return ranks | {"exact": f"{100 * next(iter(ranking.values())):.1f}"}


def own_config(seed: int) -> RunConfig:
    """The settings of the student's own model."""
    return PRESETS["addition-least-first"].config.updated({"task.max_length": 2, "training.steps": 600, "seed": seed})


@lru_cache(maxsize=256)
def _ranking(config: RunConfig) -> dict[str, float]:
    """Exact match without each head, by its path, the most important first."""
    *_, ranking = ablate_each(own_model(config), "head")
    return {part.off: part.scores.exact_match for part in ranking.parts}
