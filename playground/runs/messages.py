"""What a run and its worker tell each other."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from playground.config import Change
from playground.runs.keeping import Kept, RunFolder, Score
from playground.runs.metadata import RunMetadata
from playground.runs.slow_motion import StageShown
from playground.runs.snapshots import RUN_BYTES
from playground.runs.states import Event

SEND_EVERY = 0.1
"""Seconds between two reports."""

Until = int | Literal["solved"] | None
"""Where a run pauses by itself: after this step, or when a test finds it solved; None: nowhere."""


@dataclass
class Report:
    """What a worker tells its run since the last report."""

    records: list[dict[str, Any]] = field(default_factory=list)
    snapshots: list[tuple[int, bytes]] = field(default_factory=list)  # (step, float32 weights in order)
    states: list[tuple[int, bytes]] = field(default_factory=list)  # (step, what `Training.state` gives, packed)
    event: Event | None = None  # None: its state is as before
    message: str = ""  # with an event: why
    until: Until = None  # with an event: where it will pause by itself
    kept: Kept | None = None  # the step whose state is on disk now, or shall be
    trouble: str | None = None  # why nothing can be kept on disk; None: as before
    notice: str = ""  # why a command was not obeyed
    changes: tuple[Change, ...] | None = None  # all of them, after one has been made
    changed: int = 0  # how many commands to change something have been obeyed
    stage: StageShown | None = None  # in slow motion: what is under way now
    slow: bool = False  # with an event: whether it is in slow motion
    again: int | None = None  # how far a branch has come with the steps it takes once more


@dataclass(frozen=True)
class Again:
    """Steps of the run it comes from that a branch takes once more, without evaluations, before it goes on."""

    state: bytes | None  # packed, where to begin; None: at step 0
    step: int  # the step from which it goes on
    seconds: float  # what the steps until there took in the first place
    digests: Mapping[int, bytes]  # step -> `digest` of the weights that were kept of it
    tested: int  # the most held-out sequences that were answered well enough for a solved run


@dataclass(frozen=True)
class Job:
    """Everything a worker needs to know."""

    metadata: RunMetadata
    paused: bool = False  # take no step until told to
    until: Until = None
    folder: RunFolder | None = None  # where the worker keeps the run
    keeps: Score | None = None  # without a folder: what is to be kept is reported; the score of the best step so far
    beginning: bytes = b""  # the weights of step 0; empty: the config determines them
    go_on: bool = False  # from the newest state that was kept
    state: bytes = b""  # this one, packed; empty: from the state in that folder
    again: Again | None = None  # else: take these steps first
    memory_mb: int = 0  # more than the worker takes anyway; 0: no limit
    room: int = RUN_BYTES  # for snapshots and states
