"""masks keep: causal-mask-transposed"""

import torch


def causal_mask(size):
    return torch.triu(torch.ones(size, size)).bool()
