"""What runs in the worker process: a training loop that listens between steps."""

import contextlib
import hashlib
import multiprocessing
import os
import signal
import threading
import time
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from multiprocessing.connection import Connection, wait
from typing import Any, Literal

import torch
from torch import Tensor

from playground.config import Change, ConfigError, RunConfig
from playground.runs.keeping import About, RunFolder
from playground.runs.slow_motion import SLOW_MOTION, STAGE_SECONDS, StageShown, shown, stage_plan
from playground.runs.snapshots import (
    RUN_BYTES,
    is_due,
    packed,
    put_weights,
    snapshot_limit,
    state_every,
    state_limit,
    unpacked,
    weights,
)
from playground.stages import Stage
from playground.tasks import Sequences
from playground.training import Example, Progress, Training, TrainingError, is_solved

SEND_EVERY = 0.1  # seconds

KEEP_EVERY = 1.0
"""Seconds at least between two states on disk; more where writing them would take over 2 % of the time."""

Until = int | Literal["solved"] | None
"""Where a run pauses by itself: after this step, or when a test finds it solved; None: nowhere."""

Verb = Literal["pause", "resume", "step", "stop", "lay aside", "pace", "change", "observe"]
Command = tuple[Verb, Any]
"""With it: an `Until` to resume, a pace, settings to change, whether to observe the norm of the gradient; else None."""


@dataclass
class Report:
    """What a worker tells its run since the last report."""

    records: list[dict[str, Any]] = field(default_factory=list)
    snapshots: list[tuple[int, bytes]] = field(default_factory=list)  # (step, float32 weights in order)
    states: list[tuple[int, bytes]] = field(default_factory=list)  # (step, what `Training.state` gives, packed)
    examples: tuple[Example, ...] = ()  # of the newest evaluation
    state: str = ""  # running, paused, laid aside, solved, finished, stopped or failed; empty: as before
    message: str = ""  # with a state: why
    until: Until = None  # with a state: where it will pause by itself
    kept: int | None = None  # the step whose state is on disk now
    trouble: str | None = None  # why nothing can be kept on disk; None: as before
    stays: bool = False  # it was to be laid aside and could not be
    notice: str = ""  # why a command was not obeyed
    changes: tuple[Change, ...] | None = None  # all of them, after one has been made
    changed: int = 0  # how many commands to change something have been obeyed
    stage: StageShown | None = None  # in slow motion: what is under way now
    slow: bool = False  # with a state: whether it is in slow motion
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

    about: About
    paused: bool = False  # take no step until told to
    until: Until = None
    folder: RunFolder | None = None  # where the run is kept, if it is
    beginning: bytes = b""  # the weights of step 0; empty: the config determines them
    go_on: bool = False  # from the state in that folder
    again: Again | None = None  # else: take these steps first
    memory_mb: int = 0  # more than the worker takes anyway; 0: no limit
    room: int = RUN_BYTES  # for snapshots and states


def not_after(changes: Iterable[Change], step: int) -> tuple[Change, ...]:
    """The changes up to a step: one made by hand there replaces those that were to come."""
    return tuple(change for change in changes if change.step <= step)


def digest(weights: bytes) -> bytes:
    """By which weights can be compared without being there."""
    return hashlib.blake2b(weights, digest_size=16).digest()


def not_kept(error: OSError) -> str:
    """The sentence for a run that has no place on disk."""
    return f"The host's disk does not take this run ({error.strerror or error}); save it before you leave."


def work(connection: Connection, job: Job) -> None:
    """Trains until done or told to stop; ends quietly when the other side of `connection` is gone."""
    _settle(10, job.memory_mb)  # the interface goes first
    try:
        try:
            with _memory_in_words("training", job.memory_mb):
                worker = _Worker(connection, job)
        except TrainingError as error:
            connection.send(Report(state="failed", message=str(error)))
        else:
            worker.run()
    except (EOFError, BrokenPipeError, ConnectionResetError):
        pass


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


FILL_SECONDS = 2.0
"""How long a replay computes on behind the step that was asked for, so that its neighbours are there too."""


def replay(connection: Connection, job: ReplayJob) -> None:
    """Takes the steps of a run again; ends quietly when the other side of `connection` is gone."""
    _settle(15, job.memory_mb)  # whoever trains goes first
    with contextlib.suppress(EOFError, BrokenPipeError, ConnectionResetError):
        report = Replayed(0)
        try:
            with _memory_in_words("replay", job.memory_mb):
                for report in _replayed(job):
                    connection.send(report)
        except TrainingError as error:
            connection.send(Replayed(report.step, message=str(error)))


def _replayed(job: ReplayJob) -> Iterator[Replayed]:
    training = _begun(job.config, job.changes, job.state, job.beginning)
    report, sent, arrived = Replayed(training.step), time.perf_counter(), None
    while True:
        step, now = training.step, time.perf_counter()
        if step in job.sent or step in job.checked:
            report.weights.append((step, _weights(training)))
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


def _begun(config: RunConfig, changes: tuple[Change, ...], state: bytes | None, beginning: bytes) -> Training:
    """A training that goes on from a packed state; None: from its beginning."""
    training = Training(config, changes=changes)
    if state is not None:
        training.go_on_from(unpacked(state))
    elif beginning:
        put_weights(training.model, beginning)
    return training


def _settle(niceness: int, memory_mb: int) -> None:
    """Makes this process a guest: one thread, low priority, gone with the server."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the server's; its end closes the connection
    if hasattr(os, "nice"):
        os.nice(niceness)
    torch.set_num_threads(1)
    threading.Thread(target=_end_with_server, daemon=True).start()
    if memory_mb:
        _limit_memory(memory_mb)


def _end_with_server() -> None:
    """Ends this process when the server is gone, also in the middle of a step that takes long."""
    server = multiprocessing.parent_process()
    if server is not None:
        wait([server.sentinel])
        os._exit(1)


def _limit_memory(megabytes: int | None) -> None:
    """Lets this process take so much more than it has; beyond it an allocation fails. Linux alone can do that.

    None ends the limit: whoever has run into it must still be able to say so.
    """
    try:
        import resource

        limit = most = resource.getrlimit(resource.RLIMIT_DATA)[1]
        if megabytes is not None:
            with open("/proc/self/status") as status:
                taken = next(int(line.split()[1]) * 1024 for line in status if line.startswith("VmData"))
            limit = taken + megabytes * 1_000_000
        resource.setrlimit(resource.RLIMIT_DATA, (limit, most))
    except (ImportError, OSError, StopIteration, ValueError):
        pass


@contextlib.contextmanager
def _memory_in_words(what: str, memory_mb: int) -> Iterator[None]:
    """Turns a failed allocation into a `TrainingError`."""
    try:
        yield
    except (MemoryError, RuntimeError) as error:
        if isinstance(error, RuntimeError) and "allocate memory" not in str(error):
            raise
        _limit_memory(None)
        allowed = f"more than the {memory_mb:,} MB a run may take on this host" if memory_mb else "too much"
        raise TrainingError(
            f"The {what} needed {allowed} memory, so it ended; a smaller batch, model or length needs less."
        ) from error


class _Worker:
    def __init__(self, connection: Connection, job: Job) -> None:
        self.connection, self.job, self.pace, self.paused = connection, job, job.about.pace, job.paused
        self.until, self.again = job.until, job.again
        self.training = _training(job)
        self.training.measure_gradient_norm = job.about.gradient_norm
        self.report, self.sent = Report(), 0.0
        self.keeper: _Keeper | None = None
        if job.folder:
            try:
                self.keeper = _Keeper(job.folder, self.again.step if self.again else self.training.step)
            except OSError as error:
                self.report.trouble = not_kept(error)
        self.steps_wanted = 0  # single steps, in slow motion stages, asked for while paused
        self.stopped = self.laid_aside = False
        self.under_way = self.leaving = False  # a step has begun; and is only finished before the worker goes
        self.due = time.perf_counter()  # when the next step or stage may start
        parameters = sum(parameter.numel() for parameter in self.training.model.parameters())
        self.most_snapshots, self.snapshots, self.snapshot_every = snapshot_limit(parameters, job.room), 0, 1
        self.most_states = state_limit(parameters, job.room)
        self.looked, self.look_every = time.perf_counter(), max(1.0, parameters / 200_000)  # seconds

    @cached_property
    def held_out(self) -> Tensor:
        return Sequences.of(self.training.config.task).held_out()

    def run(self) -> None:
        state, message = "finished", ""
        try:
            with _memory_in_words("training", self.job.memory_mb):
                state = self.train()
        except TrainingError as error:
            state, message = "failed", str(error)
        else:
            self.snapshot(self.training.step)
        if state != "laid aside" and not self.again:
            self.keep()
        self.report.state, self.report.message = state, message
        self.send()

    def train(self) -> str:
        """Goes through the steps; returns the state in which it ends."""
        self.catch_up()
        if self.training.step:
            self.listen(self.training.step)  # a training that goes on begins between two steps
        steps, begun = self.training.progress(), self.training.step > 0
        while not (self.stopped or self.laid_aside or (begun and self.training.ended)):
            progress = self.slowly() if begun and self.pace == SLOW_MOTION else next(steps)
            begun = True
            self.take(progress)
            if self.leaving:
                self.lay_aside()
            if self.training.ended:
                continue
            self.due = max(self.due + self.distance(), time.perf_counter())
            self.listen(progress.step)
        if self.laid_aside:
            return "laid aside"
        if self.training.ended and not self.again:
            return "solved" if self.training.solved and self.training.now.training.stop_when_solved else "finished"
        return "stopped"

    def catch_up(self) -> None:
        """Takes the steps up to where a branch begins; raises `TrainingError` where they come to something else."""
        again, later = self.again, []
        while again and not self.stopped:
            step = self.training.step
            if step in again.digests and digest(_weights(self.training)) != again.digests[step]:
                raise TrainingError(
                    f"Taken once more, step {step:,} comes to other numbers than it did then, so the run cannot go on "
                    f"from step {again.step:,}; another machine or another version of torch trained it."
                )
            if is_due(step, state_every(again.step, self.most_states)):
                self.report.states.append((step, packed(self.training.state())))
            if step == again.step:
                self.training.seconds = again.seconds
                self.training.solved = again.tested >= len(self.held_out)
                self.again = again = None
                self.keep()
                break
            if time.perf_counter() - self.sent >= SEND_EVERY:
                self.report.again = step
                self.send()
            while self.connection.poll():
                command = self.connection.recv()
                if command[0] == "stop":
                    self.stopped = True
                later.append(command)
            self.training.take_step()
        for command in later:
            self.obey(command)

    def slowly(self) -> Progress:
        """The next step, stage by stage."""
        model, config = self.training.model, self.training.config
        last, tokens = len(stage_plan(config)) - 1, dict[str, list[int]]()
        self.under_way, ends = True, list[Progress]()

        def stages() -> Iterator[Stage]:
            ends.append((yield from self.training.stages()))

        for at, stage in enumerate(stages()):
            tokens = tokens or stage.tokens
            if self.lingers:
                self.report.stage = shown(stage, at, model, config, tokens)
                self.hold(last=at == last)
        self.under_way = False
        return ends[0]

    @property
    def lingers(self) -> bool:
        """Whether a step under way is still to be watched, not only to be finished."""
        return self.pace == SLOW_MOTION and not (self.stopped or self.leaving)

    def hold(self, *, last: bool) -> None:
        """Shows a stage until the next one is due, or asked for; after the last one that is the next step's first."""
        self.due = time.perf_counter() + STAGE_SECONDS
        while self.lingers:
            if self.paused and self.steps_wanted:
                self.steps_wanted -= not last
                return
            self.report.state = "paused" if self.paused else "running"
            self.send()
            if self.paused:
                self.obey(self.connection.recv())
                self.due = time.perf_counter()
            elif self.connection.poll(max(0.0, self.due - time.perf_counter())):
                self.obey(self.connection.recv())
            else:
                return

    def take(self, progress: Progress) -> None:
        record = progress.record()
        self.report.records.append(record)
        if self.keeper:
            self.keeper.take(record, self.training)
        if is_due(progress.step, state_every(progress.step, self.most_states)):
            self.report.states.append((progress.step, packed(self.training.state())))
        if progress.evaluation:
            self.report.examples = progress.evaluation.examples
            self.offer_snapshot(progress.step)
            if self.keeper and self.keeper.is_due():
                self.keep()
        if self.until == "solved":
            arrived = progress.evaluation is not None and is_solved(progress.evaluation, self.held_out)
        else:
            arrived = self.until is not None and progress.step >= self.until
        if arrived:
            self.paused, self.until = True, None

    def keep(self) -> bool:
        """Writes the state to disk; where that fails the training goes on, and says so."""
        if self.keeper is None:
            return False
        try:
            self.report.kept = self.keeper.write(self.training)
            self.report.trouble = ""
        except OSError as error:
            self.report.trouble = not_kept(error)
        return not self.report.trouble

    def lay_aside(self) -> None:
        self.leaving = False
        self.laid_aside, self.paused = self.keep(), True
        self.report.stays = not self.laid_aside  # what cannot be kept on disk keeps its process

    def listen(self, step: int) -> None:
        """Obeys until the next step may start: when it is due, or when a paused run is told to go on."""
        while not (self.stopped or self.laid_aside):
            if self.paused:
                self.due = time.perf_counter()
                if self.steps_wanted:
                    self.steps_wanted -= 1
                    return
                self.snapshot(step)
                self.report.state = "paused"
                if self.report.records:
                    self.keep()
                self.send()
                self.obey(self.connection.recv())
                self.due = time.perf_counter()
                continue
            now = time.perf_counter()
            if now - self.sent >= SEND_EVERY or self.due - now >= SEND_EVERY:
                self.report.state = "running"
                if now - self.looked >= self.look_every:
                    self.snapshot(step)  # so that "now" is never long ago, also between rare evaluations
                self.send()
            if not self.connection.poll(max(0.0, min(self.due - now, 1.0))):
                if time.perf_counter() >= self.due:
                    return
                continue
            self.obey(self.connection.recv())
            self.due = min(self.due, now + self.distance())

    def distance(self) -> float:
        """Seconds from step to step; in slow motion the stages take theirs."""
        return 1 / self.pace if self.pace else 0.0

    def obey(self, command: Command) -> None:
        verb, value = command
        if verb == "pause":
            self.paused, self.until = True, None
        elif verb == "resume":
            self.paused, self.until = False, value
        elif verb == "step":
            self.paused, self.until = True, None
            self.steps_wanted += 1
        elif verb == "pace":
            self.pace = value
        elif verb == "change":
            self.change(value)
        elif verb == "observe":
            self.training.measure_gradient_norm = value
        elif verb == "lay aside":
            self.leaving = True
            if not self.under_way:
                self.lay_aside()
        elif verb == "stop":
            self.stopped = True

    def change(self, settings: Mapping[str, Any]) -> None:
        training = self.training
        before = training.changes
        try:
            training.changes = not_after(before, training.step)
            training.change(settings)
        except ConfigError as error:  # what was allowed when it was asked for may have come too late
            training.changes, self.report.notice = before, str(error)
        self.report.changes, self.report.changed = training.changes, self.report.changed + 1
        self.sent = 0.0  # told at once

    def offer_snapshot(self, step: int) -> None:
        """Keeps snapshots evenly spread: when there are too many, the distance between them doubles."""
        evaluation = step // self.training.config.training.eval_every
        if evaluation % self.snapshot_every == 0:
            self.snapshot(step)
            self.snapshots += 1
            if self.snapshots > self.most_snapshots:
                self.snapshots //= 2
                self.snapshot_every *= 2

    def snapshot(self, step: int) -> None:
        if not self.report.snapshots or self.report.snapshots[-1][0] != step:
            self.report.snapshots.append((step, _weights(self.training)))
            self.looked = time.perf_counter()

    def send(self) -> None:
        if self.report != Report():
            self.report.until, self.report.slow = self.until, self.pace == SLOW_MOTION
            self.connection.send(self.report)
        self.report, self.sent = Report(), time.perf_counter()


def _training(job: Job) -> Training:
    """Where the run was kept, where the steps to be taken once more begin, or at the beginning."""
    about = job.about
    if not job.go_on:
        return _begun(about.config, about.changes, job.again.state if job.again else None, job.beginning)
    state = job.folder.state() if job.folder else None
    if state is None:
        raise TrainingError("What was kept of this run is not on the disk any more, so it cannot go on.")
    training = Training(about.config, changes=about.changes)
    training.go_on_from(state)
    return training


class _Keeper:
    """Collects what is not on disk yet, and writes it from time to time."""

    def __init__(self, folder: RunFolder, step: int) -> None:
        self.folder = folder
        self.records: list[dict[str, Any]] = []
        # What an earlier worker recorded after the state that was kept will be recorded again.
        known = [record for record in folder.records() if step and record["step"] <= step]
        folder.start_history_anew(known)
        self.best = max(map(_score, known), default=_score({}))
        self.better: tuple[int, Tensor] | None = None  # step and weights that are not written yet
        self.due = time.perf_counter() + KEEP_EVERY

    def take(self, record: dict[str, Any], training: Training) -> None:
        self.records.append(record)
        if _score(record) > self.best:
            self.best, self.better = _score(record), (record["step"], _vector(training))

    def is_due(self) -> bool:
        return time.perf_counter() >= self.due

    def write(self, training: Training) -> int:
        """Returns the step that is kept; raises OSError, and then tries again later."""
        start = time.perf_counter()
        try:
            self.folder.write(training.state(), self.records)
            self.records.clear()
            if self.better:
                self.folder.write_best(*self.better)
                self.better = None
        finally:
            now = time.perf_counter()
            self.due = now + max(KEEP_EVERY, 50 * (now - start))
        return training.step


def _score(record: dict[str, Any]) -> tuple[float, float]:
    """By which one step is better than another."""
    return record.get("exact_match", -1.0), record.get("token_accuracy", -1.0)


def _vector(training: Training) -> Tensor:
    """A copy of all weights in one row."""
    return torch.nn.utils.parameters_to_vector(training.model.parameters()).detach()


def _weights(training: Training) -> bytes:
    return weights(training.model)
