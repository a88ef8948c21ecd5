"""Data for training and tests: the held-out split, and the layout of a batch for each architecture.

Sequences held out for testing are chosen by a hash of the sequence itself, so they are the same for every seed,
architecture and run, and training can leave them out without keeping a list.
"""

import random
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

import torch
from torch import Tensor
from torch.nn import functional as F

from playground.tasks import BOS, EOS, PAD, SEP, Task, task_of

if TYPE_CHECKING:
    from playground.settings.config import Architecture, RunConfig, TaskConfig

HELD_OUT_SEQUENCES = 1000  # tested on, where there are as many
MAX_ENUMERATED = 65_536  # spaces up to this size are counted sequence by sequence


class Batch(NamedTuple):
    """The tokens that a model reads and should predict. PAD in `labels` is not scored."""

    source: Tensor | None  # (B, S) tokens; None in a decoder-only model
    target: Tensor | None  # (B, T) tokens the decoder reads; None in an encoder-only model
    source_lengths: Tensor | None  # (B, 1) source tokens at the start of each target; decoder-only
    labels: Tensor  # (B, T) or, encoder-only, (B, S): the token to predict at each position

    def read_by(self, stack: str) -> Tensor:
        """(B, S) or (B, T) tokens that the encoder or the decoder reads."""
        tokens = self.source if stack == "encoder" else self.target
        assert tokens is not None
        return tokens

    def to(self, device: torch.device) -> "Batch":
        """The same batch in the memory of a device. Batches are drawn and laid out on the CPU, whatever trains."""
        source, target, source_lengths = (part if part is None else part.to(device) for part in self[:3])
        return Batch(source, target, source_lengths, self.labels.to(device))


def right_answers(config: "RunConfig", source: Tensor) -> Tensor:
    """(B, S) sources padded with PAD -> their answers, padded alike."""
    return task_of(config.task).answers(source)


def make_batch(config: "RunConfig", source: Tensor, answers: Tensor | None = None) -> Batch:
    """Lays (B, S) sources and (B, A) answers, both padded with PAD at the end, out for the architecture.

    By default the answers are the right ones.
    """
    if answers is None:
        answers = right_answers(config, source)
    if config.model.architecture == "encoder-only":
        return Batch(source, None, None, answers)
    continues = task_of(config.task).continues
    padded = F.pad(answers, (0, 1))
    labels = padded if continues else with_eos(answers)  # a1 ... am EOS
    if config.model.architecture == "encoder-decoder":
        target = F.pad(padded[:, :-1], (1, 0), value=BOS)  # BOS a1 ... am
        return Batch(source, target, None, labels)
    n = (source != PAD).sum(1, keepdim=True)
    if continues:  # BOS s1 ... sn a1 ... am, all of it scored
        row = _joined(source, answers, n)
        return Batch(None, F.pad(row, (1, 0), value=BOS), n, F.pad(row, (0, 1)))
    # One row for a decoder-only model: s1 ... sn SEP a1 ... am, scored from SEP on.
    m = (answers != PAD).sum(1, keepdim=True)
    position = torch.arange(int((n + m).max()) + 1)
    in_answer = (position - n).clamp(min=0, max=padded.size(1) - 1)
    labels = labels.gather(1, in_answer).masked_fill((position < n) | (position > n + m), PAD)
    from_answer = F.pad(padded, (1, 0)).gather(1, in_answer)
    from_source = F.pad(source, (0, max(0, len(position) - source.size(1))))[:, : len(position)]
    target = torch.where(position < n, from_source, from_answer)
    target = target.masked_fill(position == n, SEP).masked_fill(position > n + m, PAD)
    return Batch(None, target, n, labels)


def _joined(source: Tensor, answers: Tensor, n: Tensor) -> Tensor:
    """(B, S) sources of (B, 1) tokens each and (B, A) answers -> one after the other, without PAD between them."""
    m = (answers != PAD).sum(1, keepdim=True)
    t = torch.arange(int((n + m).max()))
    positions = torch.where(t < n, t, (source.size(1) + t - n).clamp(max=source.size(1) + answers.size(1)))
    both = F.pad(torch.cat([source, answers], dim=1), (0, 1))
    return both.gather(1, positions).masked_fill(t >= n + m, PAD)


def first_source(config: "RunConfig", batch: Batch) -> Tensor:
    """(S,) tokens of the first source of a batch, without PAD."""
    if batch.source is not None:
        row = batch.source[0]
        return row[row != PAD]
    assert batch.target is not None
    assert batch.source_lengths is not None
    first = int(task_of(config.task).continues)  # BOS
    return batch.target[0, first : first + int(batch.source_lengths[0])]


def answer_rows(config: "RunConfig", batch: Batch) -> Tensor:
    """(T,) of bool: the positions of the first row that predict its answer."""
    asked = batch.labels[0] != PAD
    if task_of(config.task).continues and batch.source_lengths is not None:  # the others predict the source
        asked = asked & (torch.arange(len(asked)) >= batch.source_lengths[0].cpu())
    return asked


def closed(task: "TaskConfig", architecture: "Architecture", answers: Tensor) -> Tensor:
    """(B, A) right answers -> the tokens to predict for them: with EOS, where one is to follow."""
    return answers if architecture == "encoder-only" or task_of(task).continues else with_eos(answers)


def with_eos(answers: Tensor) -> Tensor:
    """(B, A) answers padded with PAD -> (B, A + 1) the same, each closed by EOS."""
    ends = (answers != PAD).sum(1, keepdim=True)
    return F.pad(answers, (0, 1)).scatter(1, ends, EOS)


@dataclass(frozen=True)
class Sequences:
    """Sources drawn for a task, split for good into those trained on and those held out."""

    task: Task
    threshold: int  # a sequence whose hash is below is held out

    @classmethod
    def of(cls, config: "TaskConfig") -> "Sequences":
        task = task_of(config)
        if task.held_out(1) is not None:
            return cls(task, 0)
        if task.count_sources() > MAX_ENUMERATED:
            return cls(task, int(2**63 * config.held_out))
        # A small space may by chance hold out nothing or everything: take the lowest hashes, by count.
        hashes = sorted(set(_hash(task.canonical(every_source(task))).tolist()))
        return cls(task, hashes[max(1, int(len(hashes) * config.held_out))])

    def draw(self, count: int, generator: torch.Generator, *, held_out: bool = False) -> Tensor:
        """(count, S) sources padded with PAD: as the task draws them, from one side of the split."""
        source = self.task.sample(generator, count)
        wrong = self.is_held_out(source) != held_out
        while bool(wrong.any()):
            source[wrong] = self.task.sample(generator, int(wrong.sum()))
            wrong = self.is_held_out(source) != held_out
        return source

    def held_out(self, count: int = HELD_OUT_SEQUENCES) -> Tensor:
        """The first (<= count, S) of the held-out sources, all different, the same every time.

        Their order is random and never changes, so any part of the first `HELD_OUT_SEQUENCES` that is chosen by
        position is a fair sample.
        """
        first = _chosen(self, HELD_OUT_SEQUENCES, held_out=True)
        if count <= HELD_OUT_SEQUENCES or len(first) < HELD_OUT_SEQUENCES:
            return first[:count].clone()
        known = set(map(tuple, first.tolist()))
        others = [row for row in _chosen(self, count, held_out=True).tolist() if tuple(row) not in known]
        return torch.cat([first, torch.tensor(others[: count - len(first)], dtype=first.dtype).view(-1, first.size(1))])

    def trained(self, count: int) -> Tensor:
        """The first (<= count, S) sources that training may draw, all different, the same every time."""
        return _chosen(self, count, held_out=False)[:count].clone()

    def is_held_out(self, source: Tensor) -> Tensor:
        """(B,) whether each of (B, S) sources is held out."""
        return _hash(self.task.canonical(source)) < self.threshold


@lru_cache(maxsize=16)
def _chosen(sequences: Sequences, count: int, *, held_out: bool) -> Tensor:
    """At most `count` sources of one side, cached: drawing them takes as long as a training step or two."""
    generator = torch.Generator().manual_seed(0)
    found, by_hash = sequences.task.held_out(count) if held_out else None, sequences.threshold > 0
    if by_hash and sequences.task.count_sources() <= MAX_ENUMERATED:
        every = every_source(sequences.task)
        found = every[sequences.is_held_out(every) == held_out]
    if found is None:
        drawn: dict[tuple[int, ...], None] = {}  # keeps the order of drawing
        before = -1
        while before < len(drawn) < count:  # until nothing new comes: there may be fewer
            before = len(drawn)
            more = sequences.draw(HELD_OUT_SEQUENCES, generator, held_out=held_out)
            drawn.update(dict.fromkeys(map(tuple, more.tolist())))
        found = torch.tensor(list(drawn)[:count])
    # Sources counted one by one begin with the shortest, those drawn with the most frequent, those of a text with its
    # first ones.
    return found[torch.randperm(len(found), generator=generator)][:count]


def sources_tested(config: "RunConfig") -> Tensor:
    """(N, S) held-out sources of all evaluations of a run; each tests a part of them or all."""
    return Sequences.of(config.task).held_out(max(HELD_OUT_SEQUENCES, config.training.eval_sequences))


def every_source(task: Task) -> Tensor:
    """All sources of a small task, (N, S)."""
    return torch.tensor([[*row, *[PAD] * (task.max_source_length - len(row))] for row in task.every_source()])


# Random odd multipliers, one a position: Python promises this generator's bits for good.
_random = random.Random("held out")
_MULTIPLIERS = torch.tensor([(_random.getrandbits(63) | 1) for _ in range(64 * 16)])
_MIX = _random.getrandbits(63) | 1
# Drawn after _MIX, which must stay the same: longer sources came later.
_MULTIPLIERS = torch.cat([_MULTIPLIERS, torch.tensor([(_random.getrandbits(63) | 1) for _ in range(65 * 16)])])


def _hash(source: Tensor) -> Tensor:
    """(B,) hashes from 0 to 2**63 - 1 of (B, S) sources; PAD at the end adds nothing."""
    mixed = (source * _MULTIPLIERS[: source.size(1)]).sum(1)
    mixed = (mixed ^ (mixed >> 32)) * _MIX
    return (mixed ^ (mixed >> 29)) & (2**63 - 1)
