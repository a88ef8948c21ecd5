import torch
import torch.nn as nn


class MultiHeadAttention(nn.Module):
    def __init__(self, hid_dim, n_heads, dropout):
        super().__init__()

        assert hid_dim % n_heads == 0

        self.hid_dim = hid_dim
        self.n_heads = n_heads
        self.head_dim = hid_dim // n_heads

        self.fc_q = nn.Linear(hid_dim, hid_dim)
        self.fc_k = nn.Linear(hid_dim, hid_dim)
        self.fc_v = nn.Linear(hid_dim, hid_dim)

        self.fc_o = nn.Linear(hid_dim, hid_dim)

        self.dropout = nn.Dropout(dropout)

    def forward(self, query, key, value, mask=None):

        batch_size = query.shape[0]

        #query = [batch size, query len, hid dim]
        #key = [batch size, key len, hid dim]
        #value = [batch size, value len, hid dim]

        Q = self.fc_q(query).view(batch_size, -1, self.n_heads, self.head_dim)
        K = self.fc_k(key).view(batch_size, -1, self.n_heads, self.head_dim)
        V = self.fc_v(value).view(batch_size, -1, self.n_heads, self.head_dim)

        energy = torch.einsum("bqhd,bkhd->bhqk", Q, K) / (self.head_dim ** 0.5)

        #energy = [batch size, n heads, query len, key len]

        if mask is not None:
            energy = energy.masked_fill(mask == 0, -1e10)

        attention = torch.softmax(energy, dim=1)

        x = torch.einsum("bhqk,bkhd->bqhd", self.dropout(attention), V)

        x = x.reshape(batch_size, -1, self.hid_dim)

        x = self.fc_o(x)

        return x, attention
