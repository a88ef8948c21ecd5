import torch
import torch.nn as nn


class LayerNormalization(nn.Module):
    """Mean 0 and variance 1 for every token, then two learned numbers."""

    def __init__(self, d_model: int, eps: float = 10**-6) -> None:
        super().__init__()
        self.d_model = d_model
        self.eps = eps
        self.alpha = nn.Parameter(torch.ones(1))  # scale
        self.bias = nn.Parameter(torch.zeros(1))  # shift

    def forward(self, x):
        # (batch, seq_len, d_model) -> (batch, seq_len, 1)
        variance, mean = torch.var_mean(x, dim=-1, keepdim=True, correction=0)
        normalized = (x - mean) * torch.rsqrt(variance + self.eps)
        return self.alpha * normalized + self.bias
