"""The layout of a batch for each architecture."""

from typing import NamedTuple

import torch
from torch import Tensor
from torch.nn import functional as F

from playground.config import RunConfig
from playground.tasks.tokens import BOS, EOS, PAD, SEP


class Batch(NamedTuple):
    """What a model reads and what it should say. PAD in `labels` is not scored."""

    source: Tensor | None  # (B, S) tokens; None in a decoder-only model
    target: Tensor | None  # (B, T) tokens the decoder reads; None in an encoder-only model
    labels: Tensor  # (B, T) or, encoder-only, (B, S): the token to predict at each position


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
