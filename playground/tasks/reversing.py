"""reverse: the answer is the input, last symbol first."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from playground.tasks.copying import Copy
from playground.tasks.task import Task, TaskPreset
from playground.tasks.tokens import PAD

if TYPE_CHECKING:
    from torch import Tensor


class Reverse(Task):
    """Reverse the input."""

    name = "reverse"
    goal = "reverse its input"
    preset = TaskPreset("quick-reverse", "Quick reverse", "Learns to reverse 1-16 symbols.", 100, Copy.preset.settings)

    def answers(self, source: "Tensor") -> "Tensor":
        symbols = source != PAD
        mirrored = symbols.sum(1, keepdim=True) - symbols.cumsum(1)  # position i of n -> n - 1 - i
        return source.gather(1, mirrored).masked_fill(~symbols, PAD)

    def copied_from(self, source: Sequence[int]) -> list[set[int]]:
        return [{position} for position in reversed(range(len(source)))]
