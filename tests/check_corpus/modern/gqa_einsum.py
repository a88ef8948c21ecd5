import torch
from torch import nn


class GroupedAttention(nn.Module):
    """Queries in groups: no key is copied."""

    def __init__(self, embed_dim, num_heads, num_kv_heads, dropout=0.0):
        super().__init__()
        self.h, self.g = num_heads, num_kv_heads
        self.dim = embed_dim // num_heads
        self.to_q = nn.Linear(embed_dim, embed_dim)
        self.to_kv = nn.Linear(embed_dim, 2 * self.g * self.dim)
        self.to_out = nn.Linear(embed_dim, embed_dim)
        self.drop = nn.Dropout(dropout)

    def forward(self, x, mask=None):
        """mask (batch, 1, queries, keys): True where a query may attend to a key."""
        b, t, _ = x.shape
        q = self.to_q(x).reshape(b, t, self.g, self.h // self.g, self.dim)
        k, v = self.to_kv(x).reshape(b, t, 2, self.g, self.dim).unbind(2)
        scores = torch.einsum("btgrd,bsgd->bgrts", q, k) * self.dim**-0.5
        if mask is not None:
            scores = scores.masked_fill(~mask.unsqueeze(1), -1e9)
        weights = self.drop(scores.softmax(-1))
        out = torch.einsum("bgrts,bsgd->btgrd", weights, v)
        return self.to_out(out.flatten(2))
