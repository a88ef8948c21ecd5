"""Steps of a run taken once more: what was not kept of it is computed again, bit for bit, when somebody asks."""

import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field

from playground.config import Change, RunConfig, parameter_counts
from playground.runs.backends import LOCAL, Backend, Connection, Needs, Worker
from playground.runs.backends.processes import memory_in_words
from playground.runs.messages import SEND_EVERY
from playground.runs.metadata import Device
from playground.runs.run import Run
from playground.runs.snapshots import is_due, packed, replayed, weights
from playground.runs.worker import training_from
from playground.training import TrainingError

REPLAY_BYTES = 16_000_000
"""What one replay may bring back, around the step that was asked for."""

PLACES = 2
"""Replays at once; they only get what trainings leave of the processor."""

LEFT_AFTER = 20.0
"""Seconds without a question after which a replay is given up."""


class Replay:
    """One visitor's wish to see a step: how far it is, and why it cannot be fulfilled, if it cannot."""

    def __init__(self, run: Run, step: int, work: "_Work | None") -> None:
        self.run, self.step, self._work = run, step, work

    @property
    def done(self) -> bool:
        """Whether `run.model_at(step)` has an answer."""
        return self.run.is_at_hand(self.step)

    @property
    def waiting(self) -> bool:
        """Whether others are replaying and this one has not begun."""
        return self._work is not None and not self._work.ended and not self._work.begun

    @property
    def progress(self) -> float:
        """From 0 to 1."""
        if self.done or self._work is None:
            return float(self.done)
        begin, at = self._work.begin, self._work.at
        return max(0.0, min(1.0, (at - begin) / max(1, self.step - begin)))

    @property
    def message(self) -> str:
        """Why the step will not come, one sentence; empty while it may, or is there."""
        if self.done:
            return ""
        return self.run.store.irreproducible or (self._work.message if self._work else "")

    def wait(self, timeout: float = 60) -> bool:
        """Blocks until it is done; False after the time-out, or when it will not come."""
        end = time.monotonic() + timeout
        while (work := self._work) and not self.done and not work.ended and time.monotonic() < end:
            work.seen = time.monotonic()
            time.sleep(0.01)
        return self.done


class Replays:
    """The replays of a host: one for each visitor at most, few at a time, first come first served."""

    def __init__(self, memory_mb: int = 0, places: int = PLACES, backend: Backend = LOCAL) -> None:
        self.memory_mb, self.places, self.backend = memory_mb, places, backend
        self._works: list[_Work] = []  # those that wait or are under way, the oldest first
        self._wishes: dict[str, _Work] = {}  # by visitor: what was asked for last
        self._lock = threading.RLock()

    def ask(self, visitor: str, run: Run, step: int) -> Replay:
        """The way to a step the run has taken; asking again for the same goes on with it, for another one gives it up.

        Two who ask for steps that one replay passes share it. Raises ValueError for a step the run has not taken.
        """
        if not 0 <= step <= run.step:
            raise ValueError(f"{run.name} has no step {step}; its steps are 0 to {run.step}.")
        if run.is_at_hand(step) or run.store.irreproducible:
            return Replay(run, step, None)
        with self._lock:
            before = self._wishes.get(visitor)
            work = before if before and before.serves(run, step) else None
            work = work or next((work for work in self._works if work.serves(run, step)), None) or _Work(run, step)
            if before is not work:
                self._leave(visitor)
                self._wishes[visitor] = work
                work.visitors.add(visitor)
                if work not in self._works and not work.ended:
                    self._works.append(work)
            work.seen = time.monotonic()
        self._begin()
        return Replay(run, step, work)

    def close(self) -> None:
        """Ends all of them."""
        with self._lock:
            works, self._works, self._wishes = self._works, [], {}
            for work in works:
                work.give_up()

    def _leave(self, visitor: str) -> None:
        work = self._wishes.pop(visitor, None)
        if work is not None:
            work.visitors.discard(visitor)
            if not work.visitors:
                work.give_up()
                if not work.begun and work in self._works:
                    self._works.remove(work)

    def _begin(self) -> None:
        """Starts those whose turn it is; who has waited without a question for long has gone."""
        with self._lock:
            self._works = [work for work in self._works if work.begun or not work.left]
            at_work = sum(work.begun for work in self._works)
            ready = [work for work in self._works if not work.begun][: max(0, self.places - at_work)]
            for work in ready:
                work.begun = True
        for work in ready:
            threading.Thread(target=self._carry_out, args=(work,), name="replay", daemon=True).start()

    def _carry_out(self, work: "_Work") -> None:
        try:
            work.carry_out(self.backend, self.memory_mb)
        finally:
            with self._lock:
                work.ended = True
                if work in self._works:
                    self._works.remove(work)
                for visitor in work.visitors:
                    if self._wishes.get(visitor) is work and not work.message:
                        del self._wishes[visitor]
            self._begin()


class _Work:
    """A process that replays one stretch of a run."""

    def __init__(self, run: Run, step: int) -> None:
        self.run, self.step = run, step
        self.begin = self.at = run.store.snapshots.state_step(max(0, step - 1))  # so that the step before it comes too
        kept = run.snapshot_steps()
        before = max((each for each in kept if each < step), default=0)
        after = min((each for each in kept if each > step), default=run.step)
        half = max(1, REPLAY_BYTES // (4 * sum(parameter_counts(run.config).values())) // 2)
        self.sent = range(max(before, step - half), min(after, step + half) + 1)
        self.checked = frozenset({before, after} & set(kept))
        self.visitors: set[str] = set()
        self.seen = time.monotonic()
        self.begun = self.ended = self.given_up = False
        self.message = ""
        self._worker: Worker | None = None

    @property
    def left(self) -> bool:
        """Whether nobody has asked for it for a while."""
        return time.monotonic() - self.seen > LEFT_AFTER

    def serves(self, run: Run, step: int) -> bool:
        """Whether it will come by a step; if it has failed, whether it did so on the way to this very step."""
        if self.given_up or run is not self.run:
            return False
        if self.ended:
            return bool(self.message) and step == self.step
        return step == self.step or (step in self.sent and step > self.at)

    def give_up(self) -> None:
        """Ends the process, which has nothing to keep."""
        self.given_up = True
        if (worker := self._worker) is not None:
            worker.kill()

    def carry_out(self, backend: Backend, memory_mb: int) -> None:
        """Replays where the run trained, and takes in what comes; blocks until it is over."""
        run = self.run
        self.begin, state = run.store.snapshots.state_before(max(0, self.step - 1))
        steps = (self.step, self.sent, self.checked, run.store.snapshots.state_every(run.step))
        if state is None and (lost := run.store.lost_beginning):
            self.message = lost
            return
        beginning = run.store.beginning() if state is None else b""
        job = ReplayJob(run.config, run.changes, run.device, state, *steps, beginning, memory_mb)
        try:
            needs = Needs(spare=True, gpu=run.device == "cuda", memory_mb=memory_mb, near=run.node)
            worker = backend.start(replay, job, name=f"replay of {run.name}", needs=needs)
        except Exception as error:  # whatever it was, those who wait for it must be told
            self.message = f"The replay to step {self.step:,} could not be started: {error}."
            return
        self._worker = worker
        if self.given_up:
            worker.kill()
        try:
            self._listen(worker)
        except (EOFError, OSError):
            pass
        finally:
            worker.close()
            if self.given_up or self.message:
                worker.kill()
            worker.join()
        if not (self.given_up or self.message) and self.at < self.step:
            how = worker.ending
            self.message = (
                f"The replay to step {self.step:,} ended unexpectedly ({how}); choose the step again to retry."
            )

    def _listen(self, worker: Worker) -> None:
        while not (self.message or self.given_up):
            self.given_up = self.left
            if not worker.poll(1.0):
                continue
            report: Replayed = worker.recv()
            self.at = max(self.at, report.step)
            for step, content in report.weights:
                if not self.run.store.snapshots.agree(step, content):
                    replayed.forget(self.run.id)
                    self.run.store.irreproducible = self.message = (
                        f"Replayed, this run comes to other numbers at step {step:,} than it had then, so only steps "
                        "that were kept can be shown; another machine or another version of torch trained it."
                    )
                    return
                if step in self.sent:
                    replayed.put((self.run.id, step), content)
            for step, content in report.states:
                self.run.store.snapshots.take((), [(step, content)], self.run.step)
            self.message = report.message


FILL_SECONDS = 2.0
"""How long a replay computes on behind the step that was asked for, so that its neighbours are there too."""


@dataclass(frozen=True)
class ReplayJob:
    """Steps of a run to take once more, without evaluations."""

    config: RunConfig
    changes: tuple[Change, ...]
    device: Device
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
    """Takes the steps of a run again."""
    report = Replayed(0)
    try:
        with memory_in_words("replay", job.memory_mb):
            for report in _replayed(job):
                connection.send(report)
    except TrainingError as error:
        connection.send(Replayed(report.step, message=str(error)))


def _replayed(job: ReplayJob) -> Iterator[Replayed]:
    training = training_from(job.config, job.changes, job.device, job.state, job.beginning)
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
