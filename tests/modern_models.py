"""Small untrained models with the parts of later papers, in which no bias is 0 and no norm has weight 1."""

from typing import Any

import torch

from playground.model.task_model import TaskModel
from tests.helpers import small_model

_LLAMA = {"norm": "rms_norm", "activation": "swiglu", "positions": "rotary", "bias": False}
_MIXTURE = {"feed_forward": "mixture", "n_experts": 3, "experts_per_token": 2, "n_shared_experts": 1}

MODERN: dict[str, tuple[str, dict[str, Any]]] = {
    "grouped": ("decoder-only", _LLAMA | {"n_heads": 6, "attention": "grouped_query", "n_kv_heads": 2}),
    "latent": ("decoder-only", _LLAMA | _MIXTURE | {"attention": "latent", "d_latent": 5, "d_rope": 2}),
    "both": ("encoder-decoder", _MIXTURE | {"attention": "latent", "d_latent": 3, "norm": "rms_norm"}),
    "limited": ("encoder-only", {"qk_norm": True, "logit_cap": 2.0, "window": 3}),
}
"""Architecture and settings by name."""


def modern_model(name: str, **changes: Any) -> TaskModel:
    """A model of `MODERN` with two layers, in evaluation mode."""
    architecture, settings = MODERN[name]
    model = small_model(architecture, **{"n_layers": 2} | settings | changes)
    generator = torch.Generator().manual_seed(1)
    for parameter in model.parameters():
        if parameter.dim() == 1:
            parameter.data += torch.randn(parameter.shape, generator=generator) / 4
    return model
