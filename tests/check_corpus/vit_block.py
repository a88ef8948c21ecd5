from types import SimpleNamespace

import torch.nn as nn


class Block(nn.Module):
    """Pre-norm encoder block. No mask: every image has the same number of patches."""

    def __init__(self, config):
        super().__init__()
        self.ln_1 = nn.LayerNorm(config.hidden)
        self.attn = nn.MultiheadAttention(config.hidden, config.heads, batch_first=True)
        self.ln_2 = nn.LayerNorm(config.hidden)
        self.mlp = nn.Sequential(
            nn.Linear(config.hidden, config.mlp_ratio * config.hidden),
            nn.GELU(),
            nn.Linear(config.mlp_ratio * config.hidden, config.hidden),
        )
        self.drop = nn.Dropout(config.drop)

    def forward(self, x):
        x = self.ln_1(x)
        attn, _ = self.attn(x, x, x)
        x = x + self.drop(attn)

        x = self.ln_2(x)
        x = x + self.drop(self.mlp(x))
        return x


def make_block(hidden=48, heads=4, mlp_ratio=4, drop=0.0):
    return Block(SimpleNamespace(hidden=hidden, heads=heads, mlp_ratio=mlp_ratio, drop=drop))
