import torch
from torch import nn


class RMSNorm(nn.Module):
    def __init__(self, dim, eps=1e-6):
        super().__init__()
        self.weight, self.eps = nn.Parameter(torch.ones(dim)), eps

    def forward(self, x):
        return x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + self.eps) * self.weight


def rotate(x):
    """x (batch, heads, positions, features)"""
    length, width = x.shape[-2:]
    angles = torch.arange(length).float()[:, None] / 10000 ** (torch.arange(0, width, 2).float() / width)
    cos, sin = angles.cos(), angles.sin()
    one, other = x[..., ::2], x[..., 1::2]
    return torch.stack([one * cos - other * sin, one * sin + other * cos], -1).flatten(-2)


class MultiHeadLatentAttention(nn.Module):
    def __init__(self, d_model, n_heads, kv_lora_rank=8, qk_rope_head_dim=4):
        super().__init__()
        self.h, self.dh, self.dr = n_heads, d_model // n_heads, qk_rope_head_dim
        self.q_proj = nn.Linear(d_model, n_heads * (self.dh + self.dr), bias=False)
        self.kv_down = nn.Linear(d_model, kv_lora_rank, bias=False)
        self.kv_norm = RMSNorm(kv_lora_rank)
        self.k_up = nn.Linear(kv_lora_rank, n_heads * self.dh, bias=False)
        self.v_up = nn.Linear(kv_lora_rank, n_heads * self.dh, bias=False)
        self.k_rope = nn.Linear(d_model, self.dr, bias=False)
        self.o_proj = nn.Linear(n_heads * self.dh, d_model, bias=False)

    def forward(self, x):
        b, t, _ = x.shape
        q = self.q_proj(x).view(b, t, self.h, self.dh + self.dr).transpose(1, 2)
        q_nope, q_rope = q.split([self.dh, self.dr], -1)
        latent = self.kv_norm(self.kv_down(x))
        k = self.k_up(latent).view(b, t, self.h, self.dh).transpose(1, 2)
        v = self.v_up(latent).view(b, t, self.h, self.dh).transpose(1, 2)
        k_rope = rotate(self.k_rope(x)[:, None]).expand(-1, self.h, -1, -1)
        q, k = torch.cat([q_nope, rotate(q_rope)], -1), torch.cat([k, k_rope], -1)
        scores = q @ k.mT / (self.dh + self.dr) ** 0.5
        scores = scores.masked_fill(torch.ones(t, t, dtype=torch.bool).triu(1), -torch.inf)
        return self.o_proj((scores.softmax(-1) @ v).transpose(1, 2).flatten(2))
