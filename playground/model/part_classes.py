"""Which class each part of a model is, by its settings."""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from torch import nn

from playground.model.attention import MultiHeadAttention
from playground.model.feed_forward import FeedForward
from playground.model.gated_feed_forward import GatedFeedForward
from playground.model.grouped_query_attention import GroupedQueryAttention
from playground.model.latent_attention import LatentAttention
from playground.model.limited_attention import limited
from playground.model.mixture import Mixture

if TYPE_CHECKING:
    from playground.settings.config import ModelConfig

EPSILON = 1e-5

NORMS: Mapping[str, Callable[["ModelConfig"], nn.Module]] = {
    "layer_norm": lambda config: nn.LayerNorm(config.d_model, EPSILON, bias=config.bias),
    "rms_norm": lambda config: nn.RMSNorm(config.d_model, EPSILON),
}
ATTENTIONS: Mapping[str, type[MultiHeadAttention]] = {
    "multi_head": MultiHeadAttention,
    "grouped_query": GroupedQueryAttention,
    "latent": LatentAttention,
}
LIMITS: Mapping[bool, Callable[["ModelConfig", MultiHeadAttention, bool], MultiHeadAttention]] = {
    False: lambda config, part, cross: part,
    True: limited,
}
"""By whether queries, keys, scores or distances have a limit."""
NETWORKS: Mapping[str, type[FeedForward]] = {"relu": FeedForward, "gelu": FeedForward, "swiglu": GatedFeedForward}
"""By activation function."""

FEED_FORWARDS: Mapping[str, Callable[["ModelConfig"], Any]] = {
    "dense": lambda config: NETWORKS[config.activation](config),
    "mixture": lambda config: Mixture(config, NETWORKS[config.activation]),
}


def make_norm(config: "ModelConfig") -> nn.Module:
    """The norm of a vector (B, T, D)."""
    return NORMS[config.norm](config)


def make_attention(config: "ModelConfig", *, cross: bool = False) -> MultiHeadAttention:
    """Self-attention or cross-attention."""
    part = ATTENTIONS[config.attention](config, config.positions == "rotary" and not cross)
    return LIMITS[config.limits_attention](config, part, cross)


def make_feed_forward(config: "ModelConfig") -> Any:
    """What follows attention in a layer."""
    return FEED_FORWARDS[config.feed_forward](config)
