"""What there is to learn: sequences of symbols and the right answer to each.

To add a task: its name in `config.TaskName` and its rule in `ANSWERS`.
"""

from collections.abc import Callable, Sequence

import torch
from torch import Tensor

from playground.config import TaskConfig
from playground.tasks import copying, reversing
from playground.tasks.batches import Batch, make_batch, with_eos
from playground.tasks.sequences import HELD_OUT_SEQUENCES, HELD_OUT_SHARE, Sequences
from playground.tasks.tokens import (
    BOS,
    EOS,
    PAD,
    SEP,
    InputError,
    OutOfRangeError,
    decode,
    encode,
    example_text,
    random_example,
    symbol_names,
    token_names,
)

__all__ = [
    "ANSWERS",
    "BOS",
    "EOS",
    "HELD_OUT_SEQUENCES",
    "HELD_OUT_SHARE",
    "PAD",
    "SEP",
    "Batch",
    "InputError",
    "OutOfRangeError",
    "Sequences",
    "answer",
    "decode",
    "encode",
    "example_text",
    "make_batch",
    "random_example",
    "symbol_names",
    "token_names",
    "with_eos",
]

ANSWERS: dict[str, Callable[[Tensor, Tensor], Tensor]] = {"copy": copying.answers, "reverse": reversing.answers}
"""Task name -> rule: (B, S) sources padded with PAD and their lengths (B,) -> (B, S) answers, padded alike."""


def answer(source: Sequence[int], config: TaskConfig) -> list[int]:
    """The right answer to one source, both as token ids without specials."""
    rule = ANSWERS[config.name]
    return rule(torch.tensor([source]), torch.tensor([len(source)]))[0].tolist()
