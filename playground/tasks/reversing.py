"""reverse: the answer is the input, last symbol first."""

import torch
from torch import Tensor

from playground.tasks.tokens import PAD


def answers(source: Tensor, lengths: Tensor) -> Tensor:
    """(B, S) sources padded with PAD and their lengths (B,) -> (B, S) answers, padded alike."""
    positions = torch.arange(source.size(1))
    mirrored = (lengths[:, None] - 1 - positions).clamp(min=0)
    return source.gather(1, mirrored).masked_fill(positions >= lengths[:, None], PAD)
