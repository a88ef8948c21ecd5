"""Language model on top of nn.TransformerEncoder."""
import math

import torch
from torch import nn


def generate_square_subsequent_mask(sz):
    return torch.triu(torch.full((sz, sz), float("-inf")), diagonal=1)


class TransformerModel(nn.Module):

    def __init__(self, ntoken, d_model=32, nhead=4, d_hid=64, nlayers=2, dropout=0.2):
        super().__init__()
        self.d_model = d_model
        self.embedding = nn.Embedding(ntoken, d_model)
        encoder_layer = nn.TransformerEncoderLayer(d_model, nhead, d_hid, dropout)
        self.transformer_encoder = nn.TransformerEncoder(encoder_layer, nlayers)
        self.dropout = nn.Dropout(dropout)
        self.linear = nn.Linear(d_model, ntoken)
        for matrix in (self.embedding.weight, self.linear.weight):
            nn.init.uniform_(matrix, -0.1, 0.1)
        nn.init.zeros_(self.linear.bias)

    def forward(self, src, src_mask=None):
        """
        src: [length, batch] of token ids
        src_mask: [length, length] to be added, causal when left out
        returns [length, batch, ntoken]
        """
        src = self.embedding(src) * math.sqrt(self.d_model)
        src = self.dropout(src)
        if src_mask is None:
            src_mask = generate_square_subsequent_mask(len(src)).to(src.device)
        output = self.transformer_encoder(src, src_mask)
        return self.linear(output)
