import torch
from torch import Tensor, nn


class MultiHeadSelfAttention(nn.Module):
    """Self-attention of several heads, computed in one go.

    Shapes: (batch, length, dim) in, (batch, length, dim) out.
    """

    def __init__(self, *, dim: int, num_heads: int, attn_drop: float = 0.0) -> None:
        super().__init__()
        if dim % num_heads:
            raise ValueError(f"{dim=} is not a multiple of {num_heads=}")
        self.num_heads = num_heads
        self.qkv = nn.Linear(dim, dim * 3, bias=True)
        self.attn_drop = nn.Dropout(attn_drop)

    def forward(self, x: Tensor, *, key_mask: Tensor | None = None) -> Tensor:
        """key_mask: (batch, length), True for real tokens."""
        b, n, c = x.shape
        qkv = self.qkv(x).reshape(b, n, 3, self.num_heads, c // self.num_heads)
        q, k, v = qkv.permute(2, 0, 3, 1, 4)
        attn = (q @ k.mT) * (c // self.num_heads) ** -0.5
        if key_mask is not None:
            attn = attn.masked_fill(~key_mask[:, None, None, :], torch.finfo(attn.dtype).min)
        attn = self.attn_drop(attn.softmax(dim=-1))
        # heads back together
        return (attn @ v).transpose(1, 2).reshape(b, n, c)
