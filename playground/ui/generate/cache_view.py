"""The KV cache as a picture: which keys and values are kept, which are computed, and the cost with and without it."""

from collections.abc import Iterator
from typing import Any

import streamlit as st
import torch

from playground.common.numbers import counted
from playground.decoding import absorbed, absorbed_saving, answer_multiplications, can_cache, has_absorbed_form
from playground.model.task_model import TaskModel
from playground.settings.config import ModelConfig
from playground.settings.cost import cache_bytes
from playground.tasks import decode
from playground.tasks.batches import make_batch
from playground.ui.server.assets import loader

_cache = st.components.v2.component(
    "playground_kv_cache", html='<div class="cache"></div>', js=loader("generate/kv_cache.ts")
)


def show(model: TaskModel, source: list[int], read: list[int]) -> None:
    """Draw the cache of the pass that predicts the token after `read`."""
    with st.container(key="kv-cache"):
        _cache(data=as_data(model, source, read), height="content")


def as_data(model: TaskModel, source: list[int], read: list[int]) -> dict[str, Any]:
    """Data of kv_cache.ts: keys and values in the pass that predicts the token after `read`, and the costs so far."""
    config = model.config
    batch = make_batch(config, torch.tensor([source]), torch.tensor([read], dtype=torch.long))
    assert batch.target is not None
    positions = {"Self-attention": decode(batch.target[0].tolist(), config.task)}
    if model.encoder:
        assert batch.source is not None
        positions["Cross-attention"] = decode(batch.source[0].tolist(), config.task)
    possible = can_cache(model)
    later = bool(read) and possible
    kept = {"Self-attention": len(positions["Self-attention"]) - 1, "Cross-attention": len(source)}
    return {
        "possible": possible,
        "rows": [
            {"name": name, "tokens": tokens, "kept": kept[name] if later else 0} for name, tokens in positions.items()
        ],
        "layers": config.model.n_layers,
        "what": _what(config.model),
        "bytes": sum(each * len(tokens) for each, tokens in zip(cache_bytes(config), positions.values())),
        "notes": [*_window(config.model, len(positions["Self-attention"])), *_absorbed(model, source, read)] * possible,
        "cost": [answer_multiplications(model, len(source), len(read) + 1, cached=cached) for cached in (True, False)],
    }


def _what(settings: ModelConfig) -> str:
    """What is kept of each position."""
    if settings.attention == "latent":
        turned = " and a rotary key" if settings.positions == "rotary" else ""
        crossed = (
            " in self-attention, a latent in cross-attention" if settings.architecture == "encoder-decoder" else ""
        )
        return f"a latent{turned}{crossed if turned else ''}"
    if settings.attention == "grouped_query" and settings.n_kv_heads > 1:
        return f"{settings.n_kv_heads} keys and {settings.n_kv_heads} values"
    if settings.attention == "grouped_query":
        return "a key and a value that all heads share"
    return "keys and values of all heads"


def _window(settings: ModelConfig, positions: int) -> Iterator[str]:
    """How many positions no later token sees."""
    unseen = max(0, positions - settings.window + 1)
    if settings.window and unseen:
        yield (
            f"With the window {settings.window}, later tokens see {counted(settings.window - 1, 'position')} of these. "
            f"The oldest {counted(unseen, 'position')} of self-attention could be dropped. This cache keeps them."
        )


def _absorbed(model: TaskModel, source: list[int], read: list[int]) -> Iterator[str]:
    """How the absorbed form of latent attention compares in this pass."""
    settings = model.config.model
    if settings.attention != "latent":
        return
    if not has_absorbed_form(settings):
        yield "Latent attention has no absorbed form here: the query-key norm needs the keys themselves."
        return
    found = absorbed(model, source, read)
    yield (
        "Keys and values are made again from the latents for each token. The absorbed form (DeepSeek-V2 2024) needs "
        f"none: q W^UK times the latents gives the same scores (largest difference {found.scores:.1e}). "
        f"Weighted latents times W^UV give the same heads ({found.heads:.1e})."
    )
    if read:
        cached = answer_multiplications(model, len(source), len(read) + 1, cached=True)[-1]
        kept = len(read) + (len(source) if model.encoder is None else 0) + 1
        saved = absorbed_saving(settings, model.config.sizes | {"S": len(source), "T": kept})
        yield f"In the absorbed form, this token would take {cached - saved:,} multiplications instead of {cached:,}."
