"""masks: padding-not-masked"""

import torch


def make_tgt_mask(tgt):
    return torch.tril(torch.ones(tgt.size(1), tgt.size(1))).bool()
