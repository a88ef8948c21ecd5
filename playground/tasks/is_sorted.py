"""is_sorted: whether the input is in order, in one token."""

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING, ClassVar

from playground.tasks.task import Task, TaskPreset
from playground.tasks.tokens import PAD, SPECIALS

if TYPE_CHECKING:
    from torch import Generator, Tensor


class IsSorted(Task):
    """Tell whether each symbol is at least as large as the one before: 1 3 3 5 -> yes."""

    name = "is_sorted"
    goal = "tell whether its input is sorted"
    answers_in_place = False
    max_answer_length = 1
    preset = TaskPreset(
        "is-sorted",
        "Is it sorted?",
        "Learns to tell whether 1-16 symbols are sorted.",
        1500,
        {
            "model.d_ff": 256,
            "training.batch_size": 128,
            "training.learning_rate": 3e-3,
            "training.schedule": "cosine",
            "training.steps": 2000,
            "training.eval_every": 20,
        },
    )

    @cached_property
    def symbols(self) -> tuple[str, ...]:
        return (*super().symbols, "no", "yes")

    def sample(self, generator: "Generator", count: int) -> "Tensor":
        """(count, S) with lengths uniform, in four equal parts: two are sorted, one is random symbols, and in one
        a sorted input has two symbols exchanged, so that reading a part of it is not enough.
        """
        import torch

        source = super().sample(generator, count)
        size = source.size(1)
        ordered = source.masked_fill(source == PAD, len(SPECIALS) + self.settings.vocab_size).sort(1).values
        ordered = ordered.masked_fill(source == PAD, PAD)
        lengths = (source != PAD).sum(1, keepdim=True)
        pair = (torch.rand(count, 2, generator=generator) * lengths).long()
        exchanged = ordered.scatter(1, pair, ordered.gather(1, pair.flip(1)))
        part = torch.randint(4, (count, 1), generator=generator).expand(-1, size)
        return torch.where(part == 0, source, torch.where(part == 1, exchanged, ordered))

    def answers(self, source: "Tensor") -> "Tensor":
        return len(SPECIALS) + self.settings.vocab_size + (~self._falls(source).any(1, keepdim=True)).long()

    def _falls(self, source: "Tensor") -> "Tensor":
        """(N, S - 1) where a symbol is smaller than the one before."""
        return (source[:, 1:] < source[:, :-1]) & (source[:, 1:] != PAD)

    def classes(self, source: "Tensor") -> list[str]:
        return ["no" if fall else "yes" for fall in self._falls(source).any(1).tolist()]

    def falls(self, source: "Tensor") -> list[int]:
        """How many symbols are smaller than the one before, for each of (N, S) sources."""
        counts: list[int] = self._falls(source).sum(1).tolist()
        return counts

    splits: ClassVar = {"falls": falls}

    def problem(self, source: Sequence[int]) -> str:
        if max(source) < len(SPECIALS) + self.settings.vocab_size:
            return ""
        return f"“yes” and “no” are answers; type symbols {self.alphabet}, for example {self.example()}."
