"""What runs in the worker process: a training loop that listens between steps."""

import time
from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import Any

import torch
from torch import Tensor

from playground.batches import Sequences
from playground.config import Change, ConfigError, RunConfig, not_after
from playground.runs.backends import Connection
from playground.runs.backends.processes import memory_in_words
from playground.runs.keeping import FolderKeeper, Keeper, not_kept
from playground.runs.messages import SEND_EVERY, Job, Report
from playground.runs.metadata import Device
from playground.runs.slow_motion import SLOW_MOTION, STAGE_SECONDS, shown
from playground.runs.snapshots import (
    digest,
    is_due,
    packed,
    put_weights,
    snapshot_limit,
    state_every,
    state_limit,
    unpacked,
    weights,
)
from playground.runs.states import Command, Event
from playground.task_model import TaskModel
from playground.training import Progress, Training, TrainingError, is_solved
from playground.training.stages import Stage, stage_plan


def work(connection: Connection, job: Job) -> None:
    """Trains until done or told to stop."""
    try:
        with memory_in_words("training", job.memory_mb):
            worker = _Worker(connection, job)
    except TrainingError as error:
        connection.send(Report(event=Event.FAILED, message=str(error)))
    else:
        worker.run()


class _Worker:
    def __init__(self, connection: Connection, job: Job) -> None:
        self.connection, self.job, self.pace, self.paused = connection, job, job.metadata.pace, job.paused
        self.until, self.again = job.until, job.again
        self.training = _training(job)
        self.training.measure_gradient_norm = job.metadata.gradient_norm
        self.report, self.sent = Report(), 0.0
        self.keeper: Keeper | None = None
        if job.folder:
            step = self.again.step if self.again else self.training.step
            self.keeper = FolderKeeper(job.folder, job.metadata.config, step)
        elif job.keeps:
            self.keeper = Keeper(job.keeps)
        self.steps_wanted = 0  # single steps, in slow motion stages, asked for while paused
        self.stopped = self.suspended = False
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
        event, message = Event.FINISHED, ""
        try:
            with memory_in_words("training", self.job.memory_mb):
                event = self.train()
        except TrainingError as error:
            event, message = Event.FAILED, str(error)
        else:
            self.snapshot(self.training.step)
        if event is not Event.SUSPENDED and not self.again:
            self.keep()
        self.report.event, self.report.message = event, message
        self.send()

    def train(self) -> Event:
        """Goes through the steps; returns how it ends."""
        self.catch_up()
        if self.training.step:
            self.listen(self.training.step)  # a training that goes on begins between two steps
        steps, begun = self.training.progress(), self.training.step > 0
        while not (self.stopped or self.suspended or (begun and self.training.ended)):
            progress = self.slowly() if begun and self.pace == SLOW_MOTION else next(steps)
            begun = True
            self.take(progress)
            if self.leaving:
                self.suspend()
            if self.training.ended:
                continue
            self.due = max(self.due + self.distance(), time.perf_counter())
            self.listen(progress.step)
        if self.suspended:
            return Event.SUSPENDED
        if self.training.ended and not self.again:
            solved = self.training.solved and self.training.now.training.stop_when_solved
            return Event.SOLVED if solved else Event.FINISHED
        return Event.STOPPED

    def catch_up(self) -> None:
        """Takes the steps up to where a branch begins; raises `TrainingError` where they come to something else."""
        again, later = self.again, []
        while again and not self.stopped:
            step = self.training.step
            if step in again.digests and digest(weights(self.training.model)) != again.digests[step]:
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
                if command[0] == Event.STOP:
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
            self.report.event = Event.PAUSED if self.paused else Event.RAN
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
        """Keeps the state; where that fails the training goes on, and says so."""
        if self.keeper is None:
            return False
        try:
            self.report.kept = self.keeper.keep(self.training)
            self.report.trouble = ""
        except OSError as error:
            self.report.trouble = not_kept(error)
        return not self.report.trouble

    def suspend(self) -> None:
        self.leaving = False
        self.suspended, self.paused = self.keep(), True
        if not self.suspended:  # what cannot be kept on disk keeps its process
            self.report.event = Event.NOT_SUSPENDED
            self.send()

    def listen(self, step: int) -> None:
        """Obeys until the next step may start: when it is due, or when a paused run is told to go on."""
        while not (self.stopped or self.suspended):
            if self.paused:
                self.due = time.perf_counter()
                if self.steps_wanted:
                    self.steps_wanted -= 1
                    return
                self.snapshot(step)
                self.report.event = Event.PAUSED
                if self.keeper and self.keeper.is_behind:
                    self.keep()
                self.send()
                self.obey(self.connection.recv())
                self.due = time.perf_counter()
                continue
            now = time.perf_counter()
            if now - self.sent >= SEND_EVERY or self.due - now >= SEND_EVERY:
                self.report.event = Event.RAN
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
        if verb == Event.PAUSE:
            self.paused, self.until = True, None
        elif verb == Event.RESUME:
            self.paused, self.until, self.steps_wanted = False, value, 0
        elif verb == Event.STEP:
            self.paused, self.until = True, None
            self.steps_wanted += 1
        elif verb == "pace":
            self.pace = value
        elif verb == "change":
            self.change(value)
        elif verb == "observe":
            self.training.measure_gradient_norm = value
        elif verb == Event.SUSPEND:
            self.leaving = True
            if not self.under_way:
                self.suspend()
        elif verb == Event.STOP:
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
            self.report.snapshots.append((step, weights(self.training.model)))
            self.looked = time.perf_counter()

    def send(self) -> None:
        if self.report != Report():
            self.report.until, self.report.slow = self.until, self.pace == SLOW_MOTION
            self.connection.send(self.report)
        self.report, self.sent = Report(), time.perf_counter()


def _training(job: Job) -> Training:
    """Where the run was kept, where the steps to be taken once more begin, or at the beginning."""
    metadata = job.metadata
    if not job.go_on:
        again = job.again.state if job.again else None
        return training_from(metadata.config, metadata.changes, metadata.device, again, job.beginning)
    state = unpacked(job.state) if job.state else job.folder.state() if job.folder else None
    if state is None:
        raise TrainingError("What was kept of this run is not on the disk any more, so it cannot go on.")
    training = training_from(metadata.config, metadata.changes, metadata.device)
    training.go_on_from(state)
    return training


def training_from(
    config: RunConfig, changes: tuple[Change, ...], device: Device, state: bytes | None = None, beginning: bytes = b""
) -> Training:
    """A training that goes on from a packed state; None: from its beginning. Raises `TrainingError` without a GPU."""
    if device == "cuda" and not torch.cuda.is_available():
        raise TrainingError("This run trains on a GPU, and there is none here.")
    training = Training(config, TaskModel(config).to(device), changes)
    if state is not None:
        training.go_on_from(unpacked(state))
    elif beginning:
        put_weights(training.model, beginning)
    return training
