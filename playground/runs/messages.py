"""Messages between a run and its worker."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from playground.runs.keeping import Kept, Rank, RunFolder
from playground.runs.metadata import RunMetadata
from playground.runs.slow_motion import StageShown
from playground.runs.snapshots import RUN_BYTES
from playground.runs.states import Event
from playground.settings.config import Change
from playground.training import USUAL, Recipe

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

    state: bytes | None  # packed state to start from; None: step 0
    step: int  # the last step to repeat
    seconds: float  # what these steps took originally
    digests: Mapping[int, bytes]  # step -> `digest` of its kept weights
    tested: int  # the most held-out sequences in an evaluation that found the parent solved


@dataclass(frozen=True)
class WorkerJob:
    """Everything a worker needs."""

    metadata: RunMetadata
    paused: bool = False  # take no step until resumed
    until: Until = None
    folder: RunFolder | None = None  # where the worker writes the run
    keeps: Rank | None = None  # without a folder: report what is to be kept; the rank of the best step so far
    initial_weights: bytes = b""  # float32, of step 0; empty: the config determines them
    resume: bool = False  # from the newest kept state
    state: bytes = b""  # that state, packed; empty: read it from the folder
    repeat: RepeatedSteps | None = None  # else: repeat these steps first
    memory_mb: int = 0  # memory limit beyond the start of the worker; 0: no limit
    max_bytes: int = RUN_BYTES  # for snapshots and states
    recipe: Recipe = USUAL
