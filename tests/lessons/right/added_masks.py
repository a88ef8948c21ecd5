"""attention multi-head-attention masks"""

import torch
from torch import nn


def attention(q, k, v, bias):
    return torch.softmax(q @ k.mT / q.shape[-1] ** 0.5 + bias, -1) @ v


class MHA(nn.Module):
    def __init__(self, dim, heads):
        super().__init__()
        self.heads = heads
        self.to_q = nn.Linear(dim, dim, bias=False)
        self.to_kv = nn.Linear(dim, 2 * dim, bias=False)
        self.to_out = nn.Linear(dim, dim)

    def split(self, x):
        return x.unflatten(-1, (self.heads, -1)).transpose(1, 2)

    def forward(self, x, context, mask):
        k, v = self.to_kv(context).chunk(2, -1)
        return self.to_out(
            attention(self.split(self.to_q(x)), self.split(k), self.split(v), mask).transpose(1, 2).flatten(2)
        )


def generate_square_subsequent_mask(sz):
    return torch.full((sz, sz), float("-inf")).triu(1)
