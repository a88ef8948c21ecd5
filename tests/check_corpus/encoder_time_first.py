"""An encoder layer for input of shape (time, batch, features), post-norm, GELU."""
from dataclasses import dataclass
from typing import Optional

import torch
import torch.nn.functional as F
from torch import Tensor, nn


@dataclass
class LayerOutput:
    hidden: Tensor
    attention: Tensor


class TransformerEncoderLayer(nn.Module):
    def __init__(self, embed_dim: int, num_heads: int, ffn_dim: int, dropout: float = 0.1, layer_norm_eps: float = 1e-12):
        super().__init__()
        self.num_heads = num_heads
        self.in_proj = nn.Linear(embed_dim, 3 * embed_dim)
        self.out_proj = nn.Linear(embed_dim, embed_dim)
        self.self_attn_layer_norm = nn.LayerNorm(embed_dim, eps=layer_norm_eps)
        self.fc1 = nn.Linear(embed_dim, ffn_dim)
        self.fc2 = nn.Linear(ffn_dim, embed_dim)
        self.final_layer_norm = nn.LayerNorm(embed_dim, eps=layer_norm_eps)
        self.p = dropout

    def forward(self, x: Tensor, attn_mask: Optional[Tensor] = None) -> LayerOutput:
        # attn_mask: (time, time), is added to the scores (0 or -inf)
        T, B, D = x.shape
        H = self.num_heads
        q, k, v = self.in_proj(x).chunk(3, dim=-1)
        # (T, B, D) -> (B * H, T, D / H)
        q = q.contiguous().view(T, B * H, D // H).transpose(0, 1)
        k = k.contiguous().view(T, B * H, D // H).transpose(0, 1)
        v = v.contiguous().view(T, B * H, D // H).transpose(0, 1)
        w = torch.bmm(q * (D // H) ** -0.5, k.transpose(1, 2))
        if attn_mask is not None:
            w = w + attn_mask
        w = w.softmax(-1)
        y = torch.bmm(F.dropout(w, self.p, self.training), v)
        y = self.out_proj(y.transpose(0, 1).reshape(T, B, D))
        x = self.self_attn_layer_norm(x + F.dropout(y, self.p, self.training))

        y = self.fc2(F.gelu(self.fc1(x)))
        x = self.final_layer_norm(x + F.dropout(y, self.p, self.training))
        return LayerOutput(hidden=x, attention=w.view(B, H, T, T))
