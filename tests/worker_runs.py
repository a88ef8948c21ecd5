"""Runs in worker processes: workers that start fast, fixtures that start runs, and the history they must reach."""

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from playground.model.task_model import TaskModel
from playground.processes import warm_up
from playground.runs import Run
from playground.runs.metadata import RunMetadata
from playground.settings.config import RunConfig
from playground.training import train
from tests.helpers import TINY, numbers, until

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


@pytest.fixture
def start() -> Iterator[Callable[..., Run]]:
    """Starts runs and ends them after the test."""
    runs: list[Run] = []

    def begin(
        config: RunConfig = TINY, pace: float | None = None, *, folder: Path | None = None, **changes: Any
    ) -> Run:
        fields = {name: changes.pop(name) for name in RunMetadata.model_fields if name in changes}
        run = Run(RunMetadata(config=config, pace=pace, **fields), **changes)
        if folder is not None:
            run.store.keep_in(folder)
        runs.append(run)
        run.begin()
        return run

    yield begin
    for run in runs:
        run.close()


STILL = 0.001
"""A pace at which a running run takes no step for a quarter of an hour."""


def advance(run: Run, step: int) -> None:
    """Lets a paused run take all steps up to `step`; it runs on from there at the pace `STILL`."""
    assert run.wait("paused")
    for _ in range(step - 1 - run.step):
        run.step_once()
    until(lambda: run.step == step - 1)
    run.set_pace(STILL)
    run.resume()
    until(lambda: run.status == "running" and run.step == step)


def stays(value: Callable[[], object], seconds: float = 0.3) -> bool:
    """Whether a value is the same for a while."""
    before = value()
    time.sleep(seconds)
    return value() == before


@pytest.fixture(scope="module")
def here() -> tuple[list[dict[str, Any]], dict[int, TaskModel]]:
    """`TINY` trained in this process: its records and the model at each step."""
    model, records, models = TaskModel(TINY), [], {}
    for progress in train(TINY, model):
        records.append(progress.record())
        models[progress.step] = TaskModel(TINY)
        models[progress.step].load_state_dict(model.state_dict())
    return numbers(records), models
