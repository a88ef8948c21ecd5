"""attention multi-head-attention"""

import torch
from torch import einsum, nn


def scaled_dot_product_attention(q, k, v, mask):
    """mask: True where a query may attend to a key"""
    scores = einsum("bhqd,bhkd->bhqk", q, k) * k.shape[-1] ** -0.5
    return einsum("bhqk,bhkd->bhqd", scores.masked_fill(~mask, float("-inf")).softmax(-1), v)


class MultiHeadAttention(nn.Module):
    def __init__(self, n_heads, d_model):
        super().__init__()
        width = d_model // n_heads
        self.W_q = nn.Parameter(torch.randn(n_heads, d_model, width))
        self.W_k = nn.Parameter(torch.randn(n_heads, d_model, width))
        self.W_v = nn.Parameter(torch.randn(n_heads, d_model, width))
        self.W_o = nn.Parameter(torch.randn(n_heads, width, d_model))

    def forward(self, x, context, mask):
        q = einsum("btd,hdk->bhtk", x, self.W_q)
        k = einsum("bsd,hdk->bhsk", context, self.W_k)
        v = einsum("bsd,hdk->bhsk", context, self.W_v)
        return einsum("bhtk,hkd->btd", scaled_dot_product_attention(q, k, v, mask), self.W_o)
