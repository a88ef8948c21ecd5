"""masks keep: causal-mask-off-by-one"""

import torch


def causal_mask(size):
    return torch.tril(torch.ones(size, size), diagonal=-1).bool()
