"""The absorbed form of latent attention: the same scores and heads without keys and values, from the latent alone.

DeepSeek-V2 2024, section 2.1.2: W^UK is absorbed into the queries, and W^UV is applied to the weighted sum of latents.
"""

import math
from typing import Any, NamedTuple

import torch
from torch import Tensor

from playground.model.architecture import Sizes, architecture
from playground.model.task_model import TaskModel
from playground.recording import Cache, run_with_cache
from playground.settings.config import ModelConfig
from playground.tasks.batches import make_batch


class Absorbed(NamedTuple):
    """How both forms compare, over all latent attentions of the decoder in one pass."""

    scores: float  # largest difference of a score
    heads: float  # largest difference of a number in the output of a head


def has_absorbed_form(settings: ModelConfig) -> bool:
    """True for latent attention, unless keys are normalized one by one: then they must be there."""
    return settings.attention == "latent" and not settings.qk_norm


def absorbed(model: TaskModel, source: list[int], read: list[int]) -> Absorbed:
    """Compute the absorbed form of every latent attention in the decoder, for the pass that reads `read`."""
    batch = make_batch(model.config, torch.tensor([source]), torch.tensor([read], dtype=torch.long))
    paths = [part.path for part in _attentions(model.config.model)]
    taps = [f"{path}.latent" for path in paths]
    taps += [f"{path}.attention.{tap}" for path in paths for tap in ("query", "key", "scores", "weights", "heads")]
    _, cache = run_with_cache(model, batch[:3], taps)
    differences = [_compared(model.get_submodule(path), path, cache) for path in paths]
    return Absorbed(*map(max, zip(*differences)))


@torch.no_grad()
def _compared(attention: Any, path: str, cache: Cache) -> tuple[float, float]:
    def per_head(layer: Any) -> tuple[Tensor, Tensor]:
        """(H, K, C) weights and (H, K) biases of an up-projection."""
        weight = layer.weight.detach().cpu().unflatten(0, (attention.n_heads, -1))
        if layer.bias is None:
            return weight, weight.new_zeros(weight.shape[:2])
        return weight, layer.bias.detach().cpu().view(weight.shape[:2])

    latent = cache[f"{path}.latent"]  # (B, S, C)
    query, key, scores, weights, heads = (
        cache[f"{path}.attention.{tap}"] for tap in ("query", "key", "scores", "weights", "heads")
    )
    (up_key, key_bias), (up_value, value_bias) = per_head(attention.w_uk), per_head(attention.w_uv)
    width = up_key.size(1)
    content, turned = query[..., :width], query[..., width:]  # (B, H, T, K) and the rotary part (B, H, T, P)
    queries = torch.einsum("bhtk,hkc->bhtc", content, up_key)  # q W^UK, (B, H, T, C)
    found = torch.einsum("bhtc,bsc->bhts", queries, latent)
    found = found + torch.einsum("bhtk,hk->bht", content, key_bias)[..., None]
    found = found + turned @ key[..., width:].mT
    sums = torch.einsum("bhts,bsc->bhtc", weights, latent)  # weighted latents
    made = torch.einsum("bhtc,hkc->bhtk", sums, up_value) + value_bias[:, None]
    return float((found - scores).abs().max()), float((made - heads).abs().max())


def absorbed_saving(settings: ModelConfig, sizes: Sizes) -> int:
    """Multiplications that the absorbed form saves in a pass over one new position; `sizes` has S and T as kept.

    Instead of keys and values of all positions, two maps are computed for the new one; products with latents are wider
    than those with keys and values.
    """
    saved = 0
    for part in _attentions(settings):
        columns = "S" if part.path.endswith("cross_attention") else "T"
        plain = 2 * math.prod(sizes[letter] for letter in f"{columns}CD")  # W^UK and W^UV of all positions
        products = 2 * sizes[columns] * sizes["H"] * (sizes["C"] - sizes["K"])  # wider by C - K each
        saved += plain - products - 2 * sizes["C"] * sizes["D"]
    return saved


def _attentions(settings: ModelConfig) -> list[Any]:
    return [part for part in architecture(settings).find("MultiHeadAttention") if part.path.startswith("decoder")]
