import math
import torch
from torch import nn, Tensor


class PositionalEncoding(nn.Module):

    def __init__(self, d_model: int, dropout: float = 0.0, max_len: int = 512):
        super().__init__()
        self.dropout = nn.Dropout(p=dropout)
        pos = torch.arange(max_len).float()
        inv_freq = torch.exp(torch.arange(0, d_model, 2) * (-math.log(10000.0) / d_model))
        waves = torch.outer(pos, inv_freq)
        pe = torch.empty(max_len, 1, d_model)
        pe[:, 0, 0::2] = waves.sin()
        pe[:, 0, 1::2] = waves.cos()
        self.register_buffer('pe', pe)

    def forward(self, x: Tensor) -> Tensor:
        """x: embeddings, shape ``[batch_size, seq_len, d_model]``"""
        return self.dropout(x + self.pe[:x.size(0)])


# with batch_first=True everywhere
if __name__ == "__main__":
    pos = PositionalEncoding(16)
    print(pos(torch.zeros(4, 10, 16)).shape)
