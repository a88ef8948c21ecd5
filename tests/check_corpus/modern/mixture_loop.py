import torch
import torch.nn.functional as F
from torch import nn


class Expert(nn.Module):
    def __init__(self, d_model, d_ff):
        super().__init__()
        self.w1, self.w2, self.w3 = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model), nn.Linear(d_model, d_ff)

    def forward(self, x):
        return self.w2(F.silu(self.w1(x)) * self.w3(x))


class MoEFeedForward(nn.Module):
    def __init__(self, d_model, d_ff, num_experts=4, top_k=2):
        super().__init__()
        self.experts = nn.ModuleList(Expert(d_model, d_ff) for _ in range(num_experts))
        self.shared = Expert(d_model, d_ff)
        self.router = nn.Linear(d_model, num_experts, bias=False)
        self.top_k = top_k

    def forward(self, x):
        shape = x.shape
        x = x.view(-1, shape[-1])
        weights, chosen = self.router(x).softmax(-1).topk(self.top_k, dim=-1)
        weights = weights / weights.sum(-1, keepdim=True)
        out = torch.zeros_like(x)
        for number, expert in enumerate(self.experts):
            rows, nth = torch.where(chosen == number)
            out[rows] += weights[rows, nth, None] * expert(x[rows])
        return (out + self.shared(x)).view(shape)
