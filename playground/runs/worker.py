"""What runs in the worker process: a training loop that listens between steps."""

import contextlib
import multiprocessing
import os
import pickle
import signal
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from multiprocessing.connection import Connection, wait
from typing import Any, Literal

import torch
from torch import Tensor

from playground.config import RunConfig
from playground.runs.keeping import About, RunFolder
from playground.training import Example, Progress, Training, TrainingError

RUN_BYTES = 28_000_000
"""Room for the snapshots and full states of one run; when it is full, every second one goes."""

STATE_BYTES = 8_000_000
"""Of that, room for the full states, from which any step can be replayed."""

MAX_SNAPSHOTS = 200  # as many as a slider can tell apart

MAX_STATES = 24

FIRST_STATES_EVERY = 32  # steps, doubled whenever there are too many; so few are replayed in a moment

SEND_EVERY = 0.1  # seconds

KEEP_EVERY = 1.0
"""Seconds at least between two states on disk; more where writing them would take over 2 % of the time."""

Command = tuple[Literal["pause", "resume", "step", "stop", "lay aside"], None] | tuple[Literal["pace"], float | None]


@dataclass
class Report:
    """What a worker tells its run since the last report."""

    records: list[dict[str, Any]] = field(default_factory=list)
    snapshots: list[tuple[int, bytes]] = field(default_factory=list)  # (step, float32 weights in order)
    states: list[tuple[int, bytes]] = field(default_factory=list)  # (step, what `Training.state` gives, packed)
    examples: tuple[Example, ...] = ()  # of the newest evaluation
    state: str = ""  # running, paused, laid aside, solved, finished, stopped or failed; empty: as before
    message: str = ""  # with a state: why
    kept: int | None = None  # the step whose state is on disk now
    trouble: str | None = None  # why nothing can be kept on disk; None: as before
    stays: bool = False  # it was to be laid aside and could not be


@dataclass(frozen=True)
class Job:
    """Everything a worker needs to know."""

    about: About
    paused: bool = False  # take no step until told to
    folder: RunFolder | None = None  # where the run is kept, if it is
    go_on: bool = False  # from the state in that folder
    memory_mb: int = 0  # more than the worker takes anyway; 0: no limit


def snapshot_limit(parameters: int) -> int:
    """How many snapshots of so many float32 weights a run keeps at most."""
    room = RUN_BYTES - state_limit(parameters) * _state_bytes(parameters)
    return max(1, min(MAX_SNAPSHOTS, room // (4 * parameters)))


def state_limit(parameters: int) -> int:
    """How many full states of a model with so many parameters a run keeps at most."""
    return min(MAX_STATES, STATE_BYTES // _state_bytes(parameters))


def _state_bytes(parameters: int) -> int:
    """The most that a full state may take: weights and two moments, names and random states."""
    return 3 * 4 * parameters + 100_000


def state_every(step: int, limit: int) -> int:
    """The distance of full states in a run that has come to `step` and keeps `limit` of them; 0: there are none."""
    every = FIRST_STATES_EVERY if limit else 0
    while every and step // every > limit:
        every *= 2
    return every


def is_due(step: int, every: int) -> bool:
    """Whether a full state is kept at this step."""
    return bool(every and step and step % every == 0)


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
    state: bytes | None  # packed, where to begin; None: at step 0
    step: int  # the step that is asked for
    sent: range  # steps whose weights are sent; the last one is the end
    checked: frozenset[int]  # steps whose weights are sent to be compared
    state_every: int  # distance of the full states that are sent on the way
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
    training = Training(job.config)
    if job.state is not None:
        training.go_on_from(_unpacked(job.state))
    report, sent, arrived = Replayed(training.step), time.perf_counter(), None
    while True:
        step, now = training.step, time.perf_counter()
        if step in job.sent or step in job.checked:
            report.weights.append((step, _vector(training).numpy().tobytes()))
        if is_due(step, job.state_every):
            report.states.append((step, _packed(training)))
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


def _packed(training: Training) -> bytes:
    """What `Training.state` gives, for processes of this program alone: half the time of a file's format."""
    return pickle.dumps({name: tensor.numpy() for name, tensor in training.state().items()}, protocol=5)


def _unpacked(state: bytes) -> dict[str, Tensor]:
    return {name: torch.from_numpy(array) for name, array in pickle.loads(state).items()}


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
        self.config = job.about.config
        self.training = _kept_training(job) if job.go_on else Training(self.config)
        self.report, self.sent = Report(), 0.0
        self.keeper: _Keeper | None = None
        if job.folder:
            try:
                self.keeper = _Keeper(job.folder, job.about, self.training.step)
            except OSError as error:
                self.report.trouble = not_kept(error)
        self.steps_wanted = 0  # single steps asked for while paused
        self.stopped = self.laid_aside = False
        self.due = time.perf_counter()  # when the next step may start
        parameters = sum(parameter.numel() for parameter in self.training.model.parameters())
        self.most_snapshots, self.snapshots, self.snapshot_every = snapshot_limit(parameters), 0, 1
        self.most_states = state_limit(parameters)
        self.looked, self.look_every = time.perf_counter(), max(1.0, parameters / 200_000)  # seconds

    def run(self) -> None:
        state, message = "finished", ""
        try:
            with _memory_in_words("training", self.job.memory_mb):
                state = self.train()
        except TrainingError as error:
            state, message = "failed", str(error)
        else:
            self.snapshot(self.training.step)
        if state != "laid aside":
            self.keep(state, message)
        self.report.state, self.report.message = state, message
        self.send()

    def train(self) -> str:
        """Goes through the steps; returns the state in which it ends."""
        if self.training.step:
            self.listen(self.training.step)  # a training that goes on begins between two steps
        steps = self.training.progress()
        while not (self.stopped or self.laid_aside):
            progress = next(steps, None)
            if progress is None:
                break
            self.take(progress)
            if self.training.ended:
                continue
            self.due = max(self.due + self.distance(), time.perf_counter())
            self.listen(progress.step)
        if self.laid_aside:
            return "laid aside"
        if self.training.ended:
            return "solved" if self.training.solved and self.config.training.stop_when_solved else "finished"
        return "stopped"

    def take(self, progress: Progress) -> None:
        self.report.records.append(progress.record())
        if self.keeper:
            self.keeper.take(progress, self.training)
        if is_due(progress.step, state_every(progress.step, self.most_states)):
            self.report.states.append((progress.step, _packed(self.training)))
        if progress.evaluation:
            self.report.examples = progress.evaluation.examples
            self.offer_snapshot(progress.step)
            if self.keeper and self.keeper.is_due():
                self.keep()

    def keep(self, state: str = "", message: str = "") -> bool:
        """Writes the state to disk; where that fails the training goes on, and says so."""
        if self.keeper is None:
            return False
        try:
            self.report.kept = self.keeper.write(self.training, state, message)
            self.report.trouble = ""
        except OSError as error:
            self.report.trouble = not_kept(error)
        return not self.report.trouble

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
        """Seconds from step to step."""
        return 1 / self.pace if self.pace else 0.0

    def obey(self, command: Command) -> None:
        verb, value = command
        if verb == "pause":
            self.paused = True
        elif verb == "resume":
            self.paused = False
        elif verb == "step":
            self.paused = True
            self.steps_wanted += 1
        elif verb == "pace":
            self.pace = value
        elif verb == "lay aside":
            self.laid_aside, self.paused = self.keep(), True
            self.report.stays = not self.laid_aside  # what cannot be kept on disk keeps its process
        elif verb == "stop":
            self.stopped = True

    def offer_snapshot(self, step: int) -> None:
        """Keeps snapshots evenly spread: when there are too many, the distance between them doubles."""
        evaluation = step // self.config.training.eval_every
        if evaluation % self.snapshot_every == 0:
            self.snapshot(step)
            self.snapshots += 1
            if self.snapshots > self.most_snapshots:
                self.snapshots //= 2
                self.snapshot_every *= 2

    def snapshot(self, step: int) -> None:
        if not self.report.snapshots or self.report.snapshots[-1][0] != step:
            self.report.snapshots.append((step, _vector(self.training).numpy().tobytes()))
            self.looked = time.perf_counter()

    def send(self) -> None:
        if self.report != Report():
            self.connection.send(self.report)
        self.report, self.sent = Report(), time.perf_counter()


def _kept_training(job: Job) -> Training:
    training = job.folder.training(job.about.config) if job.folder else None
    if training is None:
        raise TrainingError("What was kept of this run is not on the disk any more, so it cannot go on.")
    return training


class _Keeper:
    """Collects what is not on disk yet, and writes it from time to time."""

    def __init__(self, folder: RunFolder, about: About, step: int) -> None:
        self.folder, self.about = folder, about
        self.records: list[dict[str, Any]] = []
        # What an earlier worker recorded after the state that was kept will be recorded again.
        known = [record for record in folder.records() if step and record["step"] <= step]
        folder.start_history_anew(known)
        self.best = max(map(_score, known), default=_score({}))
        self.better: tuple[int, Tensor] | None = None  # step and weights that are not written yet
        self.due = time.perf_counter() + KEEP_EVERY

    def take(self, progress: Progress, training: Training) -> None:
        self.records.append(progress.record())
        if progress.evaluation:
            score = _score(self.records[-1])
            if score > self.best:
                self.best, self.better = score, (progress.step, _vector(training))

    def is_due(self) -> bool:
        return time.perf_counter() >= self.due

    def write(self, training: Training, status: str, message: str) -> int:
        """Returns the step that is kept; raises OSError, and then tries again later."""
        start = time.perf_counter()
        try:
            self.folder.write(training.state(), self.records)
            self.records.clear()
            if self.better:
                self.folder.write_best(*self.better)
                self.better = None
            if status:
                self.folder.describe(replace(self.about, status=status, message=message))
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
