"""The KV cache as a picture: which keys and values are kept, which are computed, and the cost with and without it."""

from typing import Any

import streamlit as st
import torch

from playground.decoding import answer_multiplications, can_cache
from playground.model.task_model import TaskModel
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
        "numbers": 2 * config.model.d_model * config.model.n_layers * sum(map(len, positions.values())),
        "cost": [answer_multiplications(model, len(source), len(read) + 1, cached=cached) for cached in (True, False)],
    }
