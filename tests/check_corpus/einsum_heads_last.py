import torch
from torch import nn


class MultiHeadAttention(nn.Module):
    # einsum for everything, so no transpose is needed at all

    def __init__(self, dim, num_heads=8, bias=True):
        super().__init__()
        self.num_heads = num_heads
        self.head_dim = dim // num_heads
        self.to_q = nn.Linear(dim, dim, bias=bias)
        self.to_k = nn.Linear(dim, dim, bias=bias)
        self.to_v = nn.Linear(dim, dim, bias=bias)
        self.to_out = nn.Linear(dim, dim)

    def split(self, t):
        return t.view(*t.shape[:-1], self.num_heads, self.head_dim)

    def forward(self, x, context=None, mask=None):
        """mask: (batch, queries, keys) of bool, True means look"""
        if context is None:
            context = x
        q, k, v = self.split(self.to_q(x)), self.split(self.to_k(context)), self.split(self.to_v(context))
        sim = torch.einsum('b i h d, b j h d -> b i j h', q, k) * self.head_dim ** -0.5
        if mask is not None:
            sim = sim.masked_fill(~mask[..., None], -torch.finfo(sim.dtype).max)
        attn = sim.softmax(dim=-1)
        out = torch.einsum('b i j h, b j h d -> b i h d', attn, v)
        return self.to_out(out.flatten(2))
