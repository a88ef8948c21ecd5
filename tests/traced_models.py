"""Transformers as people write them, for tests of what traces them."""

import math
from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from tests.helpers import small_batch, small_model


class CausalSelfAttention(nn.Module):
    """One projection for queries, keys and values, as in nanoGPT."""

    def __init__(self, width: int, heads: int, length: int) -> None:
        super().__init__()
        self.c_attn, self.c_proj = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.heads = heads
        self.register_buffer("bias", torch.tril(torch.ones(length, length)).view(1, 1, length, length))

    def forward(self, x: Tensor) -> Tensor:
        batch, length, width = x.size()
        q, k, v = self.c_attn(x).split(width, dim=2)
        q, k, v = (y.view(batch, length, self.heads, width // self.heads).transpose(1, 2) for y in (q, k, v))
        att = (q @ k.transpose(-2, -1)) * (1.0 / math.sqrt(k.size(-1)))
        att = att.masked_fill(self.bias[:, :, :length, :length] == 0, float("-inf"))
        att = F.softmax(att, dim=-1)
        y = (att @ v).transpose(1, 2).contiguous().view(batch, length, width)
        return self.c_proj(y)


class Block(nn.Module):
    """Pre-norm."""

    def __init__(self, width: int, heads: int, length: int) -> None:
        super().__init__()
        self.ln_1, self.ln_2 = nn.LayerNorm(width), nn.LayerNorm(width)
        self.attn = CausalSelfAttention(width, heads, length)
        self.mlp = nn.Sequential(nn.Linear(width, 4 * width), nn.GELU(approximate="tanh"), nn.Linear(4 * width, width))

    def forward(self, x: Tensor) -> Tensor:
        x = x + self.attn(self.ln_1(x))
        return x + self.mlp(self.ln_2(x))


class Gpt(nn.Module):
    """A decoder of such blocks with learned positions and tied weights."""

    def __init__(
        self, vocabulary: int = 19, width: int = 16, heads: int = 4, layers: int = 2, length: int = 12
    ) -> None:
        super().__init__()
        self.wte, self.wpe = nn.Embedding(vocabulary, width), nn.Embedding(length, width)
        self.h = nn.ModuleList([Block(width, heads, length) for _ in range(layers)])
        self.ln_f, self.lm_head = nn.LayerNorm(width), nn.Linear(width, vocabulary, bias=False)
        self.wte.weight = self.lm_head.weight

    def forward(self, idx: Tensor) -> tuple[Tensor, None]:
        x = self.wte(idx) + self.wpe(torch.arange(idx.size(1), device=idx.device))
        for block in self.h:
            x = block(x)
        return self.lm_head(self.ln_f(x)), None


class Head(nn.Module):
    """One head, as courses write it."""

    def __init__(self, width: int, size: int) -> None:
        super().__init__()
        self.query, self.key, self.value = (nn.Linear(width, size, bias=False) for _ in range(3))

    def forward(self, x: Tensor, mask: Tensor | None) -> Tensor:
        scores = torch.bmm(self.query(x), self.key(x).transpose(1, 2))
        scores /= self.key.out_features**0.5
        if mask is not None:
            scores += torch.where(mask, 0.0, -1e9)
        return scores.softmax(dim=-1) @ self.value(x)


class LoopOverHeads(nn.Module):
    """A list of heads, with a norm written out, and an answer in a dict."""

    def __init__(self, width: int = 12, heads: int = 3) -> None:
        super().__init__()
        self.heads = nn.ModuleList([Head(width, width // heads) for _ in range(heads)])
        self.join = nn.Linear(width, width)
        self.gain, self.bias = nn.Parameter(torch.rand(width)), nn.Parameter(torch.rand(width))

    def forward(self, x: Tensor, mask: Tensor | None = None) -> dict[str, Tensor]:
        x = x + self.join(torch.cat([head(x, mask) for head in self.heads], dim=-1))
        mean, variance = x.mean(-1, keepdim=True), x.var(-1, keepdim=True, unbiased=False)
        return {"states": self.gain * (x - mean) / torch.sqrt(variance + 1e-5) + self.bias}


def _seeded(made: Callable[[], nn.Module]) -> nn.Module:
    with torch.random.fork_rng():
        torch.manual_seed(0)
        return made().eval()


def _numbers(*shape: int) -> Tensor:
    return torch.randn(*shape, generator=torch.Generator().manual_seed(2))


def _ours() -> tuple[nn.Module, tuple[Any, ...]]:
    model = small_model("encoder-decoder")
    return model, tuple(small_batch(model.config))


MODELS: dict[str, Callable[[], tuple[nn.Module, tuple[Any, ...]]]] = {
    "ours": _ours,
    "nn.Transformer": lambda: (
        _seeded(lambda: nn.Transformer(12, 2, 1, 1, 20, batch_first=True)),
        (_numbers(2, 5, 12), _numbers(2, 4, 12)),
    ),
    "nanoGPT": lambda: (_seeded(Gpt), (torch.randint(19, (2, 7), generator=torch.Generator().manual_seed(1)),)),
    "a loop over heads": lambda: (
        _seeded(LoopOverHeads),
        (_numbers(2, 5, 12), torch.ones(5, 5, dtype=torch.bool).tril()),
    ),
}
"""A module in evaluation mode and its inputs, by name."""
