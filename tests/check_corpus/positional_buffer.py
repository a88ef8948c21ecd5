import math
import torch
from torch import nn


class PositionalEncoding(nn.Module):
    "Sines and cosines, added to the embeddings."

    def __init__(self, d_model, dropout=0.1, max_len=5000):
        super(PositionalEncoding, self).__init__()
        self.dropout = nn.Dropout(p=dropout)

        # exp(log) instead of a power, this is more exact
        div_term = torch.exp(torch.arange(0, d_model, 2) * (-math.log(10000.0) / d_model))
        angle = torch.arange(max_len).unsqueeze(1) * div_term
        pe = torch.zeros(1, max_len, d_model)
        pe[..., 0::2] = torch.sin(angle)
        pe[..., 1::2] = torch.cos(angle)
        self.register_buffer("pe", pe)

    def forward(self, x):
        # x: (batch, length, d_model)
        return self.dropout(x + self.pe[:, : x.size(1)])
