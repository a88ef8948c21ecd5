"""Runs in worker processes: workers that start fast, settings, and the history they must reach."""

from typing import Any

import pytest

from playground.config import RunConfig
from playground.runs.backends.processes import warm_up
from playground.training import train
from tests.helpers import TINY, numbers

SHORT = TINY.updated({"training.steps": 1})


@pytest.fixture(scope="module", autouse=True)
def warm() -> None:
    warm_up()


def whole() -> list[dict[str, Any]]:
    """The history of `TINY`, trained in one go."""
    return numbers([progress.record() for progress in train(TINY)])


def seeds(config: RunConfig, count: int) -> list[RunConfig]:
    return [config.updated({"seed": seed}) for seed in range(count)]


HUGE = RunConfig().updated(
    {"model.d_model": 256, "model.n_heads": 16, "model.n_layers": 3, "task.max_length": 64}
    | {"training.batch_size": 512, "training.steps": 100_000}
)
