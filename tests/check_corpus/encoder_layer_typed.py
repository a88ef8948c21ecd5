from typing import Optional

import torch
from torch import nn
import torch.nn.functional as F


class EncoderLayer(nn.Module):
    """Post-norm encoder layer: LayerNorm(x + Sublayer(x)), twice."""

    def __init__(self, dim: int, heads: int, mlp_dim: int, dropout: float = 0.1) -> None:
        super().__init__()
        self.heads = heads
        self.qkv = nn.Linear(dim, 3 * dim)
        self.proj = nn.Linear(dim, dim)
        self.fc_in = nn.Linear(dim, mlp_dim)
        self.fc_out = nn.Linear(mlp_dim, dim)
        self.layer_norm = nn.LayerNorm(dim)
        self.dropout = nn.Dropout(dropout)

    def attend(self, x: torch.Tensor, mask: Optional[torch.Tensor]) -> torch.Tensor:
        b, n, d = x.shape
        q, k, v = (t.view(b, n, self.heads, -1).transpose(1, 2) for t in self.qkv(x).split(d, dim=-1))
        # mask (b, n): True = token, False = padding
        bias = None if mask is None else mask[:, None, None, :]
        out = F.scaled_dot_product_attention(q, k, v, attn_mask=bias)
        return self.proj(out.transpose(1, 2).reshape(b, n, d))

    def forward(self, x: torch.Tensor, mask: Optional[torch.Tensor] = None) -> torch.Tensor:
        x = self.layer_norm(x + self.dropout(self.attend(x, mask)))
        x = self.layer_norm(x + self.dropout(self.fc_out(F.relu(self.fc_in(x)))))
        return x
