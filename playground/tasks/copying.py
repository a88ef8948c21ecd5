"""copy: the answer is the input."""

from torch import Tensor


def answers(source: Tensor, lengths: Tensor) -> Tensor:
    """(B, S) sources padded with PAD and their lengths (B,) -> (B, S) answers, padded alike."""
    return source
