import math
import torch
import torch.nn as nn
import torch.nn.functional as F


class Attention(nn.Module):
    def __init__(self, d_model, n_heads):
        super().__init__()
        self.n_heads = n_heads
        self.q = nn.Linear(d_model, d_model)
        self.kv = nn.Linear(d_model, d_model * 2)
        self.proj = nn.Linear(d_model, d_model)

    def forward(self, x, context=None, mask=None):
        if context is None:
            context = x
        B, T, C = x.shape
        S = context.shape[1]
        q = self.q(x).view(B, T, self.n_heads, -1).transpose(1, 2)
        kv = self.kv(context).view(B, S, 2, self.n_heads, -1).permute(2, 0, 3, 1, 4)
        k, v = kv[0], kv[1]
        att = q @ k.transpose(-2, -1) / math.sqrt(q.size(-1))
        if mask is not None:
            att = att.masked_fill(mask == 0, float("-inf"))
        y = F.softmax(att, dim=-1) @ v
        return self.proj(y.transpose(1, 2).reshape(B, T, C))


class DecoderLayer(nn.Module):
    """
    x:         (batch, tgt_len, d_model)
    memory:    (batch, src_len, d_model), output of the encoder
    tgt_mask:  broadcastable to (batch, heads, tgt_len, tgt_len), 0 = blocked
    """

    def __init__(self, d_model: int, n_heads: int, d_ff: int = 2048, dropout: float = 0.1):
        super().__init__()
        self.self_attn = Attention(d_model, n_heads)
        self.cross_attn = Attention(d_model, n_heads)
        self.fc1 = nn.Linear(d_model, d_ff)
        self.fc2 = nn.Linear(d_ff, d_model)
        self.norm1 = nn.LayerNorm(d_model)
        self.norm2 = nn.LayerNorm(d_model)
        self.norm3 = nn.LayerNorm(d_model)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, memory, tgt_mask=None):
        # masked self attention
        y = self.self_attn(x, mask=tgt_mask)
        x = self.norm1(x + self.dropout(y))
        # attention over the encoder output
        y = self.cross_attn(x)
        x = self.norm2(x + self.dropout(y))
        # feed forward
        y = self.fc2(F.relu(self.fc1(x)))
        return self.norm3(x + self.dropout(y))
