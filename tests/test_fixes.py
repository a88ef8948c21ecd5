"""What is offered where settings do not work together: each offer solves the problem."""

from collections.abc import Mapping
from typing import Any

import pytest

from playground.settings.config import ConfigError, RunConfig, setting_paths, value_at
from playground.ui.runs.fixes import fixes

DEFAULTS = {path: value_at(RunConfig(), path) for path in setting_paths()}


def problems(settings: dict[str, Any]) -> Mapping[str, str]:
    try:
        RunConfig().updated(settings)
    except ConfigError as error:
        return error.problems
    return {}


@pytest.mark.parametrize(
    ("changes", "path", "offered"),
    [
        (
            {"model.d_model": 10},
            "model.n_heads",
            [("model.n_heads", 2), ("model.n_heads", 5), ("model.d_model", 8), ("model.d_model", 12)],
        ),
        ({"model.n_heads": 99}, "model.n_heads", [("model.n_heads", 16)]),
        ({"model.n_layers": 0}, "model.n_layers", [("model.n_layers", 1)]),
        ({"training.learning_rate": 0.0}, "training.learning_rate", []),
        (
            {"model.positions": "sinusoidal", "model.d_model": 63, "model.n_heads": 1},
            "model.positions",
            [
                ("model.positions", "learned"),
                ("model.positions", "two_way"),
                ("model.d_model", 62),
                ("model.d_model", 64),
            ],
        ),
        ({"task.min_length": 20}, "task.min_length", [("task.min_length", 16), ("task.max_length", 20)]),
        ({"training.schedule": "noam"}, "training.warmup_steps", [("training.warmup_steps", 100)]),
        ({"training.warmup_steps": 5000}, "training.warmup_steps", [("training.warmup_steps", 100)]),
        (
            {"model.architecture": "encoder-only", "model.causal_mask": False},
            "model.causal_mask",
            [("model.causal_mask", True)],
        ),
        (
            {"task.vocab_size": 1, "task.min_length": 5, "task.max_length": 5},
            "task.vocab_size",
            [("task.vocab_size", 2)],
        ),
    ],
)
def test_each_fix_solves_its_problem(changes, path, offered):
    settings = {**DEFAULTS, **changes}
    assert path in problems(settings)
    assert fixes(settings, path) == offered
    assert all(path not in problems({**settings, setting: value}) for setting, value in offered)


def test_nothing_is_offered_for_a_setting_without_a_problem():
    assert fixes(DEFAULTS, "training.steps") == []
