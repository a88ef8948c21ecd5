from typing import Optional

import torch
import torch.nn as nn
from torch import Tensor


class TransformerDecoderLayer(nn.Module):
    def __init__(self, *, d_model: int, num_heads: int, ffn_dim: int, dropout: float = 0.1):
        super().__init__()
        self.ln_self = nn.LayerNorm(d_model)
        self.ln_cross = nn.LayerNorm(d_model)
        self.ln_ffn = nn.LayerNorm(d_model)
        self.self_attention = nn.MultiheadAttention(d_model, num_heads, dropout=dropout, batch_first=True)
        self.cross_attention = nn.MultiheadAttention(d_model, num_heads, dropout=dropout, batch_first=True)
        self.ffn = nn.Sequential(
            nn.Linear(d_model, ffn_dim), nn.GELU(), nn.Dropout(dropout), nn.Linear(ffn_dim, d_model)
        )
        self.dropout = nn.Dropout(dropout)

    def forward(
        self,
        tgt: Tensor,
        memory: Tensor,
        tgt_mask: Optional[Tensor] = None,
        tgt_key_padding_mask: Optional[Tensor] = None,
        memory_key_padding_mask: Optional[Tensor] = None,
    ) -> Tensor:
        h = self.ln_self(tgt)
        h, _ = self.self_attention(
            h, h, h, attn_mask=tgt_mask, key_padding_mask=tgt_key_padding_mask, need_weights=False
        )
        tgt = tgt + self.dropout(h)

        h = self.ln_cross(tgt)
        h, _ = self.cross_attention(
            h, memory, memory, key_padding_mask=memory_key_padding_mask, need_weights=False
        )
        tgt = tgt + self.dropout(h)

        return tgt + self.dropout(self.ffn(self.ln_ffn(tgt)))
