import torch
from torch import nn


class MultiQueryAttention(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.num_heads, self.d_k = num_heads, d_model // num_heads
        self.wq = nn.Linear(d_model, d_model)
        self.wk = nn.Linear(d_model, self.d_k)
        self.wv = nn.Linear(d_model, self.d_k)
        self.wo = nn.Linear(d_model, d_model)

    def forward(self, query, key, value, mask=None):
        batch, length, _ = query.shape
        q = self.wq(query).view(batch, length, self.num_heads, self.d_k).transpose(1, 2)
        k, v = self.wk(key).unsqueeze(1), self.wv(value).unsqueeze(1)
        scores = torch.matmul(q, k.transpose(-1, -2)) / self.d_k**0.5
        if mask is not None:
            scores = scores.masked_fill(mask == 0, -1e9)
        heads = torch.softmax(scores, -1) @ v
        return self.wo(heads.transpose(1, 2).contiguous().view(batch, length, -1))
