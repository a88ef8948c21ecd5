import torch
from torch import nn


class SwitchFeedForward(nn.Module):
    """One expert for each token, times its probability."""

    def __init__(self, d_model, d_ff, n_experts=4):
        super().__init__()
        self.switch = nn.Linear(d_model, n_experts)
        self.experts = nn.ModuleList(
            nn.Sequential(nn.Linear(d_model, d_ff), nn.ReLU(), nn.Linear(d_ff, d_model)) for _ in range(n_experts)
        )

    def forward(self, x):
        tokens = x.reshape(-1, x.shape[-1])
        probability, expert = self.switch(tokens).softmax(-1).max(-1)
        out = tokens.new_zeros(tokens.shape)
        for number, network in enumerate(self.experts):
            mine = (expert == number).nonzero().squeeze(-1)
            out[mine, :] = network(tokens[mine, :])
        return (out * probability[:, None]).view(x.shape)
