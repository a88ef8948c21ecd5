"""Small models and batches in which no two axes have the same size."""

from typing import Any, get_args

import torch
from torch import Tensor

from playground.config import SPECIALS, Architecture, RunConfig
from playground.model import Transformer
from playground.tasks import Batch, make_batch

ARCHITECTURES: tuple[Architecture, ...] = get_args(Architecture)
WITH_DECODER = ("encoder-decoder", "decoder-only")

SMALL = RunConfig().updated(
    {"task.vocab_size": 7, "task.max_length": 6, "model.d_model": 12, "model.n_heads": 3, "model.d_ff": 10}
)
SIZES = {"B": 2, "H": 3, "K": 4, "S": 5, "T": 7, "F": 10, "V": 11, "D": 12, "1": 1}
"""Letters of `SMALL` and of the batches that `small_batch` makes for it."""


def small_config(architecture: str, **model: Any) -> RunConfig:
    """`SMALL` with other settings of the model."""
    return SMALL.updated(
        {"model.architecture": architecture} | {f"model.{name}": value for name, value in model.items()}
    )


def small_model(architecture: str, **model: Any) -> Transformer:
    """An untrained model in evaluation mode."""
    return Transformer(small_config(architecture, **model)).eval()


def random_tokens(rows: list[int], *, seed: int, vocab_size: int = SMALL.task.vocab_size) -> Tensor:
    """One row of random symbols for each length in `rows`, padded with PAD."""
    symbols = torch.randint(vocab_size, (len(rows), max(rows)), generator=torch.Generator().manual_seed(seed))
    beyond = torch.arange(max(rows)) >= torch.tensor(rows)[:, None]
    return (symbols + len(SPECIALS)).masked_fill(beyond, 0)


def small_batch(config: RunConfig, *, seed: int = 0) -> Batch:
    """Two sequences, the second one shorter, so that S = 5 and T = 7 whatever the architecture."""
    source, answers = {
        "encoder-decoder": ([5, 3], [6, 4]),
        "decoder-only": ([3, 1], [3, 2]),
        "encoder-only": ([5, 3], [5, 3]),
    }[config.model.architecture]
    return make_batch(config, random_tokens(source, seed=seed), random_tokens(answers, seed=seed + 1))
