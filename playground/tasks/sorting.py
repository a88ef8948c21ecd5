"""sort: the answer is the input in order, the smallest symbol first."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from playground.tasks.task import Task, TaskPreset
from playground.tasks.tokens import PAD, SPECIALS

if TYPE_CHECKING:
    from torch import Tensor


class Sort(Task):
    """Sort the input."""

    name = "sort"
    goal = "sort its input"
    preset = TaskPreset(
        "sort",
        "Sort",
        "Learns to sort 1-16 symbols.",
        1400,
        {
            "model.n_heads": 8,
            "training.batch_size": 64,
            "training.learning_rate": 5e-3,
            "training.schedule": "cosine",
            "training.steps": 1800,
            "training.eval_every": 20,
        },
    )

    def answers(self, source: "Tensor") -> "Tensor":
        last = len(SPECIALS) + len(self.symbols)  # above every id, so that PAD stays at the end
        ordered = source.masked_fill(source == PAD, last).sort(1).values
        return ordered.masked_fill(ordered == last, PAD)

    def copied_from(self, source: Sequence[int]) -> list[set[int]]:
        # Equal symbols are interchangeable.
        return [{index for index, token in enumerate(source) if token == symbol} for symbol in sorted(source)]
