import math
import torch
import torch.nn as nn


class PositionalEncoder(nn.Module):
    def __init__(self, d_model, max_words = 80):
        super().__init__()
        self.d_model = d_model
        table = torch.zeros(max_words, d_model)
        for pos in range(max_words):
            for i in range(0, d_model, 2):
                # 10000^(2i / d_model), see section 3.5 of the paper
                wavelength = 10000 ** (2 * i / d_model)
                table[pos, i] = math.sin(pos / wavelength)
                table[pos, i + 1] = math.cos(pos / wavelength)
        self.register_buffer('table', table.unsqueeze(0))

    def forward(self, x):
        # without this the positions would be louder than the words
        x = x * math.sqrt(self.d_model)
        return x + self.table[:, :x.size(1)]
