"""Pre-norm decoder layer. Makes its causal mask itself."""
import torch
from torch import nn


class DecoderLayer(nn.Module):
    def __init__(self, dim, n_heads, mlp_dim, dropout=0.1, max_len=256):
        super().__init__()
        self.sa_norm = nn.LayerNorm(dim)
        self.self_attention = nn.MultiheadAttention(dim, n_heads, dropout, batch_first=True)
        self.ca_norm = nn.LayerNorm(dim)
        self.cross_attention = nn.MultiheadAttention(dim, n_heads, dropout, batch_first=True)
        self.mlp_norm = nn.LayerNorm(dim)
        self.mlp = nn.Sequential(nn.Linear(dim, mlp_dim), nn.GELU(), nn.Dropout(dropout), nn.Linear(mlp_dim, dim))
        self.dropout = nn.Dropout(dropout)
        # True above the diagonal: these are hidden
        future = torch.ones(max_len, max_len, dtype=torch.bool).triu(1)
        self.register_buffer("future", future, persistent=False)

    def forward(self, tgt, memory, memory_key_padding_mask=None):
        t = tgt.shape[1]
        h = self.sa_norm(tgt)
        h = self.self_attention(h, h, h, attn_mask=self.future[:t, :t], need_weights=False)[0]
        tgt = tgt + self.dropout(h)

        h = self.ca_norm(tgt)
        h = self.cross_attention(h, memory, memory, key_padding_mask=memory_key_padding_mask, need_weights=False)[0]
        tgt = tgt + self.dropout(h)

        return tgt + self.dropout(self.mlp(self.mlp_norm(tgt)))
