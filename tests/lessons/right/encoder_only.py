"""transformer"""

import math

import torch
from torch import nn


class EncoderModel(nn.Module):
    def __init__(self, vocab_size, d_model, nhead, num_layers, dim_feedforward, max_len=32, pad_idx=0):
        super().__init__()
        self.pad_idx, self.scale = pad_idx, math.sqrt(d_model)
        self.embedding = nn.Embedding(vocab_size, d_model)
        self.positions = nn.Parameter(torch.zeros(max_len, d_model))
        layer = nn.TransformerEncoderLayer(d_model, nhead, dim_feedforward, activation="gelu", batch_first=True)
        self.encoder = nn.TransformerEncoder(layer, num_layers, enable_nested_tensor=False)
        self.head = nn.Linear(d_model, vocab_size)

    def forward(self, tokens):
        x = self.embedding(tokens) * self.scale + self.positions[: tokens.size(1)]
        return self.head(self.encoder(x, src_key_padding_mask=tokens == self.pad_idx))
