import torch
from torch import nn


def rope(x, theta=10000.0):
    """Turns neighbouring features of x (batch, positions, heads, features) by angles that grow with the position."""
    _, length, _, width = x.shape
    frequencies = theta ** (-torch.arange(0, width, 2).float() / width)
    angles = torch.arange(length).float()[:, None] * frequencies
    cos, sin = angles.cos()[None, :, None, :], angles.sin()[None, :, None, :]
    even, odd = x[..., 0::2], x[..., 1::2]
    turned = torch.empty_like(x)
    turned[..., 0::2] = even * cos - odd * sin
    turned[..., 1::2] = even * sin + odd * cos
    return turned


class RotaryAttention(nn.Module):
    def __init__(self, dim, heads):
        super().__init__()
        self.heads = heads
        self.query, self.key, self.value = (nn.Linear(dim, dim, bias=False) for _ in range(3))
        self.out = nn.Linear(dim, dim, bias=False)

    def forward(self, x, mask=None):
        b, t, d = x.shape
        q = rope(self.query(x).view(b, t, self.heads, -1)).transpose(1, 2)
        k = rope(self.key(x).view(b, t, self.heads, -1)).transpose(1, 2)
        v = self.value(x).view(b, t, self.heads, -1).transpose(1, 2)
        scores = q @ k.mT * (d // self.heads) ** -0.5
        if mask is not None:
            scores = scores.masked_fill(mask == 0, float("-inf"))
        return self.out((scores.softmax(-1) @ v).transpose(1, 2).reshape(b, t, d))
