import torch
import torch.nn.functional as F
from torch import nn


class Expert(nn.Module):
    def __init__(self, dim, hidden):
        super().__init__()
        self.gate = nn.Linear(dim, hidden, bias=False)
        self.up = nn.Linear(dim, hidden, bias=False)
        self.down = nn.Linear(hidden, dim, bias=False)

    def forward(self, x):
        return self.down(F.silu(self.gate(x)) * self.up(x))


class SparseMoE(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.num_experts, self.top_k = config.num_local_experts, config.num_experts_per_tok
        self.router = nn.Linear(config.hidden_size, self.num_experts, bias=False)
        self.blocks = nn.ModuleList(
            Expert(config.hidden_size, config.intermediate_size) for _ in range(self.num_experts)
        )

    def forward(self, hidden_states):
        batch, length, width = hidden_states.shape
        rows = hidden_states.reshape(-1, width)
        logits = self.router(rows)
        best, chosen = torch.topk(logits, self.top_k, dim=-1)
        gates = F.softmax(best, dim=-1, dtype=torch.float32).to(rows.dtype)
        mask = F.one_hot(chosen, self.num_experts).permute(2, 1, 0)
        out = torch.zeros_like(rows)
        for number, block in enumerate(self.blocks):
            nth, which = torch.where(mask[number])
            if which.numel() == 0:
                continue
            out.index_add_(0, which, block(rows[which]) * gates[which, nth, None])
        return out.reshape(batch, length, width), logits
