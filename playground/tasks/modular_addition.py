"""modular_addition: the sum of two numbers, modulo the number of symbols."""

from collections.abc import Iterable, Sequence
from itertools import product
from typing import TYPE_CHECKING, ClassVar

from playground.tasks.task import Task, TaskPreset
from playground.tasks.tokens import SPECIALS

if TYPE_CHECKING:
    from torch import Generator, Tensor


class ModularAddition(Task):
    """Add two numbers modulo p, the number of symbols: 5 6 -> 4 for p = 7.

    The task on which Power et al. 2022, "Grokking", found models that generalize long after they know their training
    examples, and in which Nanda et al. 2023 found Fourier features.
    """

    name = "modular_addition"
    goal = "add two numbers modulo p"
    answers_in_place = False
    modular = True
    min_source_length = max_source_length = 2
    max_answer_length = 1
    uses: ClassVar = {
        "vocab_size": "p: the number of different symbols. The sum is taken modulo p.",
        "held_out": "",
        "commuted_together": "",
    }
    preset = TaskPreset(
        "modular-addition",
        "Modular addition",
        "Learns to add two numbers modulo 59.",
        700,
        {
            "task.vocab_size": 59,
            "model.positions": "none",
            "training.batch_size": 256,
            "training.learning_rate": 3e-3,
            "training.weight_decay": 1.0,
            "training.steps": 2000,
            "training.eval_every": 50,
        },
    )

    more_presets = (
        TaskPreset(
            "grokking",
            "Grokking",
            "Learns modular addition from 40 % of the pairs. Training inputs are right by step 500. Held-out inputs "
            "stay near 45 %: those whose mirrored pair was trained. They reach 100 % near step 3,400.",
            3450,
            {
                **preset.settings,
                "task.held_out": 0.6,
                "training.learning_rate": 1e-3,
                "training.steps": 6000,
                "training.eval_sequences": 1000,
                "training.record": ("training_accuracy",),
            },
        ),
    )

    @property
    def lengths(self) -> str:
        return "2 symbols"

    def count_sources(self) -> int:
        return self.settings.vocab_size**2

    def every_source(self) -> Iterable[tuple[int, ...]]:
        return product(range(len(SPECIALS), len(SPECIALS) + self.settings.vocab_size), repeat=2)

    def sample(self, generator: "Generator", count: int) -> "Tensor":
        import torch

        return torch.randint(self.settings.vocab_size, (count, 2), generator=generator) + len(SPECIALS)

    def canonical(self, source: "Tensor") -> "Tensor":
        """(B, 2), the smaller symbol first where both orders are on one side of the split."""
        return source.sort(1)[0] if self.settings.commuted_together else source

    def answers(self, source: "Tensor") -> "Tensor":
        return (source[:, :2] - len(SPECIALS)).sum(1, keepdim=True) % self.settings.vocab_size + len(SPECIALS)

    def wraps(self, source: "Tensor") -> list[int]:
        """1 where the sum is p or more, else 0, for each of (N, 2) sources."""
        wraps: list[int] = ((source[:, :2] - len(SPECIALS)).sum(1) >= self.settings.vocab_size).long().tolist()
        return wraps

    splits: ClassVar = {"wraps": wraps}

    def problem(self, source: Sequence[int]) -> str:
        return "" if len(source) == 2 else f"Type two symbols, for example {self.example()}."

    def example(self, length: int = 2) -> str:
        return self.text([self.symbols[digit % self.settings.vocab_size] for digit in (31, 41)])
