import torch
import torch.nn as nn


class LayerNormalization(nn.Module):

    def __init__(self, features: int, eps: float = 1e-6) -> None:
        super().__init__()
        self.eps = eps
        self.alpha = nn.Parameter(torch.ones(features))  # multiplied
        self.bias = nn.Parameter(torch.zeros(features))  # added

    def forward(self, x):
        # x: (batch, seq_len, hidden_size)
        mean = x.mean(dim=-1, keepdim=True)
        # variance of every token on its own
        var = x.var(dim=-1, keepdim=True)
        # eps prevents dividing by zero
        return self.alpha * (x - mean) / torch.sqrt(var + self.eps) + self.bias
