"""multi-head-attention"""

import math

import torch
from torch import nn


class Head(nn.Module):
    def __init__(self, d_model, d_k):
        super().__init__()
        self.query = nn.Linear(d_model, d_k)
        self.key = nn.Linear(d_model, d_k)
        self.value = nn.Linear(d_model, d_k)

    def forward(self, q, k, v, mask):
        scores = self.query(q) @ self.key(k).transpose(1, 2) / math.sqrt(self.query.out_features)
        scores[~mask] = float("-inf")
        return torch.softmax(scores, dim=2) @ self.value(v)


class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.heads = nn.ModuleList([Head(d_model, d_model // num_heads) for _ in range(num_heads)])
        self.out = nn.Linear(d_model, d_model)

    def forward(self, q, k, v, mask):
        return self.out(torch.cat([head(q, k, v, mask) for head in self.heads], dim=-1))
