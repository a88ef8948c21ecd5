"""What there is to learn: sequences of symbols and the right answer to each.

Sequences held out for testing are chosen by a hash of the sequence itself, so they are the same for every seed,
architecture and run, and training can leave them out without keeping a list.

To add a task: its name in `config.TaskName` and its rule in `ANSWERS`.
"""

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import cycle, islice, product
from typing import NamedTuple

import torch
from torch import Tensor
from torch.nn import functional as F

from playground.config import SPECIALS, RunConfig, TaskConfig

PAD, BOS, EOS, SEP = range(len(SPECIALS))

HELD_OUT_SHARE = 8  # one sequence in eight is never trained on
HELD_OUT_SEQUENCES = 1000  # tested on, where there are as many
_ENUMERABLE = 65_536  # spaces up to this size are counted sequence by sequence


class InputError(ValueError):
    """What a person typed is no input for this model; the message is one sentence."""


class OutOfRangeError(InputError):
    """A number of tokens that cannot be; `nearest` is the nearest that can, None where there is none."""

    def __init__(self, sentence: str, setting: str, nearest: int | None) -> None:
        super().__init__(sentence)
        self.setting = setting  # the name of the argument
        self.nearest = nearest


class Batch(NamedTuple):
    """What a model reads and what it should say. PAD in `labels` is not scored."""

    source: Tensor | None  # (B, S) tokens; None in a decoder-only model
    target: Tensor | None  # (B, T) tokens the decoder reads; None in an encoder-only model
    labels: Tensor  # (B, T) or, encoder-only, (B, S): the token to predict at each position


def _copy(source: Tensor, lengths: Tensor) -> Tensor:
    return source


def _reverse(source: Tensor, lengths: Tensor) -> Tensor:
    positions = torch.arange(source.size(1))
    mirrored = (lengths[:, None] - 1 - positions).clamp(min=0)
    return source.gather(1, mirrored).masked_fill(positions >= lengths[:, None], PAD)


ANSWERS: dict[str, Callable[[Tensor, Tensor], Tensor]] = {"copy": _copy, "reverse": _reverse}
"""Task name -> rule: (B, S) sources padded with PAD and their lengths (B,) -> (B, S) answers, padded alike."""


def symbol_names(config: TaskConfig) -> tuple[str, ...]:
    """What a person reads and types for each symbol."""
    return tuple(str(symbol) for symbol in range(config.vocab_size))


def token_names(config: TaskConfig) -> tuple[str, ...]:
    """A name for every token id, specials first."""
    return SPECIALS + symbol_names(config)


def encode(text: str, config: TaskConfig, *, what: str = "input") -> list[int]:
    """Token ids of symbols apart by spaces or commas; raises `InputError` for an unknown one or too many or none."""
    ids = {name: token for token, name in enumerate(token_names(config)) if token >= len(SPECIALS)}
    words = text.replace(",", " ").split()
    if not words:
        raise InputError(f"The {what} is empty; type at least one symbol, for example {example_text(config)}.")
    for place, word in enumerate(words, start=1):
        if word not in ids:
            shown = word if len(word) <= 20 else word[:19] + "…"
            apart = f": {' '.join(shown)}" if config.vocab_size <= 10 and all(sign in ids for sign in shown) else ""
            raise InputError(
                f"“{shown}” at place {place} of the {what} is not a symbol; use 0 to {config.vocab_size - 1}, "
                f"separated by spaces{apart}."
            )
    if len(words) > config.max_length:
        raise InputError(f"The {what} has {len(words)} symbols; this model holds at most {config.max_length}.")
    return [ids[word] for word in words]


def decode(tokens: Sequence[int], config: TaskConfig) -> list[str]:
    """Names of token ids."""
    names = token_names(config)
    return [names[token] for token in tokens]


def example_text(config: TaskConfig) -> str:
    """An input that fits, as a person would type it."""
    length = max(config.min_length, min(config.max_length, 5))
    return " ".join(str(symbol % config.vocab_size) for symbol in islice(cycle((3, 1, 4, 1, 5)), length))


def random_example(config: TaskConfig, seed: int) -> str:
    """A random input of the task, its length and its symbols uniform, as a person would type it."""
    drawn = random.Random(seed)
    names = symbol_names(config)
    return " ".join(drawn.choice(names) for _ in range(drawn.randint(config.min_length, config.max_length)))


def answer(source: Sequence[int], config: TaskConfig) -> list[int]:
    """The right answer to one source, both as token ids without specials."""
    rule = ANSWERS[config.name]
    return rule(torch.tensor([source]), torch.tensor([len(source)]))[0].tolist()


def make_batch(config: RunConfig, source: Tensor, answers: Tensor) -> Batch:
    """Lays (B, S) sources and (B, A) answers, both padded with PAD at the end, out for the architecture."""
    if config.model.architecture == "encoder-only":
        return Batch(source, None, answers)
    labels = with_eos(answers)  # a1 ... am EOS
    padded = F.pad(answers, (0, 1))
    if config.model.architecture == "encoder-decoder":
        target = F.pad(padded[:, :-1], (1, 0), value=BOS)  # BOS a1 ... am
        return Batch(source, target, labels)
    # One row for a decoder-only model: s1 ... sn SEP a1 ... am, scored from SEP on.
    n = (source != PAD).sum(1, keepdim=True)
    m = (answers != PAD).sum(1, keepdim=True)
    place = torch.arange(int((n + m).max()) + 1)
    in_answer = (place - n).clamp(min=0, max=padded.size(1) - 1)
    labels = labels.gather(1, in_answer).masked_fill((place < n) | (place > n + m), PAD)
    from_answer = F.pad(padded, (1, 0)).gather(1, in_answer)
    from_source = F.pad(source, (0, max(0, len(place) - source.size(1))))[:, : len(place)]
    target = torch.where(place < n, from_source, from_answer)
    target = target.masked_fill(place == n, SEP).masked_fill(place > n + m, PAD)
    return Batch(None, target, labels)


def with_eos(answers: Tensor) -> Tensor:
    """(B, A) answers padded with PAD -> (B, A + 1) the same, each closed by EOS."""
    ends = (answers != PAD).sum(1, keepdim=True)
    return F.pad(answers, (0, 1)).scatter(1, ends, EOS)


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
