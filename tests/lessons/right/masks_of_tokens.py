"""masks"""

import torch


def create_mask(src, tgt, pad_idx=0):
    src_mask = (src != pad_idx).unsqueeze(1).unsqueeze(2)
    tgt_mask = (tgt != pad_idx).unsqueeze(1).unsqueeze(3)
    length = tgt.size(1)
    causal = torch.tril(torch.ones(1, length, length)).bool()
    return src_mask, (tgt != pad_idx).unsqueeze(1).unsqueeze(2) & causal & tgt_mask.any()


def create_look_ahead_mask(size):
    return 1 - torch.tril(torch.ones(size, size))


def create_padding_mask(seq):
    """1 hides a position."""
    return (seq == 0).float()[:, None, None, :]
