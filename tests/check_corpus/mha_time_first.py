"""Multi-head attention with one weight tensor per role, time first: (T, B, D)."""
import torch
from torch import nn, Tensor


class MHA(nn.Module):
    def __init__(self, model_dim: int, n_heads: int, key_dim: int | None = None):
        super().__init__()
        key_dim = key_dim or model_dim // n_heads
        self.scale = key_dim ** -0.5
        self.W_Q = nn.Parameter(torch.empty(n_heads, model_dim, key_dim))
        self.W_K = nn.Parameter(torch.empty(n_heads, model_dim, key_dim))
        self.W_V = nn.Parameter(torch.empty(n_heads, model_dim, key_dim))
        self.W_O = nn.Parameter(torch.empty(n_heads, key_dim, model_dim))
        for w in self.parameters():
            nn.init.normal_(w, std=model_dim ** -0.5)

    def forward(self, q: Tensor, k: Tensor, v: Tensor, key_padding_mask: Tensor | None = None) -> dict[str, Tensor]:
        """q: (Tq, B, D); k, v: (Tk, B, D); key_padding_mask: (B, Tk), True = padding"""
        Q = torch.einsum("tbd,hdk->bhtk", q, self.W_Q)
        K = torch.einsum("sbd,hdk->bhsk", k, self.W_K)
        V = torch.einsum("sbd,hdk->bhsk", v, self.W_V)
        logits = torch.einsum("bhtk,bhsk->bhts", Q, K) * self.scale
        if key_padding_mask is not None:
            logits = logits.masked_fill(key_padding_mask[:, None, None, :], float("-inf"))
        pattern = logits.softmax(-1)
        z = torch.einsum("bhts,bhsk->bhtk", pattern, V)
        return {"out": torch.einsum("bhtk,hkd->tbd", z, self.W_O), "pattern": pattern}
