import torch
import torch.nn as nn


class TransformerDecoderLayer(nn.Module):
    def __init__(self, d_model, nhead, dim_feedforward=128, dropout=0.1):
        super().__init__()
        self.self_attn = nn.MultiheadAttention(d_model, nhead, dropout=dropout)
        self.multihead_attn = nn.MultiheadAttention(d_model, nhead, dropout=dropout)
        self.linear1 = nn.Linear(d_model, dim_feedforward)
        self.linear2 = nn.Linear(dim_feedforward, d_model)
        self.norm1 = nn.LayerNorm(d_model)
        self.norm2 = nn.LayerNorm(d_model)
        self.norm3 = nn.LayerNorm(d_model)
        self.dropout1 = nn.Dropout(dropout)
        self.dropout2 = nn.Dropout(dropout)
        self.dropout3 = nn.Dropout(dropout)

    def forward(self, tgt, memory, tgt_mask=None):
        """
        tgt: (T, N, E) what was generated so far
        memory: (S, N, E) output of the encoder
        tgt_mask: (T, T), -inf for the future and 0 elsewhere
        """
        # 1) look at the target
        out, _ = self.self_attn(query=tgt, key=tgt, value=tgt, attn_mask=tgt_mask)
        tgt = self.norm1(tgt + self.dropout1(out))
        # 2) look at the source
        out, _ = self.multihead_attn(query=tgt, key=tgt, value=tgt)
        tgt = self.norm2(tgt + self.dropout2(out))
        # 3) each position on its own
        out = self.linear2(torch.relu(self.linear1(tgt)))
        return self.norm3(tgt + self.dropout3(out))
