import math

import torch


def attention(query, key, value, mask=None, dropout=None):
    """softmax(Q K^T / sqrt(d_k)) V. Gives back the result and the weights.

    mask: 0 where nothing may be looked at, anything else elsewhere.
    """
    d_k = query.size(-1)
    scores = torch.matmul(query, key.transpose(-2, -1)) / math.sqrt(d_k)
    if mask is not None:
        scores = scores.masked_fill(mask == 0, -1e9)
    p_attn = scores.softmax(dim=-1)
    if dropout is not None:
        p_attn = dropout(p_attn)
    return torch.matmul(p_attn, value), p_attn


if __name__ == "__main__":
    q = torch.randn(2, 4, 6, 16)
    out, w = attention(q, q, q)
    print(out.shape, w.sum(-1))
