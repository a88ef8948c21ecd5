"""Latent attention and a mixture with a shared expert, gates from sigmoids, in a causal language model."""

import torch
import torch.nn.functional as F
from torch import nn


def turn(x, length):
    """x (batch, positions, heads, features)"""
    width = x.size(-1)
    angles = torch.outer(torch.arange(length).float(), 1.0 / 10000 ** (torch.arange(0, width, 2) / width))
    numbers = torch.view_as_complex(x.float().reshape(*x.shape[:-1], -1, 2))
    turned = numbers * torch.polar(torch.ones_like(angles), angles)[None, :, None, :]
    return torch.view_as_real(turned).flatten(-2).type_as(x)


class MLA(nn.Module):
    def __init__(self, d_model, n_heads, q_lora_rank, kv_lora_rank, qk_nope_head_dim, qk_rope_head_dim, v_head_dim):
        super().__init__()
        self.h, self.nope, self.rope, self.v = n_heads, qk_nope_head_dim, qk_rope_head_dim, v_head_dim
        self.rank = kv_lora_rank
        self.wq_a = nn.Linear(d_model, q_lora_rank, bias=False)
        self.q_norm = nn.RMSNorm(q_lora_rank)
        self.wq_b = nn.Linear(q_lora_rank, n_heads * (self.nope + self.rope), bias=False)
        self.wkv_a = nn.Linear(d_model, kv_lora_rank + self.rope, bias=False)
        self.kv_norm = nn.RMSNorm(kv_lora_rank)
        self.wkv_b = nn.Linear(kv_lora_rank, n_heads * (self.nope + self.v), bias=False)
        self.wo = nn.Linear(n_heads * self.v, d_model, bias=False)

    def forward(self, x):
        b, t, _ = x.shape
        q = self.wq_b(self.q_norm(self.wq_a(x))).view(b, t, self.h, -1)
        q_nope, q_rope = q.split([self.nope, self.rope], -1)
        latent, k_rope = self.wkv_a(x).split([self.rank, self.rope], -1)
        k_rope = turn(k_rope[:, :, None], t).expand(-1, -1, self.h, -1)
        k_nope, v = self.wkv_b(self.kv_norm(latent)).view(b, t, self.h, -1).split([self.nope, self.v], -1)
        q, k = torch.cat([q_nope, turn(q_rope, t)], -1), torch.cat([k_nope, k_rope], -1)
        scores = torch.einsum("bshd,bthd->bhst", q, k) * (self.nope + self.rope) ** -0.5
        scores = scores + torch.full((t, t), float("-inf")).triu(1)
        return self.wo(torch.einsum("bhst,bthd->bshd", scores.softmax(-1), v).flatten(2))


class Expert(nn.Module):
    def __init__(self, d_model, d_ff):
        super().__init__()
        self.w1, self.w3 = nn.Linear(d_model, d_ff, bias=False), nn.Linear(d_model, d_ff, bias=False)
        self.w2 = nn.Linear(d_ff, d_model, bias=False)

    def forward(self, x):
        return self.w2(F.silu(self.w1(x)) * self.w3(x))


class DeepSeekMoE(nn.Module):
    def __init__(self, d_model, d_ff, n_routed_experts, n_activated_experts, route_scale=2.5):
        super().__init__()
        self.k, self.scale = n_activated_experts, route_scale
        self.gate = nn.Linear(d_model, n_routed_experts, bias=False)
        self.balance = nn.Parameter(torch.zeros(n_routed_experts))
        self.experts = nn.ModuleList(Expert(d_model, d_ff) for _ in range(n_routed_experts))
        self.shared_expert = Expert(d_model, d_ff)

    def forward(self, x):
        rows = x.reshape(-1, x.size(-1))
        scores = self.gate(rows).sigmoid()
        chosen = (scores + self.balance).topk(self.k, -1).indices
        gates = scores.gather(1, chosen)
        gates = gates / gates.sum(-1, keepdim=True) * self.scale
        y = torch.zeros_like(rows)
        for number, expert in enumerate(self.experts):
            which, nth = torch.where(chosen == number)
            y[which] += expert(rows[which]) * gates[which, nth, None]
        return (y + self.shared_expert(rows)).view_as(x)


class Block(nn.Module):
    def __init__(self, d_model, n_heads, d_ff, kv_lora_rank, n_routed_experts, n_activated_experts):
        super().__init__()
        k = d_model // n_heads
        self.attn_norm, self.ffn_norm = nn.RMSNorm(d_model), nn.RMSNorm(d_model)
        self.attn = MLA(d_model, n_heads, 2 * kv_lora_rank, kv_lora_rank, k, 4, k)
        self.ffn = DeepSeekMoE(d_model, d_ff, n_routed_experts, n_activated_experts)

    def forward(self, x):
        x = x + self.attn(self.attn_norm(x))
        return x + self.ffn(self.ffn_norm(x))


class DeepSeekLM(nn.Module):
    """A causal language model."""

    def __init__(
        self, vocab_size, d_model, n_heads, n_layers, d_ff, kv_lora_rank, n_routed_experts, n_activated_experts
    ):
        super().__init__()
        self.embed = nn.Embedding(vocab_size, d_model)
        self.layers = nn.ModuleList(
            Block(d_model, n_heads, d_ff, kv_lora_rank, n_routed_experts, n_activated_experts) for _ in range(n_layers)
        )
        self.norm, self.head = nn.RMSNorm(d_model), nn.Linear(d_model, vocab_size, bias=False)

    def forward(self, tokens):
        x = self.embed(tokens)
        for layer in self.layers:
            x = layer(x)
        return self.head(self.norm(x))
