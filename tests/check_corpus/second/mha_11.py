from __future__ import annotations

from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import Tensor, nn


@dataclass(frozen=True, kw_only=True)
class AttentionConfig:
    d_model: int
    n_heads: int
    dropout: float = 0.0
    bias: bool = False


class MHA(nn.Module):
    def __init__(self, cfg: AttentionConfig):
        super().__init__()
        assert cfg.d_model % cfg.n_heads == 0
        self.cfg = cfg
        self.wq = nn.Linear(cfg.d_model, cfg.d_model, bias=cfg.bias)
        self.wkv = nn.Linear(cfg.d_model, 2 * cfg.d_model, bias=cfg.bias)
        self.wo = nn.Linear(cfg.d_model, cfg.d_model, bias=cfg.bias)

    def forward(self, x: Tensor, context: Tensor | None = None, *, mask: Tensor | None = None) -> Tensor:
        context = x if context is None else context
        h = self.cfg.n_heads
        q = self.wq(x).unflatten(-1, (h, -1)).transpose(1, 2)
        k, v = self.wkv(context).chunk(2, dim=-1)
        k = k.unflatten(-1, (h, -1)).transpose(1, 2)
        v = v.unflatten(-1, (h, -1)).transpose(1, 2)
        if mask is not None:
            mask = mask.bool()
            if mask.dim() == 3:
                mask = mask.unsqueeze(1)
        y = F.scaled_dot_product_attention(
            q, k, v, attn_mask=mask,
            dropout_p=self.cfg.dropout if self.training else 0.0,
        )
        return self.wo(y.transpose(1, 2).flatten(-2))
