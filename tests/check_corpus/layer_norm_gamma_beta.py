import torch
from torch import nn


class LayerNorm(nn.Module):
    def __init__(self, d_model, eps=1e-12):
        super(LayerNorm, self).__init__()
        self.gamma = nn.Parameter(torch.ones(d_model))
        self.beta = nn.Parameter(torch.zeros(d_model))
        self.eps = eps

    def forward(self, x):
        mu = x.mean(-1, keepdim=True)
        # unbiased=False: divide by n, not by n - 1
        sigma = torch.sqrt(x.var(-1, unbiased=False, keepdim=True) + self.eps)
        return self.beta + self.gamma * (x - mu) / sigma


# compare with pytorch
x = torch.randn(4, 6, 10) * 3 + 2
assert torch.allclose(LayerNorm(10)(x), nn.LayerNorm(10, eps=1e-12)(x), atol=1e-5)
