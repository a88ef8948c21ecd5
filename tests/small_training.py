"""A small training, other settings for it, and ways to run it and to look at it."""

from collections.abc import Generator
from typing import Any

import torch

from playground.model.task_model import TaskModel
from playground.settings.config import Change, RunConfig
from playground.training import Progress, train
from playground.training.stages import Stage
from tests.helpers import timeless

TINY = RunConfig().updated(
    {
        "task.name": "copy",
        "task.vocab_size": 4,
        "task.max_length": 4,
        "model.d_model": 16,
        "model.n_heads": 2,
        "model.d_ff": 16,
        "training.steps": 12,
        "training.batch_size": 8,
    }
)


def records(config: RunConfig) -> list[dict[str, Any]]:
    """The history of a run without its times."""
    return timeless([progress.record() for progress in train(config)])


def weights(model: TaskModel) -> torch.Tensor:
    return torch.cat([parameter.detach().flatten() for parameter in model.parameters()])


SOLVABLE = TINY.updated(
    {"model.d_model": 32, "model.d_ff": 64, "training.steps": 250, "training.batch_size": 32, "training.eval_every": 10}
)


RUINOUS = TINY.updated(
    {"training.optimizer": "sgd", "training.learning_rate": 10.0, "model.layer_norm": False, "training.steps": 50}
)


def changed(config: RunConfig, changes: tuple[Change, ...]) -> list[dict[str, Any]]:
    return timeless([progress.record() for progress in train(config, changes=changes)])


def whole(stages: Generator[Stage, None, Progress]) -> tuple[list[Stage], Progress]:
    """The stages of one step, and its progress."""
    found = []
    while True:
        try:
            found.append(next(stages))
        except StopIteration as end:
            return found, end.value
