import torch
from torch import nn
import torch.nn.functional as F


class MultiHeadAttention(nn.Module):
    def __init__(self, dim, heads):
        super().__init__()
        self.h = heads
        self.to_q = nn.Linear(dim, dim, bias=False)
        self.to_k = nn.Linear(dim, dim, bias=False)
        self.to_v = nn.Linear(dim, dim, bias=False)
        self.unify = nn.Linear(dim, dim)

    def forward(self, q, k, v, mask=None):
        b, t, d = q.shape
        s = k.shape[1]
        h = self.h
        q = self.to_q(q).view(b, t, h, d // h).transpose(1, 2)
        k = self.to_k(k).view(b, s, h, d // h).transpose(1, 2)
        v = self.to_v(v).view(b, s, h, d // h).transpose(1, 2)
        dot = torch.einsum('bhtd,bhsd->bhts', q, k) / (d // h) ** 0.5
        if mask is not None:
            dot = dot.masked_fill(mask == 0, float('-inf'))
        out = torch.einsum('bhts,bhsd->bthd', F.softmax(dot, dim=-1), v)
        return self.unify(out.reshape(b, t, d))


class TransformerDecoderLayer(nn.Module):
    def __init__(self, emb_dim, num_heads, ff_dim, dropout=0.1):
        super().__init__()
        self.mmha = MultiHeadAttention(emb_dim, num_heads)
        self.mha = MultiHeadAttention(emb_dim, num_heads)
        self.ff = nn.Sequential(nn.Linear(emb_dim, ff_dim), nn.ReLU(), nn.Linear(ff_dim, emb_dim))
        self.ln1 = nn.LayerNorm(emb_dim)
        self.ln2 = nn.LayerNorm(emb_dim)
        self.ln3 = nn.LayerNorm(emb_dim)
        self.do = nn.Dropout(dropout)

    def forward(self, x, enc_out, src_mask=None, tgt_mask=None):
        # src_mask (b, 1, 1, src_len), tgt_mask (b, 1, tgt_len, tgt_len), 1 = keep
        x = self.ln1(x + self.do(self.mmha(x, x, x, tgt_mask)))
        x = self.ln2(x + self.do(self.mha(x, enc_out, enc_out)))
        x = self.ln3(x + self.do(self.ff(x)))
        return x
