import torch
import torch.nn as nn
import torch.nn.functional as F


class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, n_head):
        super().__init__()
        self.n_head = n_head
        self.w_q = nn.Linear(d_model, d_model)
        self.w_k = nn.Linear(d_model, d_model)
        self.w_v = nn.Linear(d_model, d_model)
        self.w_out = nn.Linear(d_model, d_model)

    def into_heads(self, t):
        n, length, width = t.size()
        return t.view(n, length, self.n_head, width // self.n_head).transpose(1, 2)

    def forward(self, q, k, v, mask=None):
        q = self.into_heads(self.w_q(q))
        k = self.into_heads(self.w_k(k))
        v = self.into_heads(self.w_v(v))
        score = q @ k.transpose(2, 3) / (k.size(3) ** 0.5)
        if mask is not None:
            score = score.masked_fill(mask == 0, -10000)
        out = F.softmax(score, dim=-1) @ v
        return self.w_out(out.transpose(1, 2).flatten(2))


class EncoderLayer(nn.Module):
    def __init__(self, d_model, n_head, ffn_hidden, drop_prob):
        super().__init__()
        self.attention = MultiHeadAttention(d_model=d_model, n_head=n_head)
        self.ffn = nn.Sequential(nn.Linear(d_model, ffn_hidden), nn.ReLU(), nn.Linear(ffn_hidden, d_model))
        self.norm1 = nn.LayerNorm(d_model)
        self.norm2 = nn.LayerNorm(d_model)
        self.dropout1 = nn.Dropout(p=drop_prob)
        self.dropout2 = nn.Dropout(p=drop_prob)

    def forward(self, x, src_mask):
        # src_mask: (batch, 1, 1, length), 0 at padding

        # attention, add & norm
        residual = x
        x = self.attention(q=x, k=x, v=x, mask=src_mask)
        x = self.dropout1(x)
        x = self.norm1(x + residual)

        # feed forward, add & norm
        residual = x
        x = self.ffn(x)
        x = self.dropout2(x)
        x = self.norm2(x)
        return x
