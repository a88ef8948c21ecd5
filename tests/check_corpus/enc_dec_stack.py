import math
import torch
import torch.nn as nn


class MHA(nn.Module):
    def __init__(self, d, h):
        super().__init__()
        self.h = h
        self.Wq, self.Wk, self.Wv, self.Wo = [nn.Linear(d, d) for _ in range(4)]

    def forward(self, q, kv, mask):
        b, t, d = q.shape
        f = lambda x: x.view(b, -1, self.h, d // self.h).transpose(1, 2)
        s = f(self.Wq(q)) @ f(self.Wk(kv)).transpose(2, 3) / math.sqrt(d // self.h)
        s = s.masked_fill(~mask, -1e9)
        return self.Wo((s.softmax(-1) @ f(self.Wv(kv))).transpose(1, 2).reshape(b, t, d))


def mlp(d, d_ff):
    return nn.Sequential(nn.Linear(d, d_ff), nn.ReLU(), nn.Linear(d_ff, d))


class EncoderLayer(nn.Module):
    def __init__(self, d, h, d_ff):
        super().__init__()
        self.attn, self.ff = MHA(d, h), mlp(d, d_ff)
        self.n1, self.n2 = nn.LayerNorm(d), nn.LayerNorm(d)

    def forward(self, x, mask):
        x = self.n1(x + self.attn(x, x, mask))
        return self.n2(x + self.ff(x))


class DecoderLayer(nn.Module):
    def __init__(self, d, h, d_ff):
        super().__init__()
        self.self_attn, self.cross_attn, self.ff = MHA(d, h), MHA(d, h), mlp(d, d_ff)
        self.n1, self.n2, self.n3 = nn.LayerNorm(d), nn.LayerNorm(d), nn.LayerNorm(d)

    def forward(self, x, enc, src_mask, trg_mask):
        x = self.n1(x + self.self_attn(x, x, trg_mask))
        x = self.n2(x + self.cross_attn(x, enc, src_mask))
        return self.n3(x + self.ff(x))


def sinusoid(n, d):
    angle = torch.arange(n)[:, None] / 10000 ** (2 * (torch.arange(d)[None] // 2) / d)
    angle[:, 0::2] = angle[:, 0::2].sin()
    angle[:, 1::2] = angle[:, 1::2].cos()
    return angle


class Transformer(nn.Module):
    def __init__(self, src_vocab, trg_vocab, d=32, h=4, d_ff=64, n_layers=3, pad=0, max_len=100):
        super().__init__()
        self.pad, self.d = pad, d
        self.src_emb, self.trg_emb = nn.Embedding(src_vocab, d), nn.Embedding(trg_vocab, d)
        self.register_buffer("pos", sinusoid(max_len, d))
        self.encoder = nn.ModuleList([EncoderLayer(d, h, d_ff)] * n_layers)
        self.decoder = nn.ModuleList([DecoderLayer(d, h, d_ff)] * n_layers)
        self.head = nn.Linear(d, trg_vocab)

    def forward(self, src, trg):
        src_mask = (src != self.pad)[:, None, None, :]
        n = trg.size(1)
        trg_mask = (trg != self.pad)[:, None, None, :] & torch.ones(n, n, device=trg.device).tril().bool()
        x = self.src_emb(src) * math.sqrt(self.d) + self.pos[:src.size(1)]
        for layer in self.encoder:
            x = layer(x, src_mask)
        y = self.trg_emb(trg) * math.sqrt(self.d) + self.pos[:n]
        for layer in self.decoder:
            y = layer(y, x, src_mask, trg_mask)
        return self.head(y)
