"""What the parts of a model cost, from its settings alone: parameters, multiplications, and bytes in a KV cache."""

import math
from collections.abc import Iterable
from dataclasses import replace
from typing import NamedTuple

from playground.model.architecture import ModelSettings, Part, Sizes, architecture
from playground.settings.config import RunConfig

KEPT = ("w_k", "w_v", "w_dkv", "w_kr")
"""Linear layers of an attention whose results are kept: keys and values, or the latent and the rotary part of keys."""
BYTES = 4  # of a number

PRODUCTS, LINEAR, NETWORK = "Attention: products", "Attention: linear maps", "Feed-forward"
KINDS = {
    "Embedding": "Token embedding",
    "PositionalEncoding": "Positions",
    "ScaledDotProductAttention": PRODUCTS,
    "LayerNorm": "LayerNorms",
    "RMSNorm": "RMSNorms",
}
"""What a part is counted as, by its kind; a linear layer is counted by its path."""


class PartCost(NamedTuple):
    """What all parts of one name cost together."""

    parameters: int = 0
    multiplications: int = 0  # of matrices, as they are computed
    active: int = 0  # of these, without the experts that a router does not choose


def by_part(parts: Iterable[Part], sizes: Sizes, experts_per_token: int = 1) -> dict[str, PartCost]:
    """Costs by the name of the part, in the order of the parts; what costs nothing is left out."""
    costs: dict[str, PartCost] = {}
    for part in parts:
        alone, name = replace(part, parts=()), _name(part)
        parameters = sum(math.prod(shape) for shape in alone.parameter_shapes(sizes).values())
        computed = alone.multiplications(sizes)
        expert = part.path.partition(".experts.")[2].partition(".")[0]  # all cost the same: count the first ones
        active = computed if not expert or int(expert) < experts_per_token else 0
        if parameters or computed:
            before = costs.get(name, PartCost())
            costs[name] = PartCost(*map(sum, zip(before, (parameters, computed, active))))
    return costs


def costs_of(config: RunConfig) -> dict[str, PartCost]:
    """Costs by the name of the part: multiplications are those of one forward pass over the longest sequence."""
    return by_part(architecture(config.model), config.sizes | {"B": 1}, config.model.experts_per_token)


def cached_widths(settings: ModelSettings) -> tuple[str, str]:
    """Letters of the widths that a KV cache keeps in all layers: for a position of the decoder, and of the source."""
    kept = [part for part in architecture(settings).find("Linear") if part.path.startswith("decoder")]
    kept = [part for part in kept if part.path.rpartition(".")[2] in KEPT]
    own, source = ("".join(part.makes[-1] for part in kept if part.makes[1] == rows) for rows in "TS")
    return own, source


def cache_bytes(config: RunConfig) -> tuple[int, int]:
    """Bytes that a KV cache keeps for each position of the decoder, and for each position of an encoder's source."""
    own, source = (BYTES * sum(config.sizes[letter] for letter in each) for each in cached_widths(config.model))
    return own, source


def _name(part: Part) -> str:
    if part.kind != "Linear":
        return KINDS.get(part.kind, part.kind)
    return LINEAR if "attention" in part.path else NETWORK if "feed_forward" in part.path else "Output layer"
