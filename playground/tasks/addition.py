"""addition: the sum of two numbers, digit by digit."""

from collections.abc import Iterable, Sequence
from functools import cached_property
from itertools import cycle, islice, product
from typing import TYPE_CHECKING, ClassVar

from playground.common.numbers import counted
from playground.tasks.task import Task, TaskPreset
from playground.tasks.tokens import PAD, SPECIALS

if TYPE_CHECKING:
    from torch import Generator, Tensor

PLUS = "+"
_SETTINGS = {
    "task.max_length": 3,
    "model.n_layers": 2,
    "training.batch_size": 128,
    "training.learning_rate": 3e-3,
    "training.schedule": "cosine",
    "training.steps": 1300,
    "training.eval_every": 20,
}


class Addition(Task):
    """Add two numbers of `min_length` to `max_length` digits: 3 4 7 + 1 5 9 -> 0 5 0 6.

    The sum has `max_length` + 1 digits, so zeros may lead. With the least significant digit first (6 0 5 0), a digit
    needs two digits of the input and a carry, which is already known. With the most significant first it can need all.
    """

    name = "addition"
    goal = "add two numbers"
    answers_in_place = False
    uses: ClassVar = {
        "vocab_size": "Number of different digits: the base of the numbers.",
        "min_length": "Digits of the shortest number.",
        "max_length": "Digits of the longest number. The sum has one more. The model cannot read longer ones.",
        "digit_order": "",
        "held_out": "",
    }
    preset = TaskPreset("addition", "Addition", "Learns to add two numbers of 1-3 digits.", 900, _SETTINGS)
    more_presets = (
        TaskPreset(
            "addition-least-first",
            "Addition, least significant digit first",
            "Learns to add two numbers of 1-3 digits, and writes the sum backwards. It needs a fifth of the time.",
            600,
            {
                **_SETTINGS,
                "task.digit_order": "least_first",
                "model.n_layers": 1,
                "training.batch_size": 64,
                "training.steps": 1600,
            },
        ),
    )

    @cached_property
    def symbols(self) -> tuple[str, ...]:
        return (*super().symbols, PLUS)

    @property
    def alphabet(self) -> str:
        return f"{super().alphabet} and {PLUS}"

    @property
    def lengths(self) -> str:
        low, high = self.settings.min_length, self.settings.max_length
        return f"two numbers of {counted(low, 'digit')}" if low == high else f"two numbers of {low} to {high} digits"

    @property
    def min_source_length(self) -> int:
        return 2 * self.settings.min_length + 1

    @property
    def max_source_length(self) -> int:
        return 2 * self.settings.max_length + 1

    @property
    def max_answer_length(self) -> int:
        return self.settings.max_length + 1

    def count_sources(self) -> int:
        return super().count_sources() ** 2

    def every_source(self) -> Iterable[tuple[int, ...]]:
        return ((*a, self._plus, *b) for a, b in product(super().every_source(), repeat=2))

    def sample(self, generator: "Generator", count: int) -> "Tensor":
        """(count, S) with the lengths of both numbers and all digits uniform."""
        import torch

        a, b = super().sample(generator, count), super().sample(generator, count)
        row = torch.cat([a, torch.full((count, 1), self._plus), b], dim=1)
        return row.gather(1, (row == PAD).int().sort(stable=True).indices)  # padding last

    def answers(self, source: "Tensor") -> "Tensor":
        base, total = self.settings.vocab_size, self._sums(source)
        for column in range(total.size(1) - 1):
            total[:, column + 1] += total[:, column] // base
        total = total % base + len(SPECIALS)
        return total if self.settings.digit_order == "least_first" else total.flip(1)

    def _sums(self, source: "Tensor") -> "Tensor":
        """(N, A) sums of the two digits of each column, before any carry, the least significant first."""
        import torch

        first, width = len(SPECIALS), self.max_answer_length
        read, plus = source != PAD, source == self._plus
        after = plus.cumsum(1)  # 0 in the first number, 1 from the plus on
        end = torch.where(after == 0, plus.int().argmax(1, keepdim=True), read.sum(1, keepdim=True))
        power = (end - 1 - torch.arange(source.size(1))).clamp(0, width - 1)  # of the base, for each digit
        digits = (source - first).masked_fill(~read | plus, 0)
        return torch.zeros(len(source), width, dtype=torch.long).scatter_add_(1, power, digits)

    def _chains(self, source: "Tensor") -> "Tensor":
        """(N, A) how many columns in a row carry up to each column, the least significant first; 0 without a carry."""
        import torch

        total, chains = self._sums(source), []
        length = torch.zeros_like(total[:, 0])
        for column in total.unbind(1):
            length = torch.where(column + (length > 0) >= self.settings.vocab_size, length + 1, 0)
            chains.append(length)
        return torch.stack(chains, dim=1)

    def carries(self, source: "Tensor") -> list[int]:
        """How many columns carry, for each of (N, S) sources."""
        counts: list[int] = (self._chains(source) > 0).sum(1).tolist()
        return counts

    def longest_carry(self, source: "Tensor") -> list[int]:
        """The most columns in a row that carry, for each of (N, S) sources."""
        longest: list[int] = self._chains(source).amax(1).tolist()
        return longest

    splits: ClassVar = {"carries": carries, "longest_carry": longest_carry}

    def untrained_length(self, source: Sequence[int]) -> str:
        one = list(source).index(self._plus)
        digits = one, len(source) - 1 - one
        known = all(self.settings.min_length <= count <= self.settings.max_length for count in digits)
        return "" if known else f"numbers of {digits[0]} and {digits[1]} digits"

    def problem(self, source: Sequence[int]) -> str:
        pluses = [index for index, token in enumerate(source) if token == self._plus]
        most = self.settings.max_length
        if len(pluses) != 1 or not all(1 <= digits <= most for digits in (pluses[0], len(source) - 1 - pluses[0])):
            return f"Type two numbers of 1 to {most} digits with {PLUS} between them, for example {self.example()}."
        return ""

    def example(self, length: int = 7) -> str:
        digits = max(self.settings.min_length, min(self.settings.max_length, (length - 1) // 2))
        one, other = (
            [str(digit % self.settings.vocab_size) for digit in islice(cycle(given), digits)]
            for given in ((3, 4, 7), (1, 5, 9))
        )
        return self.text([*one, PLUS, *other])

    @property
    def _plus(self) -> int:
        return len(SPECIALS) + self.settings.vocab_size
