import torch
from torch import nn


class MultiHeadSelfAttention(nn.Module):
    """Multi-head self attention

    x:    (batch, seq, dim)
    mask: (batch, seq) bool, True for padding
    """

    def __init__(self, dim: int, n_heads: int, dropout: float = 0.0) -> None:
        super().__init__()
        if dim % n_heads:
            raise ValueError("dim must be divisible by n_heads")
        self.n_heads = n_heads
        self.head_dim = dim // n_heads
        self.qkv = nn.Linear(dim, 3 * dim, bias=False)
        self.drop = nn.Dropout(dropout)

    def split_heads(self, t: torch.Tensor) -> torch.Tensor:
        b, n, _ = t.shape
        return t.reshape(b, n, self.n_heads, self.head_dim).permute(0, 2, 1, 3)

    def forward(self, x: torch.Tensor, mask: torch.Tensor = None) -> torch.Tensor:
        b, n, d = x.shape
        q, k, v = map(self.split_heads, self.qkv(x).chunk(3, dim=-1))
        att = torch.einsum("bhid,bhjd->bhij", q, k) / self.head_dim ** 0.5
        if mask is not None:
            att = att.masked_fill(mask[:, None, None, :], torch.finfo(att.dtype).min)
        att = self.drop(att.softmax(dim=-1))
        out = torch.einsum("bhij,bhjd->bhid", att, v)
        # merge the heads
        return out.permute(0, 2, 1, 3).reshape(b, n, d)
