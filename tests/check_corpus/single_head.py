import torch
from torch import nn


class Attention(nn.Module):
    """One head, no mask. Good enough for classifying sentences."""

    def __init__(self, input_dim, dim_k=None, dim_v=None):
        super().__init__()
        dim_k = dim_k or input_dim
        dim_v = dim_v or input_dim
        self.query = nn.Linear(input_dim, dim_k)
        self.key = nn.Linear(input_dim, dim_k)
        self.value = nn.Linear(input_dim, dim_v)
        self.norm_fact = 1 / dim_k ** 0.5
        self.softmax = nn.Softmax(dim=1)

    def forward(self, x):
        # x: batch x words x input_dim
        queries = self.query(x)
        keys = self.key(x)
        values = self.value(x)

        scores = torch.bmm(queries, keys.transpose(1, 2)) * self.norm_fact
        attention = self.softmax(scores)
        weighted = torch.bmm(attention, values)
        return weighted
