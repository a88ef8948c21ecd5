import torch
from torch import nn


class LocalAttention(nn.Module):
    """Each position reads itself and the positions before it in a window; scores are capped softly."""

    def __init__(self, d_model, n_heads, window_size=3, logit_cap=50.0):
        super().__init__()
        self.n_heads, self.window, self.cap = n_heads, window_size, logit_cap
        self.qkv = nn.Linear(d_model, 3 * d_model)
        self.out = nn.Linear(d_model, d_model)

    def forward(self, x):
        b, t, d = x.shape
        q, k, v = self.qkv(x).view(b, t, 3, self.n_heads, -1).permute(2, 0, 3, 1, 4)
        scores = q @ k.transpose(-2, -1) * q.shape[-1] ** -0.5
        scores = self.cap * torch.tanh(scores / self.cap)
        i, j = torch.arange(t)[:, None], torch.arange(t)[None, :]
        allowed = (j <= i) & (i - j < self.window)
        scores = scores.masked_fill(~allowed, -torch.inf)
        return self.out((scores.softmax(-1) @ v).transpose(1, 2).reshape(b, t, d))
