import torch
import torch.nn as nn


class SelfAttention(nn.Module):
    def __init__(self, embed_size=256, heads=8):
        super().__init__()
        self.embed_size = embed_size
        self.heads = heads
        self.head_dim = embed_size // heads
        self.v = nn.Linear(embed_size, embed_size)
        self.k = nn.Linear(embed_size, embed_size)
        self.q = nn.Linear(embed_size, embed_size)
        self.fc_out = nn.Linear(heads * self.head_dim, embed_size)

    def forward(self, values, keys, queries, mask=None):
        N = queries.shape[0]

        values = self.v(values).view(N, -1, self.heads, self.head_dim)
        keys = self.k(keys).view(N, -1, self.heads, self.head_dim)
        queries = self.q(queries).view(N, -1, self.heads, self.head_dim)

        energy = torch.einsum("nqhd,nkhd->nhqk", queries, keys)
        # mask out the pads so they get no influence
        if mask is not None:
            energy = energy.masked_fill(mask == 0, float("-1e20"))

        # for numerical stability we divide
        attention = torch.softmax(energy / (self.embed_size ** (1 / 2)), dim=-1)

        out = torch.einsum("nhqk,nkhd->nqhd", attention, values).flatten(2)
        return self.fc_out(out)
