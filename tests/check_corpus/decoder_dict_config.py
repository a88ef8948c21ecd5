import torch
import torch.nn as nn
import torch.nn.functional as F

CONFIG = {"d_model": 32, "n_head": 4, "d_ff": 64, "dropout": 0.1}


def heads(x, n):
    b, t, d = x.shape
    return x.reshape(b, t, n, d // n).transpose(1, 2)


class DecoderLayer(nn.Module):
    def __init__(self, config=CONFIG):
        super().__init__()
        d = config["d_model"]
        self.n_head = config["n_head"]
        self.self_qkv = nn.Linear(d, 3 * d)
        self.self_out = nn.Linear(d, d)
        self.cross_q = nn.Linear(d, d)
        self.cross_kv = nn.Linear(d, 2 * d)
        self.cross_out = nn.Linear(d, d)
        self.ff = nn.Sequential(nn.Linear(d, config["d_ff"]), nn.ReLU(), nn.Linear(config["d_ff"], d))
        self.ln_a, self.ln_b, self.ln_c = nn.LayerNorm(d), nn.LayerNorm(d), nn.LayerNorm(d)
        self.drop = nn.Dropout(config["dropout"])

    def attend(self, q, k, v, mask=None):
        q, k, v = heads(q, self.n_head), heads(k, self.n_head), heads(v, self.n_head)
        if mask is not None:
            mask = mask[:, None]
        return F.scaled_dot_product_attention(q, k, v, attn_mask=mask).transpose(1, 2).flatten(2)

    def forward(self, x, memory, trg_mask=None, src_mask=None):
        """trg_mask: (B, T, T), src_mask: (B, 1, S); True means visible"""
        q, k, v = self.self_qkv(x).chunk(3, -1)
        x = self.ln_a(x + self.drop(self.self_out(self.attend(q, k, v))))

        q = self.cross_q(x)
        k, v = self.cross_kv(memory).chunk(2, -1)
        x = self.ln_b(x + self.drop(self.cross_out(self.attend(q, k, v, src_mask))))

        return self.ln_c(x + self.drop(self.ff(x)))
