"""masks: causal-mask-off-by-one"""

import torch


def subsequent_mask(size):
    return torch.triu(torch.full((size, size), float("-inf")), diagonal=2)
