"""Pairs of inputs for patching: each input with another one that has the same length and another answer."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import torch
from torch import Tensor
from torch.nn.utils.rnn import pad_sequence

from playground.common.numbers import counted
from playground.interpret.interventions import InterventionError, typed_source
from playground.settings.config import RunConfig
from playground.settings.estimate import pass_size
from playground.tasks import PAD
from playground.tasks.batches import HELD_OUT_SEQUENCES, Batch, Sequences, make_batch, right_answers

PAIRS = 100
"""Held-out pairs that are drawn by default."""


class PairGroup(NamedTuple):
    """Pairs for one pass. In both, the decoder reads the right answer of its own input."""

    source: Tensor  # (B, S)
    own: Batch
    other: Batch
    differ: Tensor  # (B,) of bool


class Pairs(NamedTuple):
    """Inputs and the input that each is patched from: row i of both has the same lengths of input and answer."""

    source: Tensor  # (N, S) token ids, padded with PAD
    other: Tensor  # (N, S)
    differ: Tensor  # (N,) of bool: the answers differ; if not, `other` may be the input itself

    def groups(self, config: RunConfig) -> Iterator[PairGroup]:
        """The pairs in groups for one pass, the longest first."""
        lengths = (self.source != PAD).sum(1)
        for rows in lengths.argsort(stable=True, descending=True).split(pass_size(config)):
            source, other = (side[rows, : int(lengths[rows[0]])] for side in (self.source, self.other))
            yield PairGroup(source, make_batch(config, source), make_batch(config, other), self.differ[rows])


def paired(config: RunConfig, source: Tensor) -> Pairs:
    """(N, S) sources, each with the next one of the same lengths of input and answer and with another answer.

    The last of them is followed by the first, as in resample ablation (Chan et al. 2022). An input without such a
    partner keeps itself.
    """
    answers, other = right_answers(config, source), torch.arange(len(source))
    lengths = torch.stack([(tokens != PAD).sum(1) for tokens in (source, answers)], dim=1)
    for lengths_of in lengths.unique(dim=0):
        group = (lengths == lengths_of).all(1).nonzero()[:, 0]
        left = torch.arange(len(group))
        for shift in range(1, len(group)):
            partner = (left + shift) % len(group)
            found = (answers[group[left]] != answers[group[partner]]).any(1)
            other[group[left[found]]] = group[partner[found]]
            left = left[~found]
            if not len(left):
                break
    return Pairs(source, source[other], other != torch.arange(len(source)))


def held_out_pairs(config: RunConfig, count: int = PAIRS) -> Pairs:
    """The first `count` pairs of held-out inputs with different answers; fewer if there are fewer.

    Raises `InterventionError` for a count out of range, and if there is no pair.
    """
    if not 1 <= count <= HELD_OUT_SEQUENCES:
        raise InterventionError(f"{count:,} pairs are not possible. Use 1 to {HELD_OUT_SEQUENCES:,}.")
    pairs = paired(config, Sequences.of(config.task).held_out(HELD_OUT_SEQUENCES))
    rows = pairs.differ.nonzero()[:count, 0]
    if not len(rows):
        raise InterventionError(
            "No two held-out inputs have the same length and different answers.", "Give pairs of inputs."
        )
    return Pairs(*(part[rows] for part in pairs))


def typed_pairs(config: RunConfig, texts: Sequence[str], others: Sequence[str]) -> Pairs:
    """Pairs of inputs as typed: text i is patched from other i, or all from the only other one.

    Raises `InputError` for an invalid input, and `InterventionError` if a pair differs in length or not in its answer.
    """
    if len(others) == 1:
        others = [*others] * max(1, len(texts))
    if len(texts) != len(others) or not texts:
        given = f"{counted(len(texts), 'input')} and {counted(len(others), 'other input')}"
        raise InterventionError(f"{given} can't be paired.", "Give one other input for each input, or one for all.")
    sides: tuple[list[Tensor], list[Tensor]] = [], []
    for number, (text, other) in enumerate(zip(texts, others, strict=True), start=1):
        source = typed_source(text, config)
        pair = source, typed_source(other, config, source.size(1))
        right, wrong = (right_answers(config, tokens) for tokens in pair)
        which = f"pair {number}" if len(texts) > 1 else "the two inputs"
        if (right != PAD).sum() != (wrong != PAD).sum():
            raise InterventionError(f"The answers of {which} have different lengths. A patch needs equal lengths.")
        if torch.equal(right, wrong):
            raise InterventionError(
                f"The answers of {which} are the same, so no patch can change them.", "Choose another input."
            )
        for side, tokens in zip(sides, pair, strict=True):
            side.append(tokens[0])
    padded = [pad_sequence(side, batch_first=True, padding_value=PAD) for side in sides]
    return Pairs(padded[0], padded[1], torch.ones(len(texts), dtype=torch.bool))
