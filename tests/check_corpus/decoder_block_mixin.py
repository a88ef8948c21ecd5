import torch
import torch.nn as nn
import torch.nn.functional as F


class MultiHeadAttentionBlock(nn.Module):
    def __init__(self, d_model: int, h: int) -> None:
        super().__init__()
        self.h = h
        self.w_q = nn.Linear(d_model, d_model, bias=False)
        self.w_k = nn.Linear(d_model, d_model, bias=False)
        self.w_v = nn.Linear(d_model, d_model, bias=False)
        self.w_o = nn.Linear(d_model, d_model, bias=False)

    def forward(self, q, k, v, mask):
        # (batch, seq_len, d_model) --> (batch, h, seq_len, d_k)
        query, key, value = [
            x.view(x.shape[0], x.shape[1], self.h, -1).transpose(1, 2)
            for x in (self.w_q(q), self.w_k(k), self.w_v(v))
        ]
        x = F.scaled_dot_product_attention(query, key, value, attn_mask=mask)
        return self.w_o(x.transpose(1, 2).flatten(2))


class DecoderBlock(nn.Module):

    def __init__(self, d_model: int, h: int, d_ff: int, dropout: float) -> None:
        super().__init__()
        self.attention_block = MultiHeadAttentionBlock(d_model, h)
        self.feed_forward_block = nn.Sequential(
            nn.Linear(d_model, d_ff), nn.ReLU(), nn.Dropout(dropout), nn.Linear(d_ff, d_model))
        self.norms = nn.ModuleList([nn.LayerNorm(d_model) for _ in range(3)])
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, encoder_output, src_mask, tgt_mask):
        # masks: bool, True may be looked at; broadcast to (batch, h, queries, keys)
        y = self.norms[0](x)
        x = x + self.dropout(self.attention_block(y, y, y, tgt_mask))
        y = self.norms[1](x)
        x = x + self.dropout(self.attention_block(y, encoder_output, encoder_output, src_mask))
        y = self.norms[2](x)
        return x + self.dropout(self.feed_forward_block(y))
