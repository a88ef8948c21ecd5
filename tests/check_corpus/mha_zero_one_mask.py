import torch
import torch.nn as nn


class MultiHeadAttention(nn.Module):
    def __init__(self, d_model=512, num_heads=8):
        super().__init__()
        assert d_model % num_heads == 0
        self.num_heads = num_heads
        self.depth = d_model // num_heads
        self.wq = nn.Linear(d_model, d_model)
        self.wk = nn.Linear(d_model, d_model)
        self.wv = nn.Linear(d_model, d_model)
        self.dense = nn.Linear(d_model, d_model)

    def split_heads(self, x):
        x = x.reshape(x.size(0), -1, self.num_heads, self.depth)
        return x.permute(0, 2, 1, 3)

    def forward(self, v, k, q, mask):
        # mask has a 1 where a position must not be attended to,
        # shape (batch, 1, 1, seq_len_k) or (batch, 1, seq_len_q, seq_len_k)
        q = self.split_heads(self.wq(q))
        k = self.split_heads(self.wk(k))
        v = self.split_heads(self.wv(v))

        logits = torch.matmul(q, k.transpose(-1, -2)) / self.depth ** 0.5
        # mask goes in before the softmax
        if mask is not None:
            logits += mask

        weights = torch.softmax(logits, dim=-1)
        context = torch.matmul(weights, v).permute(0, 2, 1, 3)
        context = context.reshape(context.size(0), -1, self.num_heads * self.depth)
        return self.dense(context), weights
