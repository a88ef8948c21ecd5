"""Suggested values that solve a problem with the settings."""

from collections.abc import Iterator, Mapping
from typing import Any

from playground.settings.config import ConfigError, RunConfig, bounds, choices, setting_paths


def fixes(settings: Mapping[str, Any], path: str) -> list[tuple[str, Any]]:
    """Changes of one setting, (path, value), that solve the problem of `path`; at most two for each setting.

    `settings` are all settings by path. For a number they are the nearest valid values below and above.
    """
    suggested = []
    for setting, values in _candidates(settings, path):
        now = settings[setting]
        good = [value for value in values if path not in _problems({**settings, setting: value})]
        if isinstance(now, (int, float)):
            good = [*sorted(value for value in good if value < now)[-1:], *sorted(v for v in good if v > now)[:1]]
        suggested += [(setting, value) for value in good[:2]]
    return suggested


def _candidates(settings: Mapping[str, Any], path: str) -> Iterator[tuple[str, list[Any]]]:
    """Settings that can solve the problem, and values to try."""
    field, now = setting_paths()[path], settings[path]
    low, high = bounds(field)
    if path == "task.held_out":
        yield path, [field.default]
    elif field.annotation is str:
        yield "task.max_length", _near(settings["task.max_length"])
    elif choices(field):
        yield path, list(choices(field))
    elif not low <= now <= high:
        yield path, [type(now)(bound) for bound in (low, high)]
    elif path in ("model.n_heads", "model.n_kv_heads", "task.vocab_size", "task.max_length"):
        yield path, _near(now)
    elif path == "model.d_rope":
        yield path, [0, *_near(now)]
        yield "model.positions", list(choices(setting_paths()["model.positions"]))
    elif path == "model.experts_per_token":
        yield path, [settings["model.n_experts"]]
        yield "model.n_experts", [now]
    elif path == "training.warmup_steps":
        yield path, [max(1, settings["training.steps"] // 10)]
    elif path == "task.min_length":
        yield path, [settings["task.max_length"]]
        yield "task.max_length", [now]
    elif field.annotation is bool:
        yield path, [False, True]
    if path in ("model.n_heads", "model.positions"):
        yield "model.d_model", _near(settings["model.d_model"])


def _near(value: int) -> list[int]:
    return list(range(max(1, value - 16), value + 17))


def _problems(settings: Mapping[str, Any]) -> Mapping[str, str]:
    try:
        RunConfig().updated(settings)
    except ConfigError as error:
        return error.problems
    return {}
