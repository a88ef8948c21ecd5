"""multi-head-attention"""

from torch import nn


class SelfAttention(nn.Module):
    """Each head's query, key and value lie beside each other in the combined matrix."""

    def __init__(self, embed_dim, num_heads):
        super().__init__()
        self.num_heads = num_heads
        self.qkv_proj = nn.Linear(embed_dim, 3 * embed_dim)
        self.o_proj = nn.Linear(embed_dim, embed_dim)

    def forward(self, x, mask=None, return_attention=False):
        batch, length, width = x.size()
        qkv = self.qkv_proj(x).reshape(batch, length, self.num_heads, -1).permute(0, 2, 1, 3)
        q, k, v = qkv.chunk(3, dim=-1)
        scores = q @ k.transpose(-2, -1) / q.size(-1) ** 0.5
        if mask is not None:
            scores = scores.masked_fill(mask == 0, -9e15)
        weights = scores.softmax(-1)
        out = self.o_proj((weights @ v).permute(0, 2, 1, 3).reshape(batch, length, width))
        return (out, weights) if return_attention else out
