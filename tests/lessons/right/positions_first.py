"""multi-head-attention positional-encoding encoder-layer"""

import math

import torch
from torch import nn


class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, nhead, dropout=0.0):
        super().__init__()
        self.inner = nn.MultiheadAttention(d_model, nhead, dropout=dropout)

    def forward(self, query, key, value, attn_mask=None):
        return self.inner(query, key, value, attn_mask=attn_mask)[0]


class PositionalEncoding(nn.Module):
    def __init__(self, d_model, dropout=0.1, max_len=50):
        super().__init__()
        self.dropout = nn.Dropout(p=dropout)
        position = torch.arange(max_len).unsqueeze(1)
        div_term = torch.exp(torch.arange(0, d_model, 2) * (-math.log(10000.0) / d_model))
        pe = torch.zeros(max_len, 1, d_model)
        pe[:, 0, 0::2] = torch.sin(position * div_term)
        pe[:, 0, 1::2] = torch.cos(position * div_term)
        self.register_buffer("pe", pe)

    def forward(self, x):
        return self.dropout(x + self.pe[: x.size(0)])


class EncoderBlock(nn.Module):
    def __init__(self, d_model, nhead, d_ff):
        super().__init__()
        self.norm1, self.norm2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)
        self.lin1, self.lin2 = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.attn = MultiHeadAttention(d_model, nhead)

    def forward(self, x, mask):
        x = self.norm1(x + self.attn(x, x, x, mask))
        return self.norm2(x + self.lin2(torch.relu(self.lin1(x))))
