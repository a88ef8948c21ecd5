import torch
import torch.nn as nn
import torch.nn.functional as F
import math


class MultiHeadAttention(nn.Module):
    def __init__(self, heads, d_model, dropout=0.1):
        super().__init__()
        self.d_model = d_model
        self.d_k = d_model // heads
        self.h = heads

        self.q_linear = nn.Linear(d_model, d_model)
        self.k_linear = nn.Linear(d_model, d_model)
        self.v_linear = nn.Linear(d_model, d_model)
        self.dropout = nn.Dropout(dropout)
        self.out = nn.Linear(d_model, d_model)

    def forward(self, q, k, v, mask=None):
        bs = q.size(0)

        # split into h heads: bs * h * sl * d_k
        q = self.q_linear(q).view(bs, self.h, -1, self.d_k)
        k = self.k_linear(k).view(bs, self.h, -1, self.d_k)
        v = self.v_linear(v).view(bs, self.h, -1, self.d_k)

        scores = torch.matmul(q, k.transpose(-2, -1)) / math.sqrt(self.d_k)
        if mask is not None:
            mask = mask.unsqueeze(1)
            scores = scores.masked_fill(mask == 0, -1e9)
        scores = self.dropout(F.softmax(scores, dim=-1))

        # concatenate heads and put through final linear layer
        concat = torch.matmul(scores, v).contiguous().view(bs, -1, self.d_model)
        return self.out(concat)
