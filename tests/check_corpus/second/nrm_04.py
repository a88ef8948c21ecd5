import torch
import torch.nn as nn


class Norm(nn.Module):
    """(x - mean) / std with learned gain and bias, over the last dim"""

    def __init__(self, d_model: int, eps: float = 1e-5):
        super().__init__()
        self.size = d_model
        # create two learnable parameters to calibrate normalisation
        self.alpha = nn.Parameter(torch.ones(self.size))
        self.bias = nn.Parameter(torch.zeros(self.size))
        self.eps = eps

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        norm = self.alpha * (x - x.mean(dim=-1, keepdim=True)) \
            / (x.std(dim=-1, keepdim=True, unbiased=False) + self.eps) + self.bias
        return norm
