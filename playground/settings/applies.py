"""Which settings have an effect, by the values of others: without latent attention, its width has none."""

from collections.abc import Callable, Mapping
from typing import Any

from playground.tasks import TASKS

_MIXTURE = {"model.feed_forward": "mixture"}
NEEDS: Mapping[str, Mapping[str, Any]] = {
    "model.n_kv_heads": {"model.attention": "grouped_query"},
    "model.d_latent": {"model.attention": "latent"},
    "model.d_rope": {"model.attention": "latent", "model.positions": "rotary"},
    "model.n_experts": _MIXTURE,
    "model.experts_per_token": _MIXTURE,
    "model.n_shared_experts": _MIXTURE,
    "model.balance": _MIXTURE,
}
"""By setting, the values of others without which it has no effect."""


def missing(path: str, value_of: Callable[[str], Any]) -> dict[str, Any]:
    """The values, by path, that `NEEDS` asks for and the settings lack; `value_of` gives a setting's value."""
    return {other: value for other, value in NEEDS.get(path, {}).items() if value_of(other) != value}


def applies(path: str, value_of: Callable[[str], Any]) -> bool:
    """False if the setting at `path` has no effect on a run; `value_of` gives a setting's value by its path."""
    group, _, name = path.partition(".")
    if group == "task":
        task = TASKS.get(value_of("task.name"))
        return name == "name" or (task is not None and name in task.uses)
    return not missing(path, value_of)
