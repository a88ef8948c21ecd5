"""What holds for every test: one thread, the same examples each time, and the limits of a shared host."""

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

os.environ.pop("PLAYGROUND_SIZE_FACTOR", None)  # read when playground.config is imported

import pytest
import torch
from hypothesis import HealthCheck, settings

from playground.host import Host
from playground.runs import Runs
from tests.hub import Hub, running_hub

torch.set_num_threads(1)
settings.register_profile(
    "playground", deadline=None, derandomize=True, database=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("playground")


@pytest.fixture
def host(tmp_path: Path) -> Iterator[Callable[..., Runs]]:
    """Makes the runs of a host; a second call is the same host after a new start."""
    made: list[Runs] = []

    def make(**limits: Any) -> Runs:
        made.append(Runs(Host(checkpoints=tmp_path, **limits)))
        return made[-1]

    yield make
    for runs in made:
        runs.close()


@pytest.fixture
def hub(monkeypatch: pytest.MonkeyPatch) -> Iterator[Hub]:
    """A small Hub of its own for this test, to which HF_ENDPOINT points."""
    with running_hub() as hub:
        monkeypatch.setenv("HF_ENDPOINT", hub.url)
        yield hub
