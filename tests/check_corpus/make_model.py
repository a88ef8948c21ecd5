import copy
import math

import torch
import torch.nn as nn

c = copy.deepcopy


def clones(m, n):
    return nn.ModuleList([c(m) for _ in range(n)])


class Embeddings(nn.Module):
    def __init__(self, vocab, d, dropout, max_len=500):
        super().__init__()
        self.lut, self.d = nn.Embedding(vocab, d), d
        pos = torch.arange(max_len)[:, None]
        div = torch.exp(torch.arange(0, d, 2) / d * -math.log(10000.0))
        self.register_buffer("pe", torch.stack([torch.sin(pos * div), torch.cos(pos * div)], -1).flatten(1))
        self.dropout = nn.Dropout(dropout)

    def forward(self, x):
        return self.dropout(self.lut(x) * math.sqrt(self.d) + self.pe[: x.size(1)])


class MultiHeadedAttention(nn.Module):
    def __init__(self, h, d, dropout):
        super().__init__()
        self.h, self.linears, self.dropout = h, clones(nn.Linear(d, d), 4), nn.Dropout(dropout)

    def forward(self, query, key, value, mask):
        b, d = query.size(0), query.size(-1)
        q, k, v = [f(x).view(b, -1, self.h, d // self.h).transpose(1, 2)
                   for f, x in zip(self.linears, (query, key, value))]
        s = torch.matmul(q, k.transpose(-2, -1)) / math.sqrt(d // self.h)
        s = s.masked_fill(mask.unsqueeze(1) == 0, -1e9)
        x = torch.matmul(self.dropout(s.softmax(dim=-1)), v)
        return self.linears[-1](x.transpose(1, 2).reshape(b, -1, d))


class Sublayer(nn.Module):
    "x + dropout(f(norm(x)))"

    def __init__(self, d, dropout):
        super().__init__()
        self.norm, self.dropout = nn.LayerNorm(d, eps=1e-6), nn.Dropout(dropout)

    def forward(self, x, f):
        return x + self.dropout(f(self.norm(x)))


class EncoderLayer(nn.Module):
    def __init__(self, d, attn, ff, dropout):
        super().__init__()
        self.attn, self.ff, self.sub = attn, ff, clones(Sublayer(d, dropout), 2)

    def forward(self, x, mask):
        x = self.sub[0](x, lambda y: self.attn(y, y, y, mask))
        return self.sub[1](x, self.ff)


class DecoderLayer(nn.Module):
    def __init__(self, d, attn, src_attn, ff, dropout):
        super().__init__()
        self.attn, self.src_attn, self.ff, self.sub = attn, src_attn, ff, clones(Sublayer(d, dropout), 3)

    def forward(self, x, memory, src_mask, tgt_mask):
        x = self.sub[0](x, lambda y: self.attn(y, y, y, tgt_mask))
        x = self.sub[1](x, lambda y: self.src_attn(y, memory, memory, src_mask))
        return self.sub[2](x, self.ff)


class Stack(nn.Module):
    def __init__(self, layer, d, n):
        super().__init__()
        self.layers, self.norm = clones(layer, n), nn.LayerNorm(d, eps=1e-6)

    def forward(self, x, *rest):
        for layer in self.layers:
            x = layer(x, *rest)
        return self.norm(x)


class EncoderDecoder(nn.Module):
    def __init__(self, encoder, decoder, src_embed, tgt_embed, generator):
        super().__init__()
        self.encoder, self.decoder = encoder, decoder
        self.src_embed, self.tgt_embed, self.generator = src_embed, tgt_embed, generator

    def forward(self, src, tgt, src_mask, tgt_mask):
        "src_mask: (B, 1, S), tgt_mask: (B, T, T), True = visible. Gives log-probabilities."
        memory = self.encoder(self.src_embed(src), src_mask)
        out = self.decoder(self.tgt_embed(tgt), memory, src_mask, tgt_mask)
        return torch.log_softmax(self.generator(out), dim=-1)


def make_model(src_vocab, tgt_vocab, N=6, d_model=512, d_ff=2048, h=8, dropout=0.1):
    attn = MultiHeadedAttention(h, d_model, dropout)
    ff = nn.Sequential(nn.Linear(d_model, d_ff), nn.ReLU(), nn.Dropout(dropout), nn.Linear(d_ff, d_model))
    model = EncoderDecoder(
        Stack(EncoderLayer(d_model, c(attn), c(ff), dropout), d_model, N),
        Stack(DecoderLayer(d_model, c(attn), c(attn), c(ff), dropout), d_model, N),
        Embeddings(src_vocab, d_model, dropout),
        Embeddings(tgt_vocab, d_model, dropout),
        nn.Linear(d_model, tgt_vocab),
    )
    for p in model.parameters():
        if p.dim() > 1:
            nn.init.xavier_uniform_(p)
    return model
