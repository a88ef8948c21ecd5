import torch
import torch.nn as nn


class SelfAttention(nn.Module):

    def __init__(self, input_dim):
        super(SelfAttention, self).__init__()
        self.input_dim = input_dim
        self.query = nn.Linear(input_dim, input_dim)
        self.key = nn.Linear(input_dim, input_dim)
        self.value = nn.Linear(input_dim, input_dim)
        self.softmax = nn.Softmax(dim=1)

    def forward(self, x, mask=None):
        queries = self.query(x)
        keys = self.key(x)
        values = self.value(x)
        scores = torch.bmm(queries, keys.transpose(1, 2)) / (self.input_dim ** 0.5)
        if mask is not None:
            scores = scores.masked_fill(mask, float('-inf'))
        attention = self.softmax(scores)
        weighted = torch.bmm(attention, values)
        return weighted


if __name__ == '__main__':
    x = torch.rand(2, 6, 16)
    att = SelfAttention(16)
    print(att(x).shape)   # torch.Size([2, 6, 16])
