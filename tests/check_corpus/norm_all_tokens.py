import torch
from torch import nn, Tensor


class LayerNorm(nn.Module):
    """Layer normalization: statistics of each sample, not of the batch."""

    def __init__(self, hidden: int, eps: float = 1e-5):
        super().__init__()
        self.eps = eps
        self.scale = nn.Parameter(torch.ones(hidden))
        self.offset = nn.Parameter(torch.zeros(hidden))

    def forward(self, x: Tensor) -> Tensor:
        # x is (batch, tokens, hidden); batch norm would take axis 0, we take the others
        mu = x.mean(dim=(1, 2), keepdim=True)
        sigma2 = ((x - mu) ** 2).mean(dim=(1, 2), keepdim=True)
        y = (x - mu) / (sigma2 + self.eps).sqrt()
        return y * self.scale + self.offset
