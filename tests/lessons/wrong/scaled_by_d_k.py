"""attention: scaled-without-root"""

import torch


def attention(q, k, v, mask):
    scores = q @ k.transpose(-2, -1) / q.size(-1)
    scores = scores.masked_fill(~mask, -1e9)
    return torch.softmax(scores, dim=-1) @ v
