"""What runs in the process of a replay: the steps of a run once more."""

import contextlib
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from multiprocessing.connection import Connection

from playground.config import Change, RunConfig
from playground.runs.guest import memory_in_words, settle, training_from
from playground.runs.messages import SEND_EVERY
from playground.runs.snapshots import is_due, packed, weights
from playground.training import TrainingError

FILL_SECONDS = 2.0
"""How long a replay computes on behind the step that was asked for, so that its neighbours are there too."""


@dataclass(frozen=True)
class ReplayJob:
    """Steps of a run to take once more, without evaluations."""

    config: RunConfig
    changes: tuple[Change, ...]
    state: bytes | None  # packed, where to begin; None: at step 0
    step: int  # the step that is asked for
    sent: range  # steps whose weights are sent; the last one is the end
    checked: frozenset[int]  # steps whose weights are sent to be compared
    state_every: int  # distance of the full states that are sent on the way
    beginning: bytes = b""  # the weights of step 0; empty: the config determines them
    memory_mb: int = 0  # more than the worker takes anyway; 0: no limit


@dataclass
class Replayed:
    """What a replaying worker tells since the last report."""

    step: int  # how far it is
    weights: list[tuple[int, bytes]] = field(default_factory=list)
    states: list[tuple[int, bytes]] = field(default_factory=list)
    message: str = ""  # why it failed


def replay(connection: Connection, job: ReplayJob) -> None:
    """Takes the steps of a run again; ends quietly when the other side of `connection` is gone."""
    settle(15, job.memory_mb)  # whoever trains goes first
    with contextlib.suppress(EOFError, BrokenPipeError, ConnectionResetError):
        report = Replayed(0)
        try:
            with memory_in_words("replay", job.memory_mb):
                for report in _replayed(job):
                    connection.send(report)
        except TrainingError as error:
            connection.send(Replayed(report.step, message=str(error)))


def _replayed(job: ReplayJob) -> Iterator[Replayed]:
    training = training_from(job.config, job.changes, job.state, job.beginning)
    report, sent, arrived = Replayed(training.step), time.perf_counter(), None
    while True:
        step, now = training.step, time.perf_counter()
        if step in job.sent or step in job.checked:
            report.weights.append((step, weights(training.model)))
        if is_due(step, job.state_every):
            report.states.append((step, packed(training.state())))
        if step == job.step:
            arrived = time.process_time()
        over = step >= job.sent[-1] or (arrived is not None and time.process_time() - arrived > FILL_SECONDS)
        if over or step == job.step or now - sent >= SEND_EVERY:
            report.step = step
            yield report
            report, sent = Replayed(step), now
        if over:
            return
        training.take_step()
