"""Name a pitfall from its symptoms: the measures of a model with the mistake beside those of the correct model."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from random import Random
from typing import ClassVar, Literal

from playground.lessons import hunts, measures
from playground.lessons.assignments.kinds.part import Answer, AnswerField, Asked, BasePart, Mark, complete
from playground.lessons.measures import MistakeMeasure
from playground.lessons.mistakes.pitfall import shown
from playground.lessons.mistakes.table import MISTAKES, PITFALLS
from playground.lessons.pitfalls import train_with
from playground.training import USUAL

SYMPTOMS: Mapping[str, MistakeMeasure] = {
    "Exact match": measures.exact_match,
    "Training loss at the last step": measures.last_loss,
    "Held-out loss divided by training loss": measures.loss_gap,
    "Decoder's self-attention to later positions": measures.weight_on_hidden,
    "Cross-attention to padding": measures.weight_on_padding,
    "Distance of the sum of a query's weights from 1": measures.sum_of_weights,
    "Standard deviation of the scores before training": measures.spread_of_scores,
    "Length of the positions divided by that of the tokens": measures.share_of_positions,
    "Root mean square after the last layer": measures.size_after_last_layer,
    "Change of the first prediction when later tokens change": measures.reads_ahead,
    "Difference of two passes over one input": measures.disagreement,
}
"""All measures that a student gets; which of them shows the mistake is theirs to find."""

_HINTS: tuple[hunts.HintKind, ...] = ("inside", "part")


class PitfallPart(BasePart):
    """One of the pitfalls, hidden in a model that has the student's own seed."""

    title_of_kind: ClassVar = "Name a mistake from its symptoms"
    hints: ClassVar = len(_HINTS)
    has_material: ClassVar = True

    kind: Literal["pitfall"] = "pitfall"

    @property
    def title(self) -> str:
        """See `BasePart`."""
        return "Name the mistake"

    def asked(self, seed: int) -> Asked:
        """The choice of mistakes; the symptoms are the material."""
        choices = {name: MISTAKES[name].title for name, pitfall in PITFALLS.items() if pitfall.hunted}
        text = (
            "Two models were trained with the same settings and seed. One of them has a mistake. Which mistake do the "
            "measures show?"
        )
        return Asked(text, (AnswerField("mistake", "Mistake", "choice", choices),), seed=seed)

    def material(self, seed: int) -> str:
        """A table of the measures; trains two models."""
        rows = [f"| {title} | {right} | {wrong} |" for title, (right, wrong) in _measured(hidden(seed), seed).items()]
        return "\n".join(["| Measure | Correct model | Model with the mistake |", "|---|---:|---:|", *rows])

    def judge(self, seed: int, answer: Answer) -> Mark:
        """See `BasePart`."""
        given = complete(self.asked(seed).fields, answer)
        return (
            Mark(1.0, "Right.")
            if given == self.solution(seed)
            else Mark(0.0, "That isn't the mistake.", ruled_out=(given["mistake"],))
        )

    def solution(self, seed: int) -> Answer:
        """See `BasePart`."""
        return {"mistake": hidden(seed)}

    def next_hint(self, seed: int, taken: Sequence[int], ruled_out: Sequence[str]) -> int | None:
        """See `BasePart`."""
        return hunts.next_hint(_HINTS, set(self.asked(seed).fields[0].choices) - set(ruled_out), taken)

    def hint(self, seed: int, number: int, ruled_out: Sequence[str] = ()) -> str:
        """As in a hunt."""
        return hunts.hint(_HINTS[number], PITFALLS[hidden(seed)], 0.0, 0.0)


def hidden(seed: int) -> str:
    """Name of the pitfall that this seed hides."""
    return Random(f"pitfall {seed}").choice([name for name, pitfall in PITFALLS.items() if pitfall.hunted])


@lru_cache(maxsize=64)
def _measured(name: str, seed: int) -> dict[str, tuple[str, str]]:
    """Each measure of the correct model and of the one with the mistake, as people read it."""
    pitfall, config = PITFALLS[name], hunts.config(seed)
    models = [train_with(recipe, config) for recipe in (USUAL, pitfall)]
    found = {}
    for title, measure in SYMPTOMS.items():
        right, wrong = (measure(model) for model in models)
        found[title] = shown(measure, right), shown(measure, wrong)
    return found
