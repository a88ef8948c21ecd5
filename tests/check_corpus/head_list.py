import torch
import torch.nn as nn
import torch.nn.functional as F

# settings, small enough for a laptop
context = 32
width = 24
n_heads = 4
p_drop = 0.1

class Head(nn.Module):
    """a single head that only looks back"""

    def __init__(self, size):
        super().__init__()
        self.q = nn.Linear(width, size, bias=False)
        self.k = nn.Linear(width, size, bias=False)
        self.v = nn.Linear(width, size, bias=False)
        self.register_buffer('past', torch.ones(context, context).tril().bool())
        self.drop = nn.Dropout(p_drop)

    def forward(self, x):
        T = x.shape[1]
        q, k, v = self.q(x), self.k(x), self.v(x)      # all (B, T, size)
        affinity = q @ k.mT / q.shape[-1]**0.5         # (B, T, T)
        affinity = torch.where(self.past[:T, :T], affinity, float('-inf'))
        return self.drop(F.softmax(affinity, -1)) @ v

class MultiHead(nn.Module):
    """heads work in parallel, a linear layer lets them talk"""

    def __init__(self):
        super().__init__()
        self.heads = nn.ModuleList(Head(width // n_heads) for _ in range(n_heads))
        self.mix = nn.Linear(width, width)
        self.drop = nn.Dropout(p_drop)

    def forward(self, x):
        together = torch.cat([head(x) for head in self.heads], dim=2)
        return self.drop(self.mix(together))
