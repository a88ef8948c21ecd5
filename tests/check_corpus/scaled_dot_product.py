import torch
import torch.nn.functional as F
from typing import Optional, Tuple
from torch import Tensor


def scaled_dot_product(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    mask: Optional[Tensor] = None,
) -> Tuple[Tensor, Tensor]:
    """Attention as in the paper.

    Args:
        q: (batch, heads, len_q, dim)
        k: (batch, heads, len_k, dim)
        v: (batch, heads, len_k, dim)
        mask: bool tensor, broadcastable to (batch, heads, len_q, len_k).
            False positions get no attention.
    """
    dim = q.shape[-1]
    logits = q @ k.transpose(-2, -1)
    logits = logits / dim ** 0.5
    weights = F.softmax(logits, dim=-1)
    # remove what must not be seen
    if mask is not None:
        weights = weights.masked_fill(~mask, 0.0)
    values = weights @ v
    return values, weights
