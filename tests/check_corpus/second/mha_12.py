import torch
import torch.nn as nn
import torch.nn.functional as F


class SingleHead(nn.Module):
    def __init__(self, d_model, d_k):
        super().__init__()
        self.d_k = d_k
        self.WQ = nn.Linear(d_model, d_k)
        self.WK = nn.Linear(d_model, d_k)
        self.WV = nn.Linear(d_model, d_k)

    def forward(self, q, k, v, mask=None):
        q, k, v = self.WQ(q), self.WK(k), self.WV(v)
        att = torch.bmm(q, k.transpose(1, 2)) / self.d_k ** 0.5
        if mask is not None:
            att = att.masked_fill(mask == 0, -1e9)
        return torch.bmm(F.softmax(att, dim=2), v)


class MultiHeadAttention(nn.Module):
    def __init__(self, d_model=64, num_heads=8):
        super().__init__()
        self.heads = []
        for i in range(num_heads):
            self.heads.append(SingleHead(d_model, d_model // num_heads))
        self.WO = nn.Linear(d_model, d_model)

    def forward(self, q, k, v, mask=None):
        out = [head(q, k, v, mask) for head in self.heads]
        out = torch.cat(out, dim=2)
        return self.WO(out)


if __name__ == "__main__":
    mha = MultiHeadAttention()
    x = torch.rand(3, 10, 64)
    print(mha(x, x, x).shape)
    print(sum(p.numel() for p in mha.parameters()))
