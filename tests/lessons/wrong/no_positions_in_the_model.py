"""transformer: no-positions"""

import math

import torch
from torch import nn


class Layer(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, cross):
        super().__init__()
        self.attention = nn.MultiheadAttention(d_model, n_heads, batch_first=True)
        self.norm1 = nn.LayerNorm(d_model)
        if cross:
            self.cross_attention = nn.MultiheadAttention(d_model, n_heads, batch_first=True)
            self.norm2 = nn.LayerNorm(d_model)
        self.ff = nn.Sequential(nn.Linear(d_model, d_ff), nn.ReLU(), nn.Linear(d_ff, d_model))
        self.norm3 = nn.LayerNorm(d_model)

    def forward(self, x, padding, causal=None, memory=None, memory_padding=None):
        y = self.norm1(x)
        x = x + self.attention(y, y, y, key_padding_mask=padding, attn_mask=causal)[0]
        if memory is not None:
            y = self.norm2(x)
            x = x + self.cross_attention(y, memory, memory, key_padding_mask=memory_padding)[0]
        return x + self.ff(self.norm3(x))


class Transformer(nn.Module):
    def __init__(self, vocab_size, d_model, n_heads, n_layers, d_ff, max_len=64):
        super().__init__()
        self.d_model = d_model
        self.embedding = nn.Embedding(vocab_size, d_model)
        self.register_buffer("pe", self.table(max_len, d_model))
        self.encoder = nn.ModuleList(Layer(d_model, n_heads, d_ff, False) for _ in range(n_layers))
        self.decoder = nn.ModuleList(Layer(d_model, n_heads, d_ff, True) for _ in range(n_layers))
        self.encoder_norm = nn.LayerNorm(d_model)
        self.decoder_norm = nn.LayerNorm(d_model)
        self.out = nn.Linear(d_model, vocab_size)

    def table(self, length, d_model):
        angles = torch.arange(length)[:, None] / 10000 ** (torch.arange(0, d_model, 2) / d_model)
        return torch.stack([angles.sin(), angles.cos()], -1).flatten(1)

    def embed(self, tokens):
        return self.embedding(tokens) * math.sqrt(self.d_model)

    def forward(self, src, tgt):
        padding = src == 0
        memory = self.embed(src)
        for layer in self.encoder:
            memory = layer(memory, padding)
        memory = self.encoder_norm(memory)
        x = self.embed(tgt)
        causal = torch.ones(tgt.size(1), tgt.size(1), dtype=torch.bool).triu(1)
        for layer in self.decoder:
            x = layer(x, tgt == 0, causal, memory, padding)
        return self.out(self.decoder_norm(x))
