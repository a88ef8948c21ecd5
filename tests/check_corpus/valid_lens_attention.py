"""Dot product attention for batches in which sentences have different lengths."""
import math
import torch
from torch import nn


def masked_softmax(X, valid_lens):
    # X: (batch, queries, keys); valid_lens: (batch,) or (batch, queries) or None
    if valid_lens is None:
        return nn.functional.softmax(X, dim=-1)
    if valid_lens.dim() == 1:
        valid_lens = valid_lens[:, None]
    steps = torch.arange(X.shape[-1], device=X.device)
    keep = steps[None, None, :] < valid_lens[:, :, None]
    return nn.functional.softmax(torch.where(keep, X, torch.full_like(X, -1e6)), dim=-1)


class DotProductAttention(nn.Module):
    def __init__(self, dropout=0.0):
        super().__init__()
        self.dropout = nn.Dropout(dropout)

    def forward(self, queries, keys, values, valid_lens=None):
        d = queries.shape[-1]
        scores = torch.bmm(queries, keys.transpose(1, 2)) / math.sqrt(d)
        # kept so that one can draw them afterwards
        self.attention_weights = masked_softmax(scores, valid_lens)
        return torch.bmm(self.dropout(self.attention_weights), values)
