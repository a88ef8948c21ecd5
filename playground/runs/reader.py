"""What pages ask of a run, as it was at any step: what has been recorded until then, and its models."""

import copy
import math
import time
from abc import ABC, abstractmethod
from bisect import bisect_right
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from playground.config import Change, RunConfig
from playground.runs.frames import MEASURES, Frame
from playground.runs.history import History
from playground.runs.journal import Journal
from playground.runs.messages import Until
from playground.runs.metadata import Device, Origin
from playground.runs.slow_motion import StageShown
from playground.runs.states import ENDED, Status
from playground.runs.store import RunStore
from playground.task_model import TaskModel


@dataclass(frozen=True)
class Records:
    """The whole history of a run up to a step, for another process to read."""

    step: int
    history: History
    journal: Journal | None  # has what is missing in a history that is thinned

    def read(self) -> list[dict[str, Any]]:
        """Every record, in single numbers."""
        if self.journal is None:
            return self.history.records()
        return _numbers(record for record in self.journal.records() if record["step"] <= self.step)


class RunView(ABC):
    """Reads a store up to a step. All methods may be called from any thread."""

    message = notice = ""  # why it is as it is; what the host did with it
    until: Until = None  # where it pauses by itself
    stage: StageShown | None = None  # in slow motion: what is under way now
    pace: float | None  # optimiser steps per second, None: as fast as it goes, 0: stage by stage

    def __init__(self, store: RunStore, owner: str) -> None:
        self.store, self.owner = store, owner
        self.id, self.config = store.metadata.id, store.config

    @property
    def step(self) -> int:
        """The newest step that is shown."""
        return self.store.step

    @property
    def _last(self) -> float:
        """The step up to which is read."""
        return math.inf

    @property
    @abstractmethod
    def status(self) -> Status:
        """How it stands."""

    @property
    def ended(self) -> bool:
        """Whether it is over for good."""
        return self.status in ENDED

    @property
    def has_worker(self) -> bool:
        """Whether a process works for it, or waits for it while it is paused."""
        return False

    @property
    def begins_paused(self) -> bool:
        """Whether it is on its way to a pause, with the steps it is told to take meanwhile."""
        return False

    @property
    def pausing(self) -> bool:
        """Whether it has been told to pause and its worker is still amid a step."""
        return False

    @property
    def stopping(self) -> bool:
        """Whether it has been told to stop and has not ended yet."""
        return False

    @property
    @abstractmethod
    def steps_per_second(self) -> float | None:
        """Its speed of now; None where there is none."""

    @property
    def name(self) -> str:
        """Unique among its owner's runs."""
        return self.store.metadata.name

    @property
    def origin(self) -> Origin | None:
        """Where it branched off."""
        return self.store.metadata.origin

    @property
    def sweep(self) -> str:
        """The name of the sweep it belongs to."""
        return self.store.metadata.sweep

    @property
    def begun_from(self) -> str:
        """The name of the checkpoint whose weights are those of step 0; empty: the settings determine them."""
        return self.store.metadata.begun_from

    @property
    def device(self) -> Device:
        """Where it trains."""
        return self.store.metadata.device

    @property
    def node(self) -> str:
        """Name of the node of a cluster where it trained last; empty: this machine."""
        return self.store.metadata.node

    @property
    def started(self) -> float:
        """Seconds since the epoch."""
        return self.store.metadata.started

    @property
    def observes_gradient_norm(self) -> bool:
        """Whether the norm of the gradient is measured although nothing is clipped."""
        return self.store.metadata.gradient_norm

    @property
    def note(self) -> str:
        """What its owner wrote about it."""
        return self.store.metadata.note

    @property
    def colour(self) -> int:
        """From 0 to 7."""
        return self.store.metadata.colour

    @property
    def changes(self) -> tuple[Change, ...]:
        """Those that were made by then."""
        last = self._last
        return tuple(change for change in self.store.metadata.changes if change.step <= last)

    @property
    def config_now(self) -> RunConfig:
        """The settings of the next step."""
        return self.config.after(self.changes, self.step)

    def records(self) -> list[dict[str, Any]]:
        """The whole history, in single numbers."""
        with self.store.lock:
            if not self.store.history.thinned:
                return self._until(self.store.history.records())
        return _numbers(self.exact_records())

    def records_elsewhere(self) -> Records:
        """What `records` gives, to be read in another process: of a long history that takes seconds."""
        store = self.store
        with store.lock:
            journal = store.folder.journal(self.config) if store.folder and store.history.thinned else None
            return Records(self.step, copy.deepcopy(store.history), journal)

    def exact_records(self) -> list[dict[str, Any]]:
        """The whole history as the training made it (`Progress.record`), as far as the disk has it, or the memory."""
        store = self.store
        with store.lock:
            lines = {line["step"]: line for line in store.history.records()}
            thinned, step = store.history.thinned, store.step
            lines |= {record["step"]: record for record in store.recent}
        on_disk = {}
        if store.folder:
            with suppress(OSError):  # what is in memory is better than nothing
                on_disk = {record["step"]: record for record in store.folder.journal(self.config).records()}
        if thinned and on_disk:
            return self._until([record for record in on_disk.values() if record["step"] <= step])
        return self._until([on_disk.get(at, line) for at, line in lines.items()])

    def kept_frames(self) -> list[tuple[int, Frame]]:
        """Evaluated steps, evenly thinned, and what was measured there beyond single numbers."""
        with self.store.lock:
            frames = self.store.frames.items()
        return frames[: self._count([step for step, _ in frames])]

    def position_accuracy(self) -> tuple[list[int], np.ndarray]:
        """Steps, and (steps, places) the share of right tokens at each place of the answer; NaN where none has it."""
        with self.store.lock:
            steps, shares = self.store.frames.steps, self.store.frames.position_accuracy()
        count = self._count(steps)
        return steps[:count], shares[:count]

    def attention_entropy(self) -> tuple[list[int], dict[str, np.ndarray]]:
        """Steps, and for each attention, by the name of its tap, (steps, heads) the mean entropy in bits."""
        with self.store.lock:
            steps, bits = self.store.frames.steps, self.store.frames.attention_entropy()
        count = self._count(steps)
        return steps[:count], {tap: heads[:count] for tap, heads in bits.items()}

    def predictions(self, example: int) -> tuple[list[int], list[list[int]]]:
        """Steps, and what was then said to one of the shown examples, as token ids."""
        with self.store.lock:
            steps, said = self.store.frames.steps, self.store.frames.predictions(example)
        count = self._count(steps)
        return steps[:count], said[:count]

    def points(self, names: Iterable[str]) -> list[dict[str, Any]]:
        """Step and the named measures, thinned for a chart."""
        with self.store.lock:
            return self._until(self.store.history.points(names))

    def columns(self, names: Iterable[str]) -> dict[str, np.ndarray]:
        """Step and the named measures, which are taken at the same steps: every value; NaN where there is none."""
        with self.store.lock:
            history = self.store.history
            found = None if history.thinned else history.columns(names)
        found = History(self.records()).columns(names) if found is None else found
        if (last := self._last) == math.inf:
            return found
        count = int(np.searchsorted(found["step"], last, side="right"))
        return {name: values[:count] for name, values in found.items()}

    def last(self) -> dict[str, Any]:
        """The newest value of everything that has been measured."""
        with self.store.lock:
            return self.store.history.last(self._last)

    def snapshot_steps(self) -> list[int]:
        """Steps whose weights are kept, in order."""
        steps = self.store.snapshots.steps()
        return steps[: self._count(steps)]

    def is_at_hand(self, step: int) -> bool:
        """Whether `model_at` this step needs no replay."""
        return self.store.snapshots.has(step)

    def nearest(self, step: int | None = None) -> int:
        """The step at hand that is nearest to `step`, the earlier of two; None: the newest that is kept."""
        return self.store.snapshots.nearest(step)

    def model_at(self, step: int | None = None) -> TaskModel:
        """The model exactly after `step` (None: at the newest step that is kept), in evaluation mode.

        Raises ValueError for a step the run has not taken, and KeyError for one whose weights are not at hand:
        `Runs.replay` brings them.
        """
        if step is None:
            return self.model_near()[1]
        if not 0 <= step <= self.store.step:
            raise ValueError(f"{self.name} has no step {step}; its steps are 0 to {self.store.step}.")
        content = self.store.snapshots.get(step)
        if content is None:
            raise KeyError(f"Step {step} of {self.name} is not at hand; it can be replayed.")
        return self.store.snapshots.model(content)

    def model_near(self, step: int | None = None) -> tuple[int, TaskModel]:
        """The nearest step at hand and its model: what `nearest` finds may be thinned out a moment later.

        Raises `CheckpointError` if no weights are left.
        """
        at, content = self.store.snapshots.near(step)
        return at, self.store.snapshots.model(content)

    def _until(self, rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
        last = self._last
        return rows if last == math.inf else [row for row in rows if row["step"] <= last]

    def _count(self, steps: list[int]) -> int:
        """How many of the ascending steps are read."""
        return bisect_right(steps, self._last)


def _numbers(records: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    return [{key: record[key] for key in record if key not in MEASURES} for record in records]


WHOLE_SECONDS: Final = 10.0
"""How long a whole run takes at the usual pace."""


class Playback(RunView):
    """A run as it was at one step after another; steps go by with the clock.

    It never has a process and changes nothing of the run, whatever is pressed. All methods may be called from any
    thread that holds it alone.
    """

    def __init__(
        self,
        run: RunView,
        pace: float | None = None,
        *,
        paused: bool = False,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """`pace` is in steps per second; None: so that the whole run takes `WHOLE_SECONDS`."""
        super().__init__(run.store, run.owner)
        self._run, self._clock = run, clock
        self.pace: float = pace or self.usual_pace
        self._at = 0.0
        self._since: float | None = None if paused else clock()  # since when it goes on from there; None: it is paused

    def again(self) -> "Playback":
        """Another one of the same run, at the beginning."""
        return Playback(self._run)

    @property
    def usual_pace(self) -> float:
        """Steps per second with which the whole run takes `WHOLE_SECONDS`."""
        return max(1, self.store.step) / WHOLE_SECONDS

    @property
    def last_step(self) -> int:
        """Where it ends: as far as the run has come."""
        return self.store.step

    @property
    def step(self) -> int:
        """The step that is shown."""
        gone = 0.0 if self._since is None else (self._clock() - self._since) * self.pace
        return min(int(self._at + gone), self.store.step)

    @property
    def ended(self) -> bool:
        """Whether all of it has been shown."""
        return self.step >= self.store.step

    @property
    def status(self) -> Status:
        """As that of the run would have been; at the end, as it is now."""
        if self.ended:
            return self._run.status if self._run.ended else "finished"
        return "running" if self._since is not None else "paused"

    @property
    def steps_per_second(self) -> float | None:
        """Of the playback, not of the training."""
        return self.pace if self.status == "running" else None

    def pause(self) -> None:
        """Stays at the step that is shown."""
        self._at, self._since = float(self.step), None

    def resume(self) -> None:
        """Goes on; once it has ended, from the beginning."""
        self._at, self._since = 0.0 if self.ended else float(self.step), self._clock()

    def step_once(self) -> None:
        """Shows the next step and pauses."""
        self._at, self._since = float(min(self.step + 1, self.store.step)), None

    def stop(self) -> None:
        """Shows the end."""
        self._at, self._since = float(self.store.step), None

    def set_pace(self, pace: float | None) -> None:
        """Steps per second from now on; None: the usual pace."""
        self._at = float(self.step)
        if self._since is not None:
            self._since = self._clock()
        self.pace = pace or self.usual_pace

    @property
    def _last(self) -> float:
        return self.step

    def nearest(self, step: int | None = None) -> int:
        """The step at hand nearest to `step`; None: to the one that is shown."""
        return super().nearest(self.step if step is None else step)

    def model_near(self, step: int | None = None) -> tuple[int, TaskModel]:
        """The nearest step at hand and its model."""
        return super().model_near(self.step if step is None else step)
