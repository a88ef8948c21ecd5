"""Replays: recompute the weights of a step that were not kept, bit for bit."""

import logging
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial

from playground.common.errors import PlaygroundError, sentences
from playground.processes import ComputeError, Limits, Worker, end, received, serve
from playground.runs.backends import LOCAL, Backend, Needs
from playground.runs.long_work import LongWork, Slot
from playground.runs.messages import SEND_EVERY, TrainingStart
from playground.runs.run import Run
from playground.runs.snapshots import is_due, packed, replayed, weights
from playground.settings.config import parameter_counts
from playground.settings.estimate import training_seconds

_log = logging.getLogger(__name__)

REPLAY_BYTES = 16_000_000
"""Bytes of weights one replay may return, around the requested step."""

NO_LIMITS = Limits()

ABANDON_SECONDS = 20.0
"""Seconds without a request after which a replay is cancelled."""

_PATIENCE = 0.25  # seconds between two looks at whether a waiting replay is still wanted


class Replay:
    """A visitor's request for a step: its progress, or why it failed."""

    def __init__(self, run: Run, step: int, task: "_Task | None") -> None:
        self.run, self.step, self._task = run, step, task

    @property
    def done(self) -> bool:
        """`run.model_at(step)` is available."""
        return self.run.store.snapshots.has(self.step)

    @property
    def waiting(self) -> bool:
        """It waits for other replays."""
        return self._task is not None and not self._task.ended and not self._task.slot.active

    @property
    def progress(self) -> float:
        """The fraction done, 0 to 1."""
        if self.done or self._task is None:
            return float(self.done)
        begin = self._task.begin
        return max(0.0, min(1.0, (self._task.reached - begin) / max(1, self.step - begin)))

    @property
    def message(self) -> str:
        """The reason why the replay failed; empty if it has not."""
        if self.done:
            return ""
        return self.run.store.irreproducible or (self._task.message if self._task else "")

    def wait(self, timeout: float = 300) -> bool:
        """Wait until it is done; False on time-out or failure."""
        end = time.monotonic() + timeout
        while (task := self._task) and not self.done and not task.ended and time.monotonic() < end:
            task.seen = time.monotonic()
            time.sleep(0.01)
        return self.done


class Replays:
    """The replays of a host: one per visitor, in slots of `slots`, each within `limits`."""

    def __init__(self, slots: LongWork, limits: Limits = NO_LIMITS, backend: Backend = LOCAL) -> None:
        self.slots, self.limits, self.backend = slots, limits, backend
        self._requests: dict[str, _Task] = {}  # visitor -> last request, if it has not succeeded
        self._lock = threading.RLock()

    def ask(self, visitor: str, run: Run, step: int) -> Replay:
        """Request a step; the same request again continues its replay, another one cancels it.

        Visitors whose steps one replay passes share it. Raises ValueError for a step the run has not reached.
        """
        if not 0 <= step <= run.step:
            raise ValueError(f"{run.metadata.name} has no step {step}. Choose 0 to {run.step}.")
        if run.store.snapshots.has(step) or run.store.irreproducible:
            return Replay(run, step, None)
        with self._lock:
            before = self._requests.get(visitor)
            shared = (task for task in self._requests.values() if task is before or not task.ended)
            task = next((task for task in shared if task.covers(run, step)), None) or self._begin(visitor, run, step)
            self._requests[visitor] = task
            if before and before not in self._requests.values():
                before.cancelled = True
            task.seen = time.monotonic()
        return Replay(run, step, task)

    def close(self) -> None:
        """Cancel all replays."""
        with self._lock:
            for task in self._requests.values():
                task.cancelled = True

    def _begin(self, visitor: str, run: Run, step: int) -> "_Task":
        """Start a replay, which waits for its slot."""
        task = _Task(run, step, partial(self.slots.ask, visitor))
        threading.Thread(target=self._execute, args=(task,), name="replay", daemon=True).start()
        return task

    def _execute(self, task: "_Task") -> None:
        try:
            with task.slot:
                if task.reaches_slot():
                    task.execute(self.backend, self.limits)
        finally:
            with self._lock:
                task.ended = True
                if not task.message:
                    self._requests = {visitor: other for visitor, other in self._requests.items() if other is not task}


class _Task:
    """A process that replays a range of steps of a run."""

    def __init__(self, run: Run, step: int, ask: Callable[[float], Slot]) -> None:
        """`ask` requests a slot for work that takes so many seconds."""
        self.run, self.step = run, step
        self.begin = self.reached = run.store.snapshots.state_step(max(0, step - 1))  # the step before comes, too
        kept = run.snapshot_steps()
        before = max((other for other in kept if other < step), default=0)
        after = min((other for other in kept if other > step), default=run.step)
        half = max(1, REPLAY_BYTES // (4 * sum(parameter_counts(run.config).values())) // 2)
        self.sent = range(max(before, step - half), min(after, step + half) + 1)
        self.checked = frozenset({before, after} & set(kept))
        self.seen = time.monotonic()
        self.ended = False
        self.cancelled = False  # its process ends soon
        self.message = ""  # why it failed
        self._worker: Worker | None = None
        self.slot = ask(training_seconds(run.config, self.sent[-1] - self.begin))

    def covers(self, run: Run, step: int) -> bool:
        """It will reach a step, and no later than a replay of its own; a failed one only covers its own step."""
        if self.cancelled or run is not self.run:
            return False
        if self.ended:
            return bool(self.message) and step == self.step
        return step == self.step or (
            step in self.sent and step > self.reached >= run.store.snapshots.state_step(max(0, step - 1))
        )

    def is_wanted(self) -> bool:
        """False once it is cancelled, which it is if nobody has requested it for `ABANDON_SECONDS`."""
        self.cancelled = self.cancelled or time.monotonic() - self.seen > ABANDON_SECONDS
        return not self.cancelled

    def reaches_slot(self) -> bool:
        """Wait for its slot; False if nobody waits for it any longer."""
        while self.is_wanted():
            if self.slot.wait(_PATIENCE):
                return True
        return False

    def execute(self, backend: Backend, limits: Limits) -> None:
        """Replay on the node where the run trained and store the results; block until done."""
        run, own = self.run, self.run.metadata
        self.begin, state = run.store.snapshots.state_before(max(0, self.step - 1))
        steps = (self.step, self.sent, self.checked, run.store.snapshots.state_every(run.step))
        if state is None and (lost := run.store.lost_initial_weights):
            self.message = lost
            return
        beginning = run.store.initial_weights() if state is None else b""
        job = ReplayJob(TrainingStart(own, state, beginning, run.store.recipe), *steps)
        what = f"The replay to step {self.step:,}"
        try:
            needs = Needs(spare=True, gpu=own.device == "cuda", memory_mb=limits.memory_mb, near=own.node)
            worker = backend.start(serve, "replay", limits.memory_mb, name=f"replay of {own.name}", needs=needs)
        except Exception as error:  # report any error to those who wait
            self.message = f"{what} could not be started: {error}."
            return
        self._worker = worker
        try:
            for report in received(worker, _replayed, job, limits=limits, what=what, every_item=True):
                if report is not None:
                    self._take(report)
                if self.message or not self.is_wanted():
                    break
        except ComputeError as error:
            self.message = sentences(error.problem, "Choose the step again to retry.")
        except PlaygroundError as error:
            self.message = str(error)
        except Exception:
            _log.exception("%s of %s failed.", what, run.id)
            self.message = f"{what} failed because of an error in this app. Choose the step again to retry."
        finally:
            end(worker)

    def _take(self, report: "ReplayReport") -> None:
        self.reached = max(self.reached, report.step)
        for step, content in report.weights:
            if not self.run.store.snapshots.agree(step, content):
                replayed.forget(self.run.id)
                self.run.store.irreproducible = self.message = (
                    f"Replaying step {step:,} gave different weights, so only kept steps can be shown. The run "
                    "was trained on another machine or with another version of torch."
                )
                return
            if step in self.sent:
                replayed.put((self.run.id, step), content)
        for step, content in report.states:
            self.run.store.snapshots.take((), [(step, content)], self.run.step)


FILL_SECONDS = 2.0
"""Seconds of computing after the requested step, so that its neighbours become available, too."""


@dataclass(frozen=True)
class ReplayJob:
    """Steps of a run to repeat, without evaluations."""

    start: TrainingStart
    step: int  # the requested step
    sent: range  # steps whose weights are sent; the replay ends with the last one
    checked: frozenset[int]  # steps whose weights are compared with the kept ones
    state_every: int  # interval of the full states to send


@dataclass
class ReplayReport:
    """The results of a replay since its last report."""

    step: int  # the step reached
    weights: list[tuple[int, bytes]] = field(default_factory=list)
    states: list[tuple[int, bytes]] = field(default_factory=list)


def _replayed(job: ReplayJob) -> Iterator[ReplayReport]:
    training = job.start.training()
    report, sent, arrived = ReplayReport(training.step), time.perf_counter(), None
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
            report, sent = ReplayReport(step), now
        if over:
            return
        training.take_step()
