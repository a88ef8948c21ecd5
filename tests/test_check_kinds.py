"""Kinds of code that people write, one short file each, right and wrong."""

from pathlib import Path

import pytest

from playground.lessons.check.checking import verdict_here

HEADS = '''
import torch

def joined(x):
    return x.transpose(1, 2).flatten(2)

def mix(q, k, v, mask=None):
    """q (batch, heads, queries, features), mask: 0 hides a key."""
    scores = q @ k.transpose(-2, -1) / k.size(3) ** 0.5
    if mask is not None:
        scores = scores.masked_fill(mask == 0, -1e9)
    return scores.softmax(-1) @ v

def self_attention(x, n_heads):
    h = x.unflatten(-1, (n_heads, -1)).transpose(1, 2)
    return joined(mix(h, h, h))
'''

NORM_OF_ROWS = '''
def layer_norm(x, gamma, beta, ln_param):
    """x: shape (N, D), gamma: shape (D,)"""
    mean, var = x.mean(1, keepdim=True), x.var(1, keepdim=True, correction=0)
    return gamma * (x - mean) / (var + ln_param.get("eps", 1e-5)) ** 0.5 + beta
'''

NO_MEAN = """
import torch
from torch import nn

class LayerNorm(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.gain, self.bias = nn.Parameter(torch.ones(width)), nn.Parameter(torch.zeros(width))

    def forward(self, x):
        x = x - x.mean(-1, keepdim=True)
        return x / (x.pow(2).mean(-1, keepdim=True) + 1e-5).sqrt() * self.gain + self.bias
"""

MASKS = '''
"""1 = blocked, 0 = free."""
import numpy as np

class Batch:
    @staticmethod
    def make_mask(tokens, pad):
        real = (tokens != pad)[:, None, :]
        return ~real | look_ahead_mask(tokens.shape[1]).astype(bool)

def look_ahead_mask(size):
    return np.triu(np.ones((size, size), dtype=np.float32), k=1)

def add_mask(logits, mask):
    return logits + mask * -1e9
'''

LAYERS = """
import torch
from torch import nn

class TinyLM(nn.Module):
    def __init__(self, vocab_size, d_model, n_heads, n_layers, max_len=50):
        super().__init__()
        self.tokens, self.positions = nn.Embedding(vocab_size, d_model), nn.Embedding(max_len, d_model)
        self.layers = nn.ModuleList(
            nn.TransformerEncoderLayer(d_model, n_heads, 40, batch_first=True) for _ in range(n_layers)
        )
        self.head = nn.Linear(d_model, vocab_size)

    def forward(self, ids):
        x = self.tokens(ids) + self.positions(torch.arange(ids.size(1)))
        future = torch.ones(ids.size(1), ids.size(1), dtype=torch.bool).triu(1)
        for layer in self.layers:
            x = layer(x, src_mask=future)
        return self.head(x)
"""

WAVES = """
import torch

def timing_signal(length, channels):
    at = torch.arange(length)[:, None] * 10000.0 ** (-torch.arange(channels // 2) / (channels // 2))
    return torch.cat([at.sin(), at.cos()], 1)

def add_to(x):
    return x + timing_signal(*x.shape[1:])
"""

DECODER = """
import torch
from torch import nn

class DecoderLayer(nn.Module):
    def __init__(self, d, heads, d_ff):
        super().__init__()
        self.own, self.other = (nn.MultiheadAttention(d, heads, batch_first=True) for _ in range(2))
        self.norms = nn.ModuleList(nn.LayerNorm(d) for _ in range(3))
        self.inner, self.outer = nn.Linear(d, d_ff), nn.Linear(d_ff, d)

    def forward(self, y, memory, y_padding=None, src_padding=None):
        future = torch.ones(y.size(1), y.size(1), dtype=torch.bool).triu(1)
        y = self.norms[0](y + self.own(y, y, y, attn_mask=future, key_padding_mask=y_padding)[0])
        y = self.norms[1](y + self.other(y, memory, memory, key_padding_mask=src_padding)[0])
        return self.norms[2](y + self.outer(self.inner(y).relu()))
"""

WINDOWS = """
import torch
from torch import nn

WINDOW, CHANNELS = 30, 6

class Activities(nn.Module):
    def __init__(self, d_model=32, n_heads=4, n_layers=2, n_classes=5):
        super().__init__()
        self.first = nn.Linear(CHANNELS, d_model)
        self.positions = nn.Parameter(torch.randn(1, WINDOW, d_model))
        layer = nn.TransformerEncoderLayer(d_model, n_heads, 64, batch_first=True)
        self.encoder, self.head = nn.TransformerEncoder(layer, n_layers), nn.Linear(d_model, n_classes)

    def forward(self, x):
        return self.head(self.encoder(self.first(x) + self.positions).mean(1))
"""

LOSS = """
import torch.nn.functional as F

def lm_loss(model, x, y):
    logits = model(x)
    return F.cross_entropy(logits.flatten(0, 1), y.flatten())
"""

WEIGHTS = """
import torch

D, HIDDEN = 16, 64

def init_ffn():
    return {"w1": torch.randn(D, HIDDEN), "b1": torch.zeros(HIDDEN), "w2": torch.randn(HIDDEN, D), "b2": torch.zeros(D)}

def ffn(params, x):
    return (x @ params["w1"] + params["b1"]).clamp(min=0) @ params["w2"] + params["b2"]
"""

CROSS = """
from torch import nn

class CrossAttention(nn.Module):
    def __init__(self, d_model, n_heads):
        super().__init__()
        self.n_heads = n_heads
        self.q, self.k, self.v, self.join = (nn.Linear(d_model, d_model) for _ in range(4))

    def forward(self, one, other, mask=None):
        mapped = self.q(other), self.k(one), self.v(one)
        q, k, v = (y.unflatten(-1, (self.n_heads, -1)).transpose(1, 2) for y in mapped)
        scores = q @ k.mT / q.size(-1) ** 0.5
        if mask is not None:
            scores = scores.masked_fill(mask == 0, -1e9)
        return self.join((scores.softmax(-1) @ v).transpose(1, 2).flatten(2))
"""

ADDED = """
import torch

def attention(q, k, v, mask=None):
    # mask: 0 where a key is visible, -1e9 where it is hidden
    scores = q @ k.transpose(-2, -1) / q.size(-1) ** 0.5
    if mask is not None:
        scores = scores + mask
    return scores.softmax(-1) @ v
"""

CAUSAL_INSIDE = """
import torch
from torch import nn

class Bloc(nn.Module):
    def __init__(self, d_model, n_heads, d_ff):
        super().__init__()
        self.own = nn.MultiheadAttention(d_model, n_heads, batch_first=True)
        self.cross = nn.MultiheadAttention(d_model, n_heads, batch_first=True)
        self.ffn = nn.Sequential(nn.Linear(d_model, d_ff), nn.GELU(), nn.Linear(d_ff, d_model))
        self.norms = nn.ModuleList(nn.LayerNorm(d_model) for _ in range(3))

    def forward(self, x, memory, vide=None):
        later = torch.ones(x.size(1), x.size(1), dtype=torch.bool).triu(1)
        y = self.norms[0](x)
        x = x + self.own(y, y, y, attn_mask=later)[0]
        x = x + self.cross(self.norms[1](x), memory, memory, key_padding_mask=vide)[0]
        return x + self.ffn(self.norms[2](x))
"""

PADDING_LEFT_OUT = CAUSAL_INSIDE.replace("vide=None", "causal_mask, recipe_padding").replace(
    "attn_mask=later", "attn_mask=causal_mask"
)

FUSED_NORM = """
import torch
from torch import nn

class Norm(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.gain, self.shift = nn.Parameter(torch.ones(width)), nn.Parameter(torch.zeros(width))

    def forward(self, x):
        x = x - x.mean(-1, keepdim=True)
        return torch.addcmul(self.shift, self.gain, x * torch.rsqrt(x.square().mean(-1, keepdim=True) + 1e-5))
"""

CASES = [
    (ADDED, "attention", "", "", None),
    (ADDED, "attention", " / q.size(-1) ** 0.5", "", "no-scaling"),
    (CROSS, "multi-head-attention", "", "", None),
    (CROSS, "multi-head-attention", "scores.masked_fill(mask == 0, -1e9)", "scores * mask", "mask-multiplied"),
    (DECODER, "decoder-layer", "", "", None),
    (DECODER, "decoder-layer", ", key_padding_mask=src_padding", "", "cross-attention-without-mask"),
    (DECODER, "decoder-layer", "self.other(y, memory", "self.own(y, memory", "one-attention-shared"),
    (DECODER, "decoder-layer", "self.other(y, memory, memory", "self.other(y, y, y", "cross-attention-to-itself"),
    (WINDOWS, "transformer", "", "", None),
    (WINDOWS, "transformer", ", batch_first=True", "", "softmax-over-batch"),
    (WINDOWS, "transformer", " + self.positions", "", "no-positions"),
    (LOSS, "loss", "", "", None),
    (LOSS, "loss", "import torch", "PAD = 0\nimport torch", "padding-scored"),
    (WEIGHTS, "feed-forward", "", "", None),
    (WEIGHTS, "feed-forward", ".clamp(min=0)", "", "relu-missing"),
    (HEADS, "attention", "", "", None),
    (HEADS, "attention", "k.size(3)", "k.size(2)", ""),
    (NORM_OF_ROWS, "layer-norm", "", "", None),
    (NORM_OF_ROWS, "layer-norm", "mean(1, ", "mean(0, ", "norm-over-wrong-axis"),
    (NO_MEAN, "layer-norm", "", "", None),
    (NO_MEAN, "layer-norm", "x = x - x.mean(-1, keepdim=True)", "pass", ""),
    (MASKS, "masks", "", "", None),
    (MASKS, "masks", ", k=1)", ")", "causal-mask-off-by-one"),
    (MASKS, "masks", "~real | look", "~real & look", "masks-joined-by-or"),
    (LAYERS, "transformer", "", "", None),
    (LAYERS, "transformer", "x = layer(x", "y = layer(x", ""),
    (LAYERS, "transformer", "src_mask=future", "src_mask=~future", "inverted-mask"),
    (WAVES, "positional-encoding", "", "", None),
    (CAUSAL_INSIDE, "decoder-layer", "", "", None),
    (PADDING_LEFT_OUT, "decoder-layer", "=vide", "=recipe_padding", None),
    (PADDING_LEFT_OUT, "decoder-layer", ", key_padding_mask=vide", "", "cross-attention-without-mask"),
    (FUSED_NORM, "layer-norm", "", "", None),
]


@pytest.mark.parametrize(("text", "part", "before", "after", "cause"), CASES)
def test_a_kind_of_code(text: str, part: str, before: str, after: str, cause: str | None, tmp_path: Path):
    """`cause` is "" for a mistake without a name."""
    assert before in text
    code = text.replace(before, after) if before else text
    (tmp_path / "mine.py").write_text(code.replace("self.head(x)", "self.head(y)") if "y = layer" in code else code)
    verdict = verdict_here(tmp_path / "mine.py", part, None)
    expected = ("right", None) if cause is None else ("wrong", cause or None)
    assert (verdict.verdict, verdict.cause) == expected, verdict.message
