"""attention keep: mask-added-as-one"""

import math

import torch


def attention(q, k, v, mask):
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.size(-1))
    scores = scores + mask
    return torch.softmax(scores, dim=-1) @ v
