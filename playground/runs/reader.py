"""The read side of a run at any step: its records up to there and its models."""

import copy
import math
import time
from abc import ABC, abstractmethod
from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from playground.model.task_model import TaskModel
from playground.runs.frames import Frame
from playground.runs.history import MAX_POINTS, History
from playground.runs.journal import Journal
from playground.runs.messages import Until
from playground.runs.metadata import RunMetadata
from playground.runs.slow_motion import StageShown
from playground.runs.states import ENDED, STATUS, State, Status
from playground.runs.store import RunStore
from playground.settings.config import Change, RunConfig
from playground.training.measure import SINGLE


@dataclass(frozen=True)
class Records:
    """The history of a run up to a step, to be read in another process."""

    step: int
    history: History
    recent: Sequence[dict[str, Any]]  # not on disk yet
    journal: Journal | None  # has what the history lacks: grouped measures, and rows if it is thinned

    def read(self) -> list[dict[str, Any]]:
        """All records as recorded (`Progress.record`), as far as they are on disk or in memory."""
        lines = {line["step"]: line for line in self.history.records()}
        lines |= {record["step"]: record for record in self.recent}
        on_disk: dict[int, dict[str, Any]] = {}
        if self.journal:
            with suppress(OSError):  # use what is in memory
                on_disk = {record["step"]: record for record in self.journal.records()}
        if not (self.history.thinned and on_disk):
            on_disk = {step: on_disk.get(step, line) for step, line in lines.items()}
        return [record for step, record in on_disk.items() if step <= self.step]


class RunView(ABC):
    """Reads a store up to a step. Any thread may call any method."""

    message = notice = ""  # the reason for its status; what the host did to it
    until: Until = None  # when it pauses by itself
    stage: StageShown | None = None  # in slow motion: the current stage

    def __init__(self, store: RunStore, owner: str) -> None:
        self.store, self.owner = store, owner
        self.id, self.config = store.metadata.id, store.config

    @property
    def step(self) -> int:
        """The newest shown step."""
        return self.store.step

    @property
    def _last(self) -> float:
        """The last step to read."""
        return math.inf

    @property
    @abstractmethod
    def state(self) -> State:
        """Its state."""

    @property
    def status(self) -> Status:
        """The state as shown on pages and stored in files."""
        return STATUS[self.state]

    @property
    def ended(self) -> bool:
        """It has ended for good."""
        return self.status in ENDED

    @property
    def has_worker(self) -> bool:
        """It has a worker process, running or paused."""
        return False

    @property
    @abstractmethod
    def pace(self) -> float | None:
        """Steps per second; None is full speed, `SLOW_MOTION` is stage by stage."""

    @property
    @abstractmethod
    def steps_per_second(self) -> float | None:
        """Its current speed; None if unknown."""

    @property
    def metadata(self) -> RunMetadata:
        """Its settings at step 0, its name and description."""
        return self.store.metadata

    @property
    def changes(self) -> tuple[Change, ...]:
        """Its mid-run changes so far."""
        last = self._last
        return tuple(change for change in self.metadata.changes if change.step <= last)

    @property
    def config_now(self) -> RunConfig:
        """The settings of its next step."""
        return self.config.after(self.changes, self.step)

    def records(self) -> list[dict[str, Any]]:
        """The whole history, without values that are not single numbers."""
        with self.store.lock:
            if not self.store.history.thinned:
                return self._until(self.store.history.records())
        return _numbers(self.exact_records())

    def deferred_records(self) -> Records:
        """The result of `exact_records`, to be read in another process: a long history takes seconds."""
        store = self.store
        with store.lock:
            journal = store.folder.journal(self.config) if store.folder else None
            return Records(self.step, copy.deepcopy(store.history), list(store.recent), journal)

    def exact_records(self) -> list[dict[str, Any]]:
        """The whole history as recorded (`Progress.record`), as far as it is on disk or in memory."""
        return self.deferred_records().read()

    def kept_frames(self) -> list[tuple[int, Frame]]:
        """Evaluated steps, evenly thinned, with their frames."""
        with self.store.lock:
            frames = self.store.frames.items()
        return frames[: self._count([step for step, _ in frames])]

    def grouped(self, measure: str) -> tuple[list[int], np.ndarray]:
        """Steps, and the values of a grouped measure, shape (steps, groups); NaN where nothing was measured."""
        with self.store.lock:
            steps, values = self.store.frames.steps, self.store.frames.values(measure)
        count = self._count(steps)
        return steps[:count], values[:count]

    def predictions(self, example: int) -> tuple[list[int], list[list[int]]]:
        """Steps, and the predicted token ids for one of the shown examples."""
        with self.store.lock:
            steps, tokens = self.store.frames.steps, self.store.frames.predictions(example)
        count = self._count(steps)
        return steps[:count], tokens[:count]

    def points(self, names: Iterable[str], max_points: int = MAX_POINTS) -> list[dict[str, Any]]:
        """Step and the named measures, thinned for a chart."""
        with self.store.lock:
            return self._until(self.store.history.points(names, max_points))

    def columns(self, names: Iterable[str]) -> dict[str, np.ndarray]:
        """All values of the named measures, which share their steps, and the steps; NaN: not measured."""
        with self.store.lock:
            history = self.store.history
            columns = None if history.thinned else history.columns(names)
        columns = History(self.records()).columns(names) if columns is None else columns
        if (last := self._last) == math.inf:
            return columns
        count = int(np.searchsorted(columns["step"], last, side="right"))
        return {name: values[:count] for name, values in columns.items()}

    def last(self) -> dict[str, Any]:
        """The newest value of each measure."""
        with self.store.lock:
            return self.store.history.last(self._last)

    def snapshot_steps(self) -> list[int]:
        """Steps with kept weights, in order."""
        steps = self.store.snapshots.steps()
        return steps[: self._count(steps)]

    def nearest(self, step: int | None = None) -> int:
        """The available step nearest to `step`, the earlier of two; None: the newest kept step."""
        return self.store.snapshots.nearest(step)

    def model_at(self, step: int | None = None) -> TaskModel:
        """The model after `step` (None: the newest kept step), in evaluation mode.

        Raises ValueError for a step the run has not reached, and KeyError if its weights are not available:
        `Replays.ask` computes them.
        """
        if step is None:
            return self.model_near()[1]
        if not 0 <= step <= self.store.step:
            raise ValueError(f"{self.metadata.name} has no step {step}. Choose 0 to {self.store.step}.")
        content = self.store.snapshots.get(step)
        if content is None:
            raise KeyError(f"Step {step} of {self.metadata.name} is not available. Replay it first.")
        return self.store.snapshots.model(content)

    def model_near(self, step: int | None = None) -> tuple[int, TaskModel]:
        """The nearest available step and its model: the result of `nearest` may be thinned out a moment later.

        Raises `CheckpointError` if there are no weights.
        """
        nearest, content = self.store.snapshots.near(step)
        return nearest, self.store.snapshots.model(content)

    def _until(self, rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
        last = self._last
        return rows if last == math.inf else [row for row in rows if row["step"] <= last]

    def _count(self, steps: list[int]) -> int:
        """The number of the ascending steps to read."""
        return bisect_right(steps, self._last)


def _numbers(records: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    kept = {"step", *(measure.name for measure in SINGLE)}
    return [{key: record[key] for key in record if key in kept} for record in records]


PLAYBACK_SECONDS: Final = 10.0
"""Seconds in which the default pace plays a whole run."""


class Playback(RunView):
    """Plays a recorded run: its step advances with the clock. It has no process and never changes the run.

    Not thread-safe.
    """

    def __init__(
        self,
        run: RunView,
        pace: float | None = None,
        *,
        paused: bool = False,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """`pace` is in steps per second; None: `default_pace`."""
        super().__init__(run.store, run.owner)
        self._run, self._clock = run, clock
        self._pace = pace or self.default_pace
        self._from = 0.0  # the step it left
        self._since: float | None = None if paused else clock()  # time it left that step; None: paused

    def restarted(self) -> "Playback":
        """A new playback of the same run from step 0."""
        return Playback(self._run)

    @property
    def default_pace(self) -> float:
        """Steps per second that play the whole run in `PLAYBACK_SECONDS`."""
        return max(1, self.store.step) / PLAYBACK_SECONDS

    @property
    def step(self) -> int:
        """The shown step."""
        played = 0.0 if self._since is None else (self._clock() - self._since) * self.pace
        return min(int(self._from + played), self.store.step)

    @property
    def state(self) -> State:
        """Running or paused; at the last step, the state in which the run ended."""
        if self.step >= self.store.step:
            return self._run.state if self._run.ended else State.FINISHED
        return State.PAUSED if self._since is None else State.RUNNING

    @property
    def pace(self) -> float:
        """Steps shown per second."""
        return self._pace

    @property
    def steps_per_second(self) -> float | None:
        """The speed of the playback, not of the training."""
        return self.pace if self.state is State.RUNNING else None

    def pause(self) -> None:
        """Pause at the shown step."""
        self._from, self._since = float(self.step), None

    def resume(self) -> None:
        """Resume; from step 0 if it has ended."""
        self._from, self._since = 0.0 if self.ended else float(self.step), self._clock()

    def step_once(self) -> None:
        """Show the next step and pause."""
        self._from, self._since = float(min(self.step + 1, self.store.step)), None

    def stop(self) -> None:
        """Jump to the last step."""
        self._from, self._since = float(self.store.step), None

    def set_pace(self, pace: float | None) -> None:
        """Set steps per second; None: the default pace."""
        self._from = float(self.step)
        if self._since is not None:
            self._since = self._clock()
        self._pace = pace or self.default_pace

    @property
    def _last(self) -> float:
        return self.step

    def nearest(self, step: int | None = None) -> int:
        """The available step nearest to `step`; None: to the shown one."""
        return super().nearest(self.step if step is None else step)

    def model_near(self, step: int | None = None) -> tuple[int, TaskModel]:
        """The nearest available step and its model."""
        return super().model_near(self.step if step is None else step)
