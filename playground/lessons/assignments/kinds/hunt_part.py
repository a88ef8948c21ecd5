"""A bug hunt with a mistake of the student's own."""

from collections.abc import Sequence
from typing import ClassVar, Literal

from playground.lessons import hunts, pitfalls
from playground.lessons.assignments.kinds.part import Answer, AnswerField, Asked, BasePart, Mark, complete
from playground.lessons.mistakes.table import MISTAKES, PITFALLS

_HINTS: tuple[hunts.HintKind, ...] = ("inside", "measure", "part")


class HuntPart(BasePart):
    """Train a model with a hidden mistake; name the part of the model and the mistake."""

    title_of_kind: ClassVar = "Bug hunt"
    hints: ClassVar = len(_HINTS)

    kind: Literal["hunt"] = "hunt"

    @property
    def title(self) -> str:
        """See `BasePart`."""
        return "Bug hunt"

    def asked(self, seed: int) -> Asked:
        """The run with the mistake, and where and what it is."""
        fields = (
            AnswerField("part", "Part", "choice", hunts.PARTS),
            AnswerField("mistake", "Mistake", "choice", {name: MISTAKES[name].title for name in hunts.CHOICES}),
        )
        text = "Train this model, which has one hidden mistake. Find it in the model's numbers."
        return Asked(text, fields, config=hunts.config(seed), pitfall=hunts.hidden(seed), seed=seed)

    def judge(self, seed: int, answer: Answer) -> Mark:
        """See `BasePart`."""
        given, right = complete(self.asked(seed).fields, answer), self.solution(seed)
        if given == right:
            return Mark(1.0, "Right.")
        words = {name: "right" if given[name] == right[name] else "wrong" for name in right}
        message = f"The part is {words['part']}, the mistake is {words['mistake']}."
        return Mark(0.0, message, ruled_out=tuple(self._ruled_out(given, right)))

    def solution(self, seed: int) -> Answer:
        """See `BasePart`."""
        name = hunts.hidden(seed)
        return {"part": hunts.part_of(PITFALLS[name]), "mistake": name}

    def next_hint(self, seed: int, taken: Sequence[int], ruled_out: Sequence[str]) -> int | None:
        """See `BasePart`."""
        return hunts.next_hint(_HINTS, set(hunts.CHOICES) - set(ruled_out), taken)

    def hint(self, seed: int, number: int, ruled_out: Sequence[str] = ()) -> str:
        """As in a hunt. The second trains two models, which takes seconds."""
        pitfall, config = PITFALLS[hunts.hidden(seed)], hunts.config(seed)
        measured = (0.0, 0.0)
        if _HINTS[number] == "measure":
            measured = (
                pitfalls.measured_right(hunts.hidden(seed), config),
                pitfall.measure(pitfalls.train_with(pitfall, config)),
            )
        return hunts.hint(_HINTS[number], pitfall, *measured)

    @staticmethod
    def _ruled_out(given: Answer, right: Answer) -> list[str]:
        """The mistakes of which a mark of an answer tells that they are wrong."""
        return [
            name
            for name, pitfall in hunts.CHOICES.items()
            if (hunts.part_of(pitfall) == given["part"]) != (given["part"] == right["part"])
            or (name == given["mistake"] != right["mistake"])
        ]
