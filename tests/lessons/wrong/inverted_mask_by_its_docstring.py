"""attention: inverted-mask"""

import math

import torch


def attention(q, k, v, mask):
    """mask: True where a query must not attend to a key (hidden)."""
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.size(-1))
    scores = scores.masked_fill(~mask, -1e9)
    return torch.softmax(scores, dim=-1) @ v
