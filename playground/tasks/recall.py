"""recall: key-value pairs, then one of the keys; the answer is its value."""

import math
from collections.abc import Iterable, Sequence
from functools import cached_property
from itertools import chain, cycle, permutations, product
from string import ascii_lowercase
from typing import TYPE_CHECKING, ClassVar

from playground.common.numbers import counted
from playground.tasks.task import Task, TaskPreset
from playground.tasks.tokens import PAD, SPECIALS

if TYPE_CHECKING:
    from torch import Generator, Tensor


class Recall(Task):
    """Answer a key with its value: a 3 b 1 c 4 b -> 1.

    The associative retrieval of Ba et al. 2016, "Using Fast Weights to Attend to the Recent Past", section 4.1. A
    two-layer transformer solves it with an induction head (Olsson et al. 2022). The keys of an input differ, so there
    are at most `vocab_size` pairs.
    """

    name = "recall"
    goal = "recall the value of a key"
    answers_in_place = False
    max_answer_length = 1
    uses: ClassVar = {
        "vocab_size": "Number of different keys, and of different values.",
        "min_length": "Key-value pairs in the shortest input.",
        "max_length": "Key-value pairs in the longest input, at most one for each key. The model cannot read longer "
        "ones.",
        "held_out": "",
    }
    preset = TaskPreset(
        "recall",
        "Recall",
        "Learns to recall the value of a key among 1-4 pairs.",
        900,
        {
            "task.vocab_size": 5,
            "task.max_length": 4,
            "model.n_layers": 2,
            "training.batch_size": 64,
            "training.learning_rate": 3e-3,
            "training.schedule": "cosine",
            "training.steps": 2000,
            "training.eval_every": 50,
        },
    )

    more_presets = (
        TaskPreset(
            "induction",
            "Induction heads",
            "A decoder-only model learns recall. Heads in layer 1 learn to attend to the previous position, heads in "
            "layer 2 to the value of the key. They form as the loss falls, with seed 0 near step 200.",
            340,
            {
                **preset.settings,
                "model.architecture": "decoder-only",
                "training.batch_size": 256,
                "training.steps": 1500,
                "training.eval_every": 20,
                "training.record": ("head_roles",),
            },
        ),
    )

    @cached_property
    def symbols(self) -> tuple[str, ...]:
        return (*map(_letters, range(self.settings.vocab_size)), *super().symbols)

    @property
    def alphabet(self) -> str:
        return f"{self.symbols[0]} to {self.symbols[self.settings.vocab_size - 1]} and {super().alphabet}"

    @property
    def lengths(self) -> str:
        low, high = self._pairs
        return f"{low} to {high} key-value pairs and a key" if low < high else f"{high} key-value pairs and a key"

    @property
    def min_source_length(self) -> int:
        return 2 * self._pairs[0] + 1

    @property
    def max_source_length(self) -> int:
        return 2 * self._pairs[1] + 1

    def count_sources(self) -> int:
        size = self.settings.vocab_size
        return sum(math.perm(size, pairs) * size**pairs * pairs for pairs in self._every_length())

    def every_source(self) -> Iterable[tuple[int, ...]]:
        size, first = self.settings.vocab_size, len(SPECIALS)
        keys, values = range(first, first + size), range(first + size, first + 2 * size)
        for pairs in self._every_length():
            for chosen_keys, chosen_values in product(permutations(keys, pairs), product(values, repeat=pairs)):
                row = [token for pair in zip(chosen_keys, chosen_values, strict=True) for token in pair]
                yield from ((*row, key) for key in chosen_keys)

    def sample(self, generator: "Generator", count: int) -> "Tensor":
        """(count, S) with the number of pairs, their keys, their values and the last key uniform."""
        import torch

        (low, high), size = self._pairs, self.settings.vocab_size
        pairs = torch.randint(low, high + 1, (count, 1), generator=generator)
        keys = torch.rand(count, size, generator=generator).argsort(1)[:, :high] + len(SPECIALS)
        values = torch.randint(size, (count, high), generator=generator) + len(SPECIALS) + size
        asked = keys.gather(1, (torch.rand(count, 1, generator=generator) * pairs).long())
        row = torch.stack([keys, values], dim=2).flatten(1)
        row = torch.cat([row, asked], dim=1)
        row[:, :-1].masked_fill_(torch.arange(2 * high) >= 2 * pairs, PAD)
        return row.scatter(1, torch.full_like(pairs, 2 * high), PAD).scatter(1, 2 * pairs, asked)

    def answers(self, source: "Tensor") -> "Tensor":
        last = (source != PAD).sum(1, keepdim=True) - 1
        asked = source.gather(1, last)
        same = source == asked
        return source.gather(1, same.int().argmax(1, keepdim=True) + 1)

    def distance(self, source: "Tensor") -> list[int]:
        """How many pairs back the key stands that is asked for, for each of (N, S) sources; 1: in the last pair."""
        last = (source != PAD).sum(1, keepdim=True) - 1
        first = (source == source.gather(1, last)).int().argmax(1, keepdim=True)
        pairs: list[int] = ((last - first) // 2)[:, 0].tolist()
        return pairs

    splits: ClassVar = {"distance": distance}

    def copied_from(self, source: Sequence[int]) -> list[set[int]]:
        return [{list(source).index(source[-1]) + 1}]

    def untrained_length(self, source: Sequence[int]) -> str:
        return super().untrained_length(source) and counted(len(source) // 2, "key-value pair")

    def problem(self, source: Sequence[int]) -> str:
        names = [self.symbols[token - len(SPECIALS)] for token in source]
        keys, values, size = names[:-1:2], names[1::2], self.settings.vocab_size
        is_key = set(self.symbols[:size])
        if len(names) < 3 or len(names) % 2 == 0 or not is_key.issuperset(keys) or is_key.intersection(values):
            return f"Type pairs of a key and a value, then a key, for example {self.example()}."
        if len(set(keys)) < len(keys):
            return f"A key has two values. Use each key once, for example {self.example()}."
        if names[-1] not in keys:
            return f"“{names[-1]}” at the end is not a key of a pair; end with one of {', '.join(keys)}."
        return ""

    def example(self, length: int = 5) -> str:
        low, high = self._pairs
        keys = self.symbols[: max(low, min(high, (length - 1) // 2))]
        values = (str(digit % self.settings.vocab_size) for digit in cycle((3, 1, 4, 1, 5)))
        return self.text([*chain.from_iterable(zip(keys, values)), keys[len(keys) // 2]])

    @property
    def _pairs(self) -> tuple[int, int]:
        """The lowest and the highest number of pairs."""
        most = self.settings.vocab_size
        return min(self.settings.min_length, most), min(self.settings.max_length, most)

    def _every_length(self) -> range:
        low, high = self._pairs
        return range(low, high + 1)


def _letters(index: int) -> str:
    """a to z, then aa, ab, ...: the name of a key."""
    before, letter = divmod(index, 26)
    return (_letters(before - 1) if before else "") + ascii_lowercase[letter]
