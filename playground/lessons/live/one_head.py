"""The model's own attention, for the few vectors of a lesson."""

import torch
from torch import Tensor

from playground.model.attention import ScaledDotProductAttention
from playground.recording import run_with_cache


def attend(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    mask: Tensor | None = None,
    attention: ScaledDotProductAttention | None = None,
) -> dict[str, Tensor]:
    """Tensors of one attention by name of the tap: queries (T, K), keys (S, K), values (S, K), a mask (T, S)."""
    if mask is None:
        mask = torch.ones(len(query), len(key), dtype=torch.bool)
    module = attention or ScaledDotProductAttention()
    _, cache = run_with_cache(module, (tensor[None, None] for tensor in (query, key, value, mask)))
    return {name: tensor[0, 0] for name, tensor in cache.items()}
