import copy
import math

import torch
import torch.nn as nn


class LayerNorm(nn.Module):
    def __init__(self, features, eps=1e-6):
        super().__init__()
        self.gain, self.bias = nn.Parameter(torch.ones(features)), nn.Parameter(torch.zeros(features))
        self.eps = eps

    def forward(self, x):
        centred = x - x.mean(-1, keepdim=True)
        return self.gain * centred / (centred.square().mean(-1, keepdim=True) + self.eps).sqrt() + self.bias


class SublayerConnection(nn.Module):
    "Norm first, since this trains more easily."

    def __init__(self, size, dropout):
        super().__init__()
        self.norm = LayerNorm(size)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, sublayer):
        return x + self.dropout(sublayer(self.norm(x)))


class Attention(nn.Module):
    def __init__(self, h, d_model):
        super().__init__()
        self.h = h
        self.q, self.k, self.v, self.o = (nn.Linear(d_model, d_model) for _ in range(4))

    def forward(self, query, key, value, mask=None):
        b, d = query.size(0), query.size(-1)
        q, k, v = (f(x).view(b, -1, self.h, d // self.h).transpose(1, 2)
                   for f, x in ((self.q, query), (self.k, key), (self.v, value)))
        scores = q @ k.transpose(-2, -1) / math.sqrt(d // self.h)
        if mask is not None:
            scores = scores.masked_fill(mask.unsqueeze(1) == 0, -1e9)
        return self.o((scores.softmax(-1) @ v).transpose(1, 2).reshape(b, -1, d))


class DecoderLayer(nn.Module):
    "Gets its parts ready made."

    def __init__(self, size, self_attn, src_attn, feed_forward, dropout):
        super().__init__()
        self.self_attn, self.src_attn, self.feed_forward = self_attn, src_attn, feed_forward
        self.first = SublayerConnection(size, dropout)
        self.second = SublayerConnection(size, dropout)
        self.third = SublayerConnection(size, dropout)

    def forward(self, x, memory, src_mask, tgt_mask):
        x = self.first(x, lambda y: self.self_attn(y, y, y, tgt_mask))
        x = self.second(x, lambda y: self.src_attn(y, memory, memory, src_mask))
        return self.third(x, self.feed_forward)


def make_decoder_layer(d_model=512, h=8, d_ff=2048, dropout=0.1):
    """Masks are 1 for what may be seen: src_mask (batch, 1, S), tgt_mask (batch, T, T)."""
    attn = Attention(h, d_model)
    ff = nn.Sequential(nn.Linear(d_model, d_ff), nn.ReLU(), nn.Linear(d_ff, d_model))
    return DecoderLayer(d_model, attn, copy.deepcopy(attn), ff, dropout)
