import torch
import torch.nn as nn


class LayerNormalization(nn.Module):

    def __init__(self, features: int, eps: float = 1e-6) -> None:
        super().__init__()
        self.features = features
        self.eps = eps
        self.alpha = nn.Parameter(torch.ones(1))   # alpha is a learnable parameter
        self.bias = nn.Parameter(torch.zeros(1))   # bias is a learnable parameter

    def forward(self, x):
        # x: (batch, seq_len, hidden_size)
        mean = x.mean(dim=-1, keepdim=True)
        var = ((x - mean) ** 2).mean(dim=-1, keepdim=True)
        return self.alpha * (x - mean) / torch.sqrt(var + self.eps) + self.bias
