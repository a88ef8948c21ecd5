from typing import NamedTuple

import torch


class Masks(NamedTuple):
    src: torch.Tensor   # (B, 1, S)
    tgt: torch.Tensor   # (B, T, T)


def causal_mask(size: int) -> torch.Tensor:
    """True where position i (row) may attend to position j (column)."""
    mask = torch.triu(torch.ones(1, size, size))
    return mask == 1


def build_masks(src: torch.Tensor, tgt: torch.Tensor, pad_token: int = 0) -> Masks:
    src_mask = (src != pad_token).unsqueeze(1)
    tgt_mask = (tgt != pad_token).unsqueeze(1) & causal_mask(tgt.size(1)).to(tgt.device)
    return Masks(src=src_mask, tgt=tgt_mask)
