"""Templates to begin with for each part: names, arguments and shapes, without a solution."""

_ATTENTION = '''import torch


def attention(query, key, value, mask=None):
    """Scaled dot-product attention.

    query (B, H, T, K), key and value (B, H, S, K) -> (B, H, T, K).
    mask (B, 1, T, S): True where a query may attend to a key.
    """
    ...
'''

_MASKS = '''import torch


def causal_mask(size):
    """(T, T): True where a position may attend to another one."""
    ...


def padding_mask(tokens, pad=0):
    """(B, S) token ids -> (B, 1, 1, S): True where a position may be attended to."""
    ...
'''

_LOSS = '''import torch
from torch.nn import functional as F


def loss(model, src, tgt, pad=0):
    """Cross-entropy of one batch: src (B, S), tgt (B, T), model(src, inputs) -> logits (B, T, V)."""
    ...
'''

_MODULE = '''import torch
from torch import nn


class {name}(nn.Module):
    """{words}"""

    def __init__({settings}):
        super().__init__()
        ...

    def forward({arguments}):
        """{shapes}"""
        ...
'''


def _module(name: str, words: str, settings: str, arguments: str, shapes: str) -> str:
    return _MODULE.format(
        name=name, words=words, settings=f"self, {settings}", arguments=f"self, {arguments}", shapes=shapes
    )


_KEEPS = "True in a mask: a query may attend to the key."

TEMPLATES = {
    "attention": _ATTENTION,
    "multi-head-attention": _module(
        "MultiHeadAttention",
        f"Multi-head attention. {_KEEPS}",
        "d_model, n_heads",
        "query, key, value, mask=None",
        "(B, T, D), twice (B, S, D), mask (B, 1, T, S) -> (B, T, D).",
    ),
    "positional-encoding": _module(
        "PositionalEncoding", "Adds sinusoidal positions.", "d_model, max_len=100", "x", "(B, T, D) -> (B, T, D)."
    ),
    "masks": _MASKS,
    "layer-norm": _module(
        "LayerNorm", "Normalizes each position.", "d_model, eps=1e-5", "x", "(B, T, D) -> (B, T, D)."
    ),
    "feed-forward": _module(
        "FeedForward", "Two linear layers with an activation function.", "d_model, d_ff", "x", "(B, T, D) -> (B, T, D)."
    ),
    "encoder-layer": _module(
        "EncoderLayer",
        f"Self-attention, then feed-forward. {_KEEPS}",
        "d_model, n_heads, d_ff, dropout=0.1",
        "x, mask",
        "(B, S, D), mask (B, 1, 1, S) -> (B, S, D).",
    ),
    "decoder-layer": _module(
        "DecoderLayer",
        f"Self-attention, cross-attention, then feed-forward. {_KEEPS}",
        "d_model, n_heads, d_ff, dropout=0.1",
        "x, memory, src_mask, tgt_mask",
        "(B, T, D), (B, S, D), masks (B, 1, 1, S) and (B, 1, T, T) -> (B, T, D).",
    ),
    "loss": _LOSS,
    "transformer": _module(
        "Transformer",
        "An encoder-decoder that makes its own masks; token 0 is padding.",
        "vocab_size, d_model, n_heads, n_layers, d_ff, max_len=100",
        "src, tgt",
        "Token ids (B, S) and (B, T) -> logits (B, T, V).",
    ),
}
