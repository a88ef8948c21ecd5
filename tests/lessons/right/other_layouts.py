"""attention multi-head-attention encoder-layer"""

import torch
from torch import nn


def attention(q, k, v):
    """Positions first, heads on the third axis: (T, B, H, K)."""
    weights = torch.einsum("tbhk,sbhk->bhts", q, k).div(q.shape[-1] ** 0.5).softmax(-1)
    return torch.einsum("bhts,sbhk->tbhk", weights, v)


class SelfAttention(nn.Module):
    """Heads on the first axis, and one matrix for the queries, keys and values of each head."""

    def __init__(self, d_model, n_heads):
        super().__init__()
        self.qkv = nn.Parameter(torch.randn(3, n_heads, d_model, d_model // n_heads))
        self.out = nn.Parameter(torch.randn(n_heads, d_model // n_heads, d_model))

    def forward(self, x, mask):
        q, k, v = torch.einsum("btd,zhdk->zhbtk", x, self.qkv)
        scores = torch.einsum("hbtk,hbsk->hbts", q, k) / q.size(-1) ** 0.5
        weights = scores.masked_fill(~mask, float("-inf")).softmax(-1)
        return torch.einsum("hbts,hbsk,hkd->btd", weights, v, self.out)


class EncoderLayer(nn.Module):
    def __init__(self, d_model, n_heads, d_ff):
        super().__init__()
        self.attn = SelfAttention(d_model, n_heads)
        self.up, self.down = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.ln1, self.ln2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)

    def forward(self, x, mask):
        x = x + self.attn(self.ln1(x), mask)
        return x + self.down(self.up(self.ln2(x)).relu())
