"""Messages between a run and its worker."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

import torch

from playground.runs.keeping import Kept, Rank, RunFolder
from playground.runs.metadata import RunMetadata
from playground.runs.slow_motion import StageShown
from playground.runs.snapshots import RUN_BYTES, put_weights, unpacked
from playground.runs.states import Event
from playground.settings.config import Change
from playground.training import USUAL, Recipe, Training, TrainingError

SEND_EVERY = 0.1
"""Seconds between two reports."""

Until = int | Literal["solved"] | None
"""When a run pauses by itself: after this step, or when an evaluation finds it solved; None: never."""


@dataclass
class Report:
    """The news of a worker since its last report."""

    records: list[dict[str, Any]] = field(default_factory=list)
    snapshots: list[tuple[int, bytes]] = field(default_factory=list)  # (step, float32 weights in order)
    states: list[tuple[int, bytes]] = field(default_factory=list)  # (step, what `Training.state` gives, packed)
    event: Event | None = None  # None: unchanged
    message: str = ""  # with an event: the reason
    until: Until = None  # with an event: when it will pause by itself
    kept: Kept | None = None  # the newest kept state
    problem: str | None = None  # why nothing can be kept on disk; None: unchanged
    notice: str = ""  # why a command was refused
    changes: tuple[Change, ...] | None = None  # all changes, after a new one
    changed: int = 0  # number of "change" commands handled
    stage: StageShown | None = None  # in slow motion: the current stage
    slow: bool = False  # with an event: whether the run is in slow motion
    repeat: int | None = None  # the step a branch has reached while it repeats steps


@dataclass(frozen=True)
class RepeatedSteps:
    """Steps of its parent that a branch repeats, without evaluations, before its own first step."""

    step: int  # the last step to repeat
    seconds: float  # what these steps took originally
    digests: Mapping[int, bytes]  # step -> `digest` of its kept weights
    tested: int  # the most held-out sequences in an evaluation that found the parent solved


@dataclass(frozen=True)
class TrainingStart:
    """The training of a run at one of its steps, to be made in any process."""

    metadata: RunMetadata
    state: bytes | None = None  # packed; None: step 0
    initial_weights: bytes = b""  # float32, of step 0; empty: the settings determine them
    recipe: Recipe = USUAL

    def training(self) -> Training:
        """Make it. Raises `TrainingError` if the GPU is missing."""
        config, device = self.metadata.config, self.metadata.device
        if device == "cuda" and not torch.cuda.is_available():
            raise TrainingError("This run trains on a GPU, and this machine has none.")
        training = self.recipe.training(config, self.recipe.model(config).to(device), self.metadata.changes)
        if self.state is not None:
            training.go_on_from(unpacked(self.state))
        elif self.initial_weights:
            put_weights(training.model, self.initial_weights)
        return training


@dataclass(frozen=True)
class WorkerJob:
    """Everything a worker needs."""

    start: TrainingStart
    paused: bool = False  # take no step until resumed
    until: Until = None
    folder: RunFolder | None = None  # where the worker writes the run
    keeps: Rank | None = None  # without a folder: report what is to be kept; the rank of the best step so far
    resume: bool = False  # from the newest kept state, which `start` or the folder has
    repeat: RepeatedSteps | None = None  # else: repeat these steps first
    memory_mb: int = 0  # memory limit beyond the start of the worker; 0: no limit
    max_bytes: int = RUN_BYTES  # for snapshots and states
