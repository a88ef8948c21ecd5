"""attention layer-norm positional-encoding"""

import math

import torch


def attention(queries, keys, values):
    result = []
    for q in queries:
        scores = torch.tensor([float(torch.dot(q, k)) / math.sqrt(len(k)) for k in keys])
        weights = torch.exp(scores) / torch.exp(scores).sum()
        result.append(sum(w * v for w, v in zip(weights, values)))
    return torch.stack(result)


class LayerNorm(torch.nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.gain, self.shift = torch.nn.Parameter(torch.ones(dim)), torch.nn.Parameter(torch.zeros(dim))

    def forward(self, x):
        centred = x - x.mean(-1, keepdim=True)
        return self.gain * centred * torch.rsqrt(centred.pow(2).mean(-1, keepdim=True) + 1e-6) + self.shift


def positional_encoding(length, d_model):
    table = [
        [(math.sin, math.cos)[i % 2](pos / 10000 ** ((i - i % 2) / d_model)) for i in range(d_model)]
        for pos in range(length)
    ]
    return torch.tensor(table)
