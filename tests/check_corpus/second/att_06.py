import torch
from torch import Tensor
from typing import Optional, Tuple


def dot_product_attention(q: Tensor, k: Tensor, v: Tensor,
                          mask: Optional[Tensor] = None) -> Tuple[Tensor, Tensor]:
    """Scaled dot product attention.

    Args:
        q: [batch, len_q, dim]
        k: [batch, len_k, dim]
        v: [batch, len_k, dim]
        mask: bool tensor [batch, len_q, len_k], True at the positions to ignore
    """
    assert q.size(-1) == k.size(-1), "query and key must have the same dimension"
    scores = torch.einsum("bqd,bkd->bqk", q, k) * q.size(-1) ** -0.5
    if mask is not None:
        scores = scores + mask.to(scores.dtype)
    weights = torch.softmax(scores, dim=-1)
    return torch.einsum("bqk,bkd->bqd", weights, v), weights
