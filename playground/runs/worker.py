"""The worker process: a training loop that handles commands between steps."""

import time
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from playground.common.errors import PlaygroundError
from playground.processes import Connection, memory_errors
from playground.runs.keeping import FolderKeeper, Keeper, not_kept
from playground.runs.messages import SEND_EVERY, Report, WorkerJob
from playground.runs.slow_motion import SLOW_MOTION, STAGE_SECONDS, shown
from playground.runs.snapshots import (
    digest,
    is_due,
    packed,
    snapshot_limit,
    state_every,
    state_limit,
    weights,
)
from playground.runs.states import Command, Event
from playground.settings.config import ConfigError, not_after
from playground.training import Progress, Training, TrainingError, is_solved
from playground.training.stages import Stage, stage_plan


def work(connection: Connection, job: WorkerJob) -> None:
    """Train until the run ends or is stopped."""
    try:
        with memory_errors("training", job.memory_mb):
            worker = _Worker(connection, job)
    except PlaygroundError as error:
        connection.send(Report(event=Event.FAILED, message=str(error)))
    else:
        worker.run()


class _Worker:
    def __init__(self, connection: Connection, job: WorkerJob) -> None:
        metadata = job.start.metadata
        self.connection, self.job, self.pace, self.paused = connection, job, metadata.pace, job.paused
        self.until, self.repeat = job.until, job.repeat
        self.training = _training(job)
        self.training.measure_gradient_norm = metadata.gradient_norm
        self.report, self.sent = Report(), 0.0
        self.keeper: Keeper | None = None
        if job.folder:
            step = self.repeat.step if self.repeat else self.training.step
            self.keeper = FolderKeeper(job.folder, metadata.config, step)
        elif job.keeps:
            self.keeper = Keeper(job.keeps)
        self.steps_requested = 0  # single steps, or stages in slow motion, requested while paused
        self.stopped = self.suspended = False
        self.in_step = self.suspending = False  # a step is in progress; the worker finishes it and then suspends
        self.due = time.perf_counter()  # when the next step or stage may start
        parameters = sum(parameter.numel() for parameter in self.training.model.parameters())
        self.max_snapshots, self.snapshots, self.snapshot_every = snapshot_limit(parameters, job.max_bytes), 0, 1
        self.max_states = state_limit(parameters, job.max_bytes)
        self.last_snapshot, self.snapshot_seconds = time.perf_counter(), max(1.0, parameters / 200_000)  # seconds

    def run(self) -> None:
        event, message = Event.FINISHED, ""
        try:
            with memory_errors("training", self.job.memory_mb):
                event = self.train()
        except PlaygroundError as error:
            event, message = Event.FAILED, str(error)
        else:
            self.snapshot(self.training.step)
        if event is not Event.SUSPENDED and not self.repeat:
            self.keep()
        self.report.event, self.report.message = event, message
        self.send()

    def train(self) -> Event:
        """Take the steps; return how the training ends."""
        self.repeat_steps()
        if self.training.step:
            self.listen(self.training.step)  # a resumed training starts between two steps
        steps, begun = self.training.progress(), self.training.step > 0
        while not (self.stopped or self.suspended or (begun and self.training.ended)):
            progress = self.slow_step() if begun and self.pace == SLOW_MOTION else next(steps)
            begun = True
            self.take(progress)
            if self.suspending:
                self.suspend()
            if self.training.ended:
                continue
            self.due = max(self.due + self.step_seconds(), time.perf_counter())
            self.listen(progress.step)
        if self.suspended:
            return Event.SUSPENDED
        if self.training.ended and not self.repeat:
            solved = self.training.solved and self.training.now.training.stop_when_solved
            return Event.SOLVED if solved else Event.FINISHED
        return Event.STOPPED

    def repeat_steps(self) -> None:
        """Repeat the steps before a branch's own first step; raises `TrainingError` if the weights differ."""
        repeat, later = self.repeat, []
        while repeat and not self.stopped:
            step = self.training.step
            if step in repeat.digests and digest(weights(self.training.model)) != repeat.digests[step]:
                raise TrainingError(
                    f"Repeating step {step:,} gave different weights, so the run cannot continue from step "
                    f"{repeat.step:,}. It was trained on another machine or with another version of torch."
                )
            if is_due(step, state_every(repeat.step, self.max_states)):
                self.report.states.append((step, packed(self.training.state())))
            if step == repeat.step:
                self.training.seconds = repeat.seconds
                self.training.solved = repeat.tested >= len(self.training.held_out)
                self.repeat = repeat = None
                self.keep()
                break
            if time.perf_counter() - self.sent >= SEND_EVERY:
                self.report.repeat = step
                self.send()
            while self.connection.poll():
                command = self.connection.recv()
                if command[0] == Event.STOP:
                    self.stopped = True
                later.append(command)
            self.training.take_step()
        for command in later:
            self.handle(command)

    def slow_step(self) -> Progress:
        """Take the next step stage by stage."""
        model, config = self.training.model, self.training.config
        last, tokens = len(stage_plan(config)) - 1, dict[str, list[int]]()
        self.in_step, ends = True, list[Progress]()

        def stages() -> Iterator[Stage]:
            ends.append((yield from self.training.stages()))

        for index, stage in enumerate(stages()):
            tokens = tokens or stage.tokens
            if self.in_slow_motion:
                self.report.stage = shown(stage, index, model, config, tokens)
                self.show_stage(last=index == last)
        self.in_step = False
        return ends[0]

    @property
    def in_slow_motion(self) -> bool:
        """The current step is shown stage by stage, not only finished."""
        return self.pace == SLOW_MOTION and not (self.stopped or self.suspending)

    def show_stage(self, *, last: bool) -> None:
        """Show a stage until the next one is due or requested. After the last stage, that is the next step's first."""
        self.due = time.perf_counter() + STAGE_SECONDS
        while self.in_slow_motion:
            if self.paused and self.steps_requested:
                self.steps_requested -= not last
                return
            self.report.event = Event.PAUSED if self.paused else Event.RAN
            self.send()
            if self.paused:
                self.handle(self.connection.recv())
                self.due = time.perf_counter()
            elif self.connection.poll(max(0.0, self.due - time.perf_counter())):
                self.handle(self.connection.recv())
            else:
                return

    def take(self, progress: Progress) -> None:
        record = progress.record()
        self.report.records.append(record)
        if self.keeper:
            self.keeper.take(record, self.training)
        if is_due(progress.step, state_every(progress.step, self.max_states)):
            self.report.states.append((progress.step, packed(self.training.state())))
        if progress.evaluation:
            self.offer_snapshot(progress.step)
        if self.keeper and self.keeper.is_due():
            self.keep()
        if self.until == "solved":
            arrived = progress.evaluation is not None and is_solved(progress.evaluation, self.training.held_out)
        else:
            arrived = self.until is not None and progress.step >= self.until
        if arrived:
            self.paused, self.until = True, None

    def keep(self) -> bool:
        """Keep the state; if that fails, report it and go on training."""
        if self.keeper is None:
            return False
        try:
            self.report.kept = self.keeper.keep(self.training)
            self.report.problem = ""
        except OSError as error:
            self.report.problem = not_kept(error)
        return not self.report.problem

    def suspend(self) -> None:
        self.suspending = False
        self.suspended, self.paused = self.keep(), True
        if not self.suspended:  # a state that cannot be written stays in its process
            self.report.event = Event.NOT_SUSPENDED
            self.send()

    def listen(self, step: int) -> None:
        """Handle commands until the next step may start: when it is due, or when a paused run is resumed."""
        while not (self.stopped or self.suspended):
            if self.paused:
                self.due = time.perf_counter()
                if self.steps_requested:
                    self.steps_requested -= 1
                    return
                self.snapshot(step)
                self.report.event = Event.PAUSED
                if self.keeper and self.keeper.is_behind:
                    self.keep()
                self.send()
                self.handle(self.connection.recv())
                self.due = time.perf_counter()
                continue
            now = time.perf_counter()
            if now - self.sent >= SEND_EVERY or self.due - now >= SEND_EVERY:
                self.report.event = Event.RAN
                if now - self.last_snapshot >= self.snapshot_seconds:
                    self.snapshot(step)  # so that the newest weights are recent, even if evaluations are rare
                self.send()
            if not self.connection.poll(max(0.0, min(self.due - now, 1.0))):
                if time.perf_counter() >= self.due:
                    return
                continue
            self.handle(self.connection.recv())
            self.due = min(self.due, now + self.step_seconds())

    def step_seconds(self) -> float:
        """Seconds per step at the current pace; 0 at full speed and in slow motion."""
        return 1 / self.pace if self.pace else 0.0

    def handle(self, command: Command) -> None:
        verb, value = command
        if verb == Event.PAUSE:
            self.paused, self.until = True, None
        elif verb == Event.RESUME:
            self.paused, self.until, self.steps_requested = False, value, 0
        elif verb == Event.STEP:
            self.paused, self.until = True, None
            self.steps_requested += 1
        elif verb == "pace":
            self.pace = value
        elif verb == "change":
            self.change(value)
        elif verb == "observe":
            self.training.measure_gradient_norm = value
        elif verb == Event.SUSPEND:
            self.suspending = True
            if not self.in_step:
                self.suspend()
        elif verb == Event.STOP:
            self.stopped = True

    def change(self, settings: Mapping[str, Any]) -> None:
        training = self.training
        before = training.changes
        try:
            training.changes = not_after(before, training.step)
            training.change(settings)
        except ConfigError as error:  # the change was valid when requested but has come too late
            training.changes, self.report.notice = before, str(error)
        self.report.changes, self.report.changed = training.changes, self.report.changed + 1
        self.sent = 0.0  # report at once

    def offer_snapshot(self, step: int) -> None:
        """Keep evenly spaced snapshots: when there are too many, their spacing doubles."""
        evaluation = step // self.training.config.training.eval_every
        if evaluation % self.snapshot_every == 0:
            self.snapshot(step)
            self.snapshots += 1
            if self.snapshots > self.max_snapshots:
                self.snapshots //= 2
                self.snapshot_every *= 2

    def snapshot(self, step: int) -> None:
        if not self.report.snapshots or self.report.snapshots[-1][0] != step:
            self.report.snapshots.append((step, weights(self.training.model)))
            self.last_snapshot = time.perf_counter()

    def send(self) -> None:
        if self.report != Report():
            self.report.until, self.report.slow = self.until, self.pace == SLOW_MOTION
            self.connection.send(self.report)
        self.report, self.sent = Report(), time.perf_counter()


def _training(job: WorkerJob) -> Training:
    """The training at its kept state, at the first step to repeat, or at step 0."""
    start = job.start
    if job.resume and start.state is None:
        state = job.folder.packed_state() if job.folder else None
        if state is None:
            raise TrainingError("The saved state of this run is no longer on disk, so the run cannot resume.")
        start = replace(start, state=state)
    return start.training()
