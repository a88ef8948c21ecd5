import torch
import torch.nn as nn
import torch.nn.functional as F


def scaled_dot_product_attention(query, key, value, mask=None):
    dim_k = query.size(-1)
    scores = torch.bmm(query, key.transpose(1, 2)) / dim_k ** 0.5
    if mask is not None:
        scores = scores.masked_fill(mask, -float("inf"))
    weights = F.softmax(scores, dim=-1)
    return torch.bmm(weights, value)


class AttentionHead(nn.Module):
    def __init__(self, embed_dim, head_dim):
        super().__init__()
        self.q = nn.Linear(embed_dim, head_dim)
        self.k = nn.Linear(embed_dim, head_dim)
        self.v = nn.Linear(embed_dim, head_dim)

    def forward(self, query, key, value, mask=None):
        return scaled_dot_product_attention(self.q(query), self.k(key), self.v(value), mask)


class MultiHeadAttention(nn.Module):
    def __init__(self, config):
        super().__init__()
        embed_dim = config["hidden_size"]
        num_heads = config["num_attention_heads"]
        head_dim = embed_dim // num_heads
        self.heads = nn.ModuleList([AttentionHead(embed_dim, head_dim) for _ in range(num_heads)])
        self.output_linear = nn.Linear(embed_dim, embed_dim)

    def forward(self, query, key, value, mask=None):
        # mask: True = hide this key, (batch or 1, q_len, k_len)
        x = torch.cat([h(query, key, value, mask) for h in self.heads], dim=-1)
        return self.output_linear(x)


if __name__ == "__main__":
    cfg = {"hidden_size": 32, "num_attention_heads": 4}
    mha = MultiHeadAttention(cfg)
    x = torch.randn(1, 5, 32)
    print(mha(x, x, x).size())
