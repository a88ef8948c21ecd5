import torch
from torch import nn


class MoE(nn.Module):
    """All experts compute all tokens; gates of the others are 0."""

    def __init__(self, d_model, d_ff, n_experts=4, k=2):
        super().__init__()
        self.w_in = nn.Parameter(torch.randn(n_experts, d_model, d_ff) * 0.1)
        self.w_out = nn.Parameter(torch.randn(n_experts, d_ff, d_model) * 0.1)
        self.router, self.k = nn.Linear(d_model, n_experts), k

    def forward(self, x):
        logits = self.router(x)
        top, where = logits.topk(self.k, dim=-1)
        gates = torch.zeros_like(logits).scatter(-1, where, top.softmax(-1))
        hidden = torch.einsum("btd,edf->btef", x, self.w_in).relu()
        every = torch.einsum("btef,efd->bted", hidden, self.w_out)
        return (gates[..., None] * every).sum(2)
