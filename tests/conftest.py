"""What holds for every test: one thread, the same examples each time, and the limits of a shared host."""

import functools
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
from tests.helpers import until
from tests.hub import Hub, running_hub

torch.set_num_threads(1)
settings.register_profile(
    "playground", deadline=None, derandomize=True, database=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("playground")


@pytest.fixture
def host(tmp_path: Path) -> Iterator[Callable[..., Runs]]:
    """Makes the runs of a host; a second call is the same host after a restart."""
    made: list[Runs] = []

    def make(**limits: Any) -> Runs:
        for runs in made:  # a run says that it has ended a moment before its description is on disk
            until(functools.partial(_described, runs))
        made.append(Runs(Host(checkpoints=tmp_path, **limits)))
        return made[-1]

    yield make
    for runs in made:
        runs.close()


def _described(runs: Runs) -> bool:
    return not any(run.ended and run.has_worker for run in list(runs._all()))


@pytest.fixture
def hub(monkeypatch: pytest.MonkeyPatch) -> Iterator[Hub]:
    """A small Hub of its own for this test, to which HF_ENDPOINT points."""
    with running_hub() as hub:
        monkeypatch.setenv("HF_ENDPOINT", hub.url)
        yield hub
