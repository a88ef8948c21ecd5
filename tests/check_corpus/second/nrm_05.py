import torch
import torch.nn as nn


class LayerNorm1d(nn.Module):
    # x: (B, T, C)

    def __init__(self, dim, eps=1e-5):
        super().__init__()
        self.eps = eps
        self.gamma = nn.Parameter(torch.ones(dim))
        self.beta = nn.Parameter(torch.zeros(dim))

    def forward(self, x):
        xmean = x.mean(1, keepdim=True)
        xvar = x.var(1, keepdim=True, unbiased=False)
        xhat = (x - xmean) / torch.sqrt(xvar + self.eps)  # normalize to unit variance
        return self.gamma * xhat + self.beta


if __name__ == '__main__':
    ln = LayerNorm1d(100)
    x = torch.randn(32, 8, 100)
    x = ln(x)
    print(x.shape, x[:, 0].mean(), x[:, 0].std())
