import torch
import torch.nn as nn


class SelfAttention(nn.Module):
    def __init__(self, embed_size, heads):
        super(SelfAttention, self).__init__()
        if embed_size % heads:
            raise ValueError("heads has to divide embed_size")
        self.embed_size = embed_size
        self.heads = heads
        self.head_dim = embed_size // heads

        self.values = nn.Linear(embed_size, embed_size, bias=False)
        self.keys = nn.Linear(embed_size, embed_size, bias=False)
        self.queries = nn.Linear(embed_size, embed_size, bias=False)
        self.fc_out = nn.Linear(embed_size, embed_size)

    def forward(self, values, keys, query, mask):
        # values and keys always have the same length
        N, query_len, _ = query.shape
        key_len = keys.shape[1]
        pieces = (self.heads, self.head_dim)

        V = self.values(values).reshape(N, key_len, *pieces)
        K = self.keys(keys).reshape(N, key_len, *pieces)
        Q = self.queries(query).reshape(N, query_len, *pieces)

        # n: sentence, q: query word, k: key word, h: head, d: inside a head
        energy = torch.einsum("nqhd,nkhd->nhqk", [Q, K])
        if mask is not None:
            energy = energy.masked_fill(mask == 0, float("-1e20"))
        attention = torch.softmax(energy / self.head_dim ** (1 / 2), dim=3)

        out = torch.einsum("nhqk,nkhd->nqhd", [attention, V])
        out = out.reshape(N, query_len, self.embed_size)
        return self.fc_out(out)
