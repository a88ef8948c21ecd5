from typing import NamedTuple, Optional

import torch
import torch.nn as nn
import torch.nn.functional as F


class Output(NamedTuple):
    logits: torch.Tensor
    encoder_states: torch.Tensor


class MultiHead(nn.Module):
    def __init__(self, dim: int, heads: int):
        super().__init__()
        self.heads = heads
        self.q = nn.Linear(dim, dim, bias=False)
        self.kv = nn.Linear(dim, 2 * dim, bias=False)
        self.o = nn.Linear(dim, dim, bias=False)

    def forward(self, x: torch.Tensor, context: torch.Tensor, mask: Optional[torch.Tensor]) -> torch.Tensor:
        q, (k, v) = self.q(x), self.kv(context).chunk(2, dim=-1)
        q, k, v = (t.unflatten(-1, (self.heads, -1)).transpose(1, 2) for t in (q, k, v))
        return self.o(F.scaled_dot_product_attention(q, k, v, attn_mask=mask).transpose(1, 2).flatten(2))


class Layer(nn.Module):
    """Pre-norm layer; with cross attention if it belongs to a decoder."""

    def __init__(self, dim: int, heads: int, hidden: int, cross: bool):
        super().__init__()
        self.norm1, self.attn = nn.LayerNorm(dim), MultiHead(dim, heads)
        self.norm2, self.cross = (nn.LayerNorm(dim), MultiHead(dim, heads)) if cross else (None, None)
        self.norm3 = nn.LayerNorm(dim)
        self.ff = nn.Sequential(nn.Linear(dim, hidden), nn.ReLU(), nn.Linear(hidden, dim))

    def forward(self, x, mask, memory=None, memory_mask=None):
        y = self.norm1(x)
        x = x + self.attn(y, y, mask)
        if self.cross is not None:
            x = x + self.cross(self.norm2(x), memory, memory_mask)
        return x + self.ff(self.norm3(x))


class Transformer(nn.Module):
    def __init__(self, n_src: int, n_trg: int, dim: int = 32, heads: int = 4, hidden: int = 64, depth: int = 2,
                 max_len: int = 64, src_pad_idx: int = 0, trg_pad_idx: int = 0):
        super().__init__()
        self.src_pad_idx, self.trg_pad_idx = src_pad_idx, trg_pad_idx
        self.src_tok, self.trg_tok = nn.Embedding(n_src, dim), nn.Embedding(n_trg, dim)
        self.src_pos, self.trg_pos = nn.Embedding(max_len, dim), nn.Embedding(max_len, dim)
        self.encoder = nn.ModuleList(Layer(dim, heads, hidden, cross=False) for _ in range(depth))
        self.decoder = nn.ModuleList(Layer(dim, heads, hidden, cross=True) for _ in range(depth))
        self.enc_norm, self.dec_norm = nn.LayerNorm(dim), nn.LayerNorm(dim)
        self.to_logits = nn.Linear(dim, n_trg)

    def make_src_mask(self, src):
        return (src != self.src_pad_idx)[:, None, None, :]

    def make_trg_mask(self, trg):
        # same as for the source, but with the padding index of the target
        trg_pad_mask = (trg != self.trg_pad_idx)[:, None, None, :]
        trg_len = trg.size(1)
        return trg_pad_mask.expand(-1, 1, trg_len, trg_len)

    def forward(self, src: torch.Tensor, trg: torch.Tensor) -> Output:
        src_mask, trg_mask = self.make_src_mask(src), self.make_trg_mask(trg)
        x = self.src_tok(src) + self.src_pos.weight[: src.size(1)]
        for layer in self.encoder:
            x = layer(x, src_mask)
        x = self.enc_norm(x)
        y = self.trg_tok(trg) + self.trg_pos.weight[: trg.size(1)]
        for layer in self.decoder:
            y = layer(y, trg_mask, x, src_mask)
        return Output(logits=self.to_logits(self.dec_norm(y)), encoder_states=x)
