"""What tests get: parts of right models of several kinds, and the same parts with a mistake."""

import copy
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import torch
from torch import Tensor, nn

from playground.lessons.mistakes.table import EXAMINED
from playground.model.embeddings import PositionalEncoding
from playground.model.task_model import TaskModel
from playground.settings.config import RunConfig
from playground.tasks.tokens import PAD, SPECIALS

CONFIG = "config"
"""Name of the argument that gets a `Config`."""


class Model(nn.Module):
    """The whole transformer, called as `model(source, target)`."""

    def __init__(self, transformer: TaskModel) -> None:
        super().__init__()
        self.transformer = transformer

    def forward(self, source: Tensor, target: Tensor) -> Tensor:
        """(B, S) and (B, T) token ids -> logits (B, T, V)."""
        logits: Tensor = self.transformer(source, target)[0]
        return logits


class Positions(nn.Module):
    """The position table, called as `positional_encoding(length)`."""

    def __init__(self, encoding: PositionalEncoding) -> None:
        super().__init__()
        self.encoding = encoding

    def forward(self, length: int) -> Tensor:
        """A number of positions -> (length, D)."""
        table: Tensor = self.encoding(length, None)[0]
        return table


@dataclass(frozen=True)
class Part:
    """A part of the model that a test can ask for."""

    call: str
    shapes: str
    path: str  # of the module in the model
    names: tuple[str, ...] = ()  # further names of the argument, lower case and without underscores
    wrapped: Callable[[Any], nn.Module] = lambda module: module


PARTS = {
    "attention": Part(
        "attention(query, key, value, mask)",
        "(B, H, T, K), (B, H, S, K), (B, H, S, K), mask (B, 1, T, S) -> (B, H, T, K)",
        "decoder.layers.0.self_attention.attention",
        ("scaleddotproductattention",),
    ),
    "multi_head_attention": Part(
        "multi_head_attention(x, memory, mask)",
        "(B, T, D), (B, S, D), mask (B, 1, T, S) -> (B, T, D)",
        "decoder.layers.0.self_attention",
        ("mha", "multiheadedattention"),
    ),
    "layer_norm": Part(
        "layer_norm(x)",
        "(B, T, D) -> (B, T, D)",
        "encoder.layers.0.self_attention_add_norm.norm",
        ("norm",),
    ),
    "positional_encoding": Part(
        "positional_encoding(length)",
        "a number -> (length, D)",
        "encoder.embeddings.positions",
        ("positions",),
        Positions,
    ),
    "feed_forward": Part(
        "feed_forward(x)",
        "(B, T, D) -> (B, T, D)",
        "encoder.layers.0.feed_forward",
        ("ffn",),
    ),
    "encoder_layer": Part(
        "encoder_layer(x, mask)",
        "(B, S, D), mask (B, 1, S, S) -> (B, S, D)",
        "encoder.layers.0",
    ),
    "decoder_layer": Part(
        "decoder_layer(x, mask, memory, memory_mask)",
        "(B, T, D), (B, 1, T, T), (B, S, D), (B, 1, T, S) -> (B, T, D)",
        "decoder.layers.0",
    ),
    "model": Part(
        "model(source, target)",
        "token ids (B, S) and (B, T) -> logits (B, T, V)",
        "",
        ("transformer",),
        Model,
    ),
}
"""By the name of the argument."""


@dataclass(frozen=True)
class Config:
    """Sizes and kind of the model that a part belongs to."""

    d_model: int
    n_heads: int
    d_ff: int
    vocab_size: int
    max_positions: int
    norm_position: str
    activation: str
    pad: int = PAD
    first_token: int = len(SPECIALS)  # the ids before it are special tokens

    def __str__(self) -> str:
        return f"{self.norm_position}-norm, d_model {self.d_model}, {self.n_heads} heads, {self.activation}"


KINDS = (
    {"model.norm_position": "post"},
    {"model.norm_position": "pre", "model.d_model": 24, "model.n_heads": 3, "model.d_ff": 40, "model.n_layers": 1},
    {"model.norm_position": "post", "model.d_model": 20, "model.activation": "gelu", "model.n_layers": 1},
    {"model.norm_position": "pre", "model.d_model": 48, "model.n_heads": 8, "model.activation": "gelu"},
)
"""Settings of the right models, besides `_BASE`; a test must accept all of them."""

_BASE = RunConfig().updated(
    {
        "task.name": "copy",
        "task.vocab_size": 20,
        "task.max_length": 32,
        "model.d_model": 32,
        "model.n_heads": 4,
        "model.n_layers": 2,
        "model.d_ff": 64,
        "model.positions": "sinusoidal",
        "model.dropout": 0.1,
    }
)


@lru_cache
def _model(kind: int) -> TaskModel:
    return TaskModel(_BASE.updated({**KINDS[kind], "seed": kind}))


def config_of(kind: int) -> Config:
    """The sizes of a right model of a kind, an index of `KINDS`."""
    config = _model(kind).config
    model = config.model
    sizes = model.d_model, model.n_heads, model.d_ff, config.vocabulary_size, config.max_positions
    return Config(*sizes, model.norm_position, model.activation)


def module_of(part: str, kind: int, mistake: str | None = None) -> nn.Module | None:
    """A new module in evaluation mode, with a mistake of `EXAMINED`; None if the mistake isn't made in this part."""
    with torch.inference_mode(False):
        module = PARTS[part].wrapped(copy.deepcopy(_model(kind)).get_submodule(PARTS[part].path))
        if mistake is not None and not EXAMINED[mistake].ways[0].put_into(module):
            return None
        return module.eval()


@lru_cache
def possible(part: str) -> tuple[str, ...]:
    """The mistakes that can be made in a part."""
    return tuple(name for name in EXAMINED if module_of(part, 0, name) is not None)
