import torch
from torch import nn


class SwiGLU(nn.Module):
    def __init__(self, d_model, d_ff):
        super().__init__()
        self.up = nn.Linear(d_model, 2 * d_ff)
        self.down = nn.Linear(d_ff, d_model)

    def forward(self, x):
        value, gate = self.up(x).chunk(2, dim=-1)
        return self.down(value * gate * torch.sigmoid(gate))
