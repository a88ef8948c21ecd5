import math

import torch
import torch.nn as nn


def attention(query, key, value, mask=None, dropout=None):
    "Compute scaled dot product attention (notes from the annotated transformer)"
    d_k = query.size(-1)
    scores = torch.matmul(query, key.transpose(-2, -1)) / math.sqrt(d_k)
    if mask is not None:
        scores = scores.masked_fill(mask == 0, -1e9)
    p_attn = scores.softmax(dim=-1)
    if dropout is not None:
        p_attn = dropout(p_attn)
    return torch.matmul(p_attn, value), p_attn


if __name__ == "__main__":
    q = torch.randn(2, 4, 5, 8)
    out, p = attention(q, q, q, mask=torch.tril(torch.ones(5, 5)), dropout=nn.Dropout(0.0))
    print(out.shape, p[0, 0])
