import math
import torch
import torch.nn.functional as F


def scaled_dot_product(q, k, v, mask=None):
    """
    q, k, v: (batch, heads, seq_len, head_dim)
    mask: broadcastable to (batch, heads, seq_len, seq_len), 0 = can not attend
    """
    d_k = q.size()[-1]
    scaled = torch.matmul(q, k.transpose(-1, -2)) / math.sqrt(d_k)
    attention = F.softmax(scaled, dim=-1)
    # remove the positions that should not be attended to
    if mask is not None:
        attention = attention.masked_fill(mask == 0, 0.0)
    values = torch.matmul(attention, v)
    return values, attention


if __name__ == "__main__":
    seq_len, d_k = 4, 8
    q = torch.randn(1, 2, seq_len, d_k)
    k = torch.randn(1, 2, seq_len, d_k)
    v = torch.randn(1, 2, seq_len, d_k)
    mask = torch.tril(torch.ones(seq_len, seq_len))
    values, attention = scaled_dot_product(q, k, v, mask)
    print("Values\n", values)
    print("Attention\n", attention)
