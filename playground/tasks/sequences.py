"""The held-out split: which sequences are trained on and which are tested on.

Sequences held out for testing are chosen by a hash of the sequence itself, so they are the same for every seed,
architecture and run, and training can leave them out without keeping a list.
"""

import random
from dataclasses import dataclass
from itertools import product

import torch
from torch import Tensor

from playground.config import SPECIALS, TaskConfig
from playground.tasks.tokens import PAD

HELD_OUT_SHARE = 8  # one sequence in eight is never trained on
HELD_OUT_SEQUENCES = 1000  # tested on, where there are as many
_ENUMERABLE = 65_536  # spaces up to this size are counted sequence by sequence


@dataclass(frozen=True)
class Sequences:
    """Sources drawn for a task, split for good into those trained on and those held out."""

    config: TaskConfig
    threshold: int  # a sequence whose hash is below is held out

    @classmethod
    def of(cls, config: TaskConfig) -> "Sequences":
        if _space_size(config) > _ENUMERABLE:
            return cls(config, 2**63 // HELD_OUT_SHARE)
        # A small space may by chance hold out nothing or everything: take the lowest hashes, by count.
        hashes = sorted(_hash(_every_sequence(config)).tolist())
        return cls(config, hashes[max(1, len(hashes) // HELD_OUT_SHARE)])

    def draw(self, count: int, generator: torch.Generator, *, held_out: bool = False) -> Tensor:
        """(count, S) sources padded with PAD: lengths uniform, symbols uniform, from the one side of the split."""
        source = self._draw(count, generator)
        wrong = self.is_held_out(source) != held_out
        while bool(wrong.any()):
            source[wrong] = self._draw(int(wrong.sum()), generator)
            wrong = self.is_held_out(source) != held_out
        return source

    def held_out(self, count: int = HELD_OUT_SEQUENCES) -> Tensor:
        """The same (<= count, S) different held-out sources every time; fewer only where there are no more."""
        if _space_size(self.config) <= _ENUMERABLE:
            every = _every_sequence(self.config)
            every = every[self.is_held_out(every)]
            return every[torch.linspace(0, len(every) - 1, min(count, len(every))).long()]  # evenly over all lengths
        generator = torch.Generator().manual_seed(0)
        found: dict[tuple[int, ...], None] = {}  # keeps the order of drawing
        while len(found) < count:
            found.update(dict.fromkeys(map(tuple, self.draw(count, generator, held_out=True).tolist())))
        return torch.tensor(list(found)[:count])

    def is_held_out(self, source: Tensor) -> Tensor:
        """(B,) whether each of (B, S) sources is held out."""
        return _hash(source) < self.threshold

    def _draw(self, count: int, generator: torch.Generator) -> Tensor:
        c = self.config
        lengths = torch.randint(c.min_length, c.max_length + 1, (count, 1), generator=generator)
        symbols = torch.randint(c.vocab_size, (count, c.max_length), generator=generator) + len(SPECIALS)
        return symbols.masked_fill_(torch.arange(c.max_length) >= lengths, PAD)


def _space_size(config: TaskConfig) -> int:
    return sum(config.vocab_size**length for length in range(config.min_length, config.max_length + 1))


def _every_sequence(config: TaskConfig) -> Tensor:
    """All sources of a small space, (N, S)."""
    symbols = range(len(SPECIALS), len(SPECIALS) + config.vocab_size)
    rows = [
        row + (PAD,) * (config.max_length - length)
        for length in range(config.min_length, config.max_length + 1)
        for row in product(symbols, repeat=length)
    ]
    return torch.tensor(rows)


# Random odd multipliers, one a position: Python promises this generator's bits for good.
_random = random.Random("held out")
_MULTIPLIERS = torch.tensor([(_random.getrandbits(63) | 1) for _ in range(64 * 16)])
_MIX = _random.getrandbits(63) | 1


def _hash(source: Tensor) -> Tensor:
    """(B,) hashes from 0 to 2**63 - 1 of (B, S) sources; PAD at the end adds nothing."""
    mixed = (source * _MULTIPLIERS[: source.size(1)]).sum(1)
    mixed = (mixed ^ (mixed >> 32)) * _MIX
    return (mixed ^ (mixed >> 29)) & (2**63 - 1)
