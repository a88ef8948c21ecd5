import numpy as np
import torch
import torch.nn as nn


def make_table(n_positions, dim):
    """One row a position, even columns sine, odd columns cosine."""
    table = np.zeros((n_positions, dim))
    column = np.arange(dim)
    for row in range(n_positions):
        position = row + 1   # first word, second word, ...
        angle = position / np.power(10000.0, (column - column % 2) / dim)
        table[row] = np.where(column % 2 == 0, np.sin(angle), np.cos(angle))
    return torch.as_tensor(table, dtype=torch.float32)


class SinusoidalPositions(nn.Module):
    def __init__(self, dim, n_positions=200):
        super().__init__()
        # a buffer, since it is not trained
        self.register_buffer('table', make_table(n_positions, dim)[None])

    def forward(self, embedded):
        length = embedded.shape[1]
        return embedded + self.table[:, :length]
