import torch
from torch import nn


class RMSNorm(nn.Module):
    """Root mean square layer normalization; the epsilon as in the authors' code."""

    def __init__(self, d, eps=1e-8):
        super().__init__()
        self.d, self.eps = d, eps
        self.scale = nn.Parameter(torch.ones(d))

    def forward(self, x):
        rms = x.norm(2, dim=-1, keepdim=True) * self.d ** (-1.0 / 2)
        return self.scale * (x / (rms + self.eps))
