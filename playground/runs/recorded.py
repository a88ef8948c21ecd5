"""What a run has recorded: its history, and its model at any step, from memory and from disk."""

import copy
import math
import threading
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from playground.config import RunConfig
from playground.runs.frames import MEASURES, Frame, Frames
from playground.runs.history import History
from playground.runs.journal import Journal
from playground.runs.keeping import RunFolder
from playground.runs.messages import Report
from playground.runs.snapshots import SMALL_BYTES, Snapshots, digest, packed, state_every
from playground.task_model import TaskModel
from playground.training import Example, examples

SMALL_ROWS, SMALL_FRAMES = 4000, 100
"""How much of a history stays in the memory of a run of which little is kept there."""


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
        kept = (record for record in self.journal.records() if record["step"] <= self.step)
        return [{key: record[key] for key in record if key not in MEASURES} for record in kept]


class Recorded:
    """The records, frames, weights and states of one run, as far as it has come.

    All methods may be called from any thread.
    """

    def __init__(self, run_id: str, config: RunConfig, name: str, room: int, beginning: bytes) -> None:
        """`room` is for snapshots and states, in bytes; `beginning` is what `beginning()` gives."""
        self.id, self.config, self.name, self.room = run_id, config, name, room
        self.folder: RunFolder | None = None
        self.history = History()
        self.frames = Frames(config.training.eval_every)
        self.snapshots = Snapshots(run_id, config, room)
        if beginning:
            self.snapshots.beginning = lambda: beginning
        self.trouble = ""  # why nothing of it can be kept on disk
        self.damage = ""  # what of it on disk is damaged, in sentences
        self.kept_step: int | None = None  # newest step whose state is on disk
        self._recent: list[dict[str, Any]] = []  # records that are not on disk yet
        self._examples: tuple[Example, ...] = ()
        self._keeps_little = False
        self._lock = threading.Lock()

    @property
    def step(self) -> int:
        """The newest step; its record may be missing where the disk was damaged."""
        return max(self.history.step, self.kept_step or 0)

    def beginning(self) -> bytes:
        """The float32 weights of step 0, in order; empty where the settings determine them, or they are lost."""
        return self.snapshots.beginning() or b""

    @cached_property
    def beginning_digest(self) -> bytes:
        """By which two such beginnings can be compared; empty where the settings determine it."""
        beginning = self.beginning()
        return digest(beginning) if beginning else b""

    @property
    def memory_bytes(self) -> int:
        """What it takes in memory: history, frames, snapshots and full states."""
        with self._lock:
            return self.history.nbytes + self.frames.nbytes + self.snapshots.nbytes

    @property
    def examples(self) -> tuple[Example, ...]:
        """What the newest evaluation showed."""
        if not self._examples:
            with self._lock:
                newest = self.frames.newest_predictions()
            self._examples = examples(self.config, newest)
        return self._examples

    def records(self) -> list[dict[str, Any]]:
        """The whole history, in single numbers."""
        with self._lock:
            if not self.history.thinned:
                return self.history.records()
        return [{key: record[key] for key in record if key not in MEASURES} for record in self.exact_records()]

    def records_elsewhere(self) -> Records:
        """What `records` gives, to be read in another process: of a long history that takes seconds."""
        with self._lock:
            journal = self.folder.journal(self.config) if self.folder and self.history.thinned else None
            return Records(self.step, copy.deepcopy(self.history), journal)

    def exact_records(self) -> list[dict[str, Any]]:
        """The whole history as the training made it (`Progress.record`), as far as the disk has it, or the memory."""
        with self._lock:
            lines = {line["step"]: line for line in self.history.records()}
            thinned, step = self.history.thinned, self.step
            lines |= {record["step"]: record for record in self._recent}
        on_disk = {}
        if self.folder:
            with suppress(OSError):  # what is in memory is better than nothing
                on_disk = {record["step"]: record for record in self.folder.journal(self.config).records()}
        if thinned and on_disk:
            return [record for record in on_disk.values() if record["step"] <= step]
        return [on_disk.get(at, line) for at, line in lines.items()]

    def kept_frames(self) -> list[tuple[int, Frame]]:
        """Evaluated steps, evenly thinned, and what was measured there beyond single numbers."""
        with self._lock:
            return self.frames.items()

    def position_accuracy(self) -> tuple[list[int], np.ndarray]:
        """Steps, and (steps, places) the share of right tokens at each place of the answer; NaN where none has it."""
        with self._lock:
            return self.frames.steps, self.frames.position_accuracy()

    def attention_entropy(self) -> tuple[list[int], dict[str, np.ndarray]]:
        """Steps, and for each attention, by the name of its tap, (steps, heads) the mean entropy in bits."""
        with self._lock:
            return self.frames.steps, self.frames.attention_entropy()

    def predictions(self, example: int) -> tuple[list[int], list[list[int]]]:
        """Steps, and what was then said to one of the shown examples, as token ids."""
        with self._lock:
            return self.frames.steps, self.frames.predictions(example)

    def points(self, names: Iterable[str]) -> list[dict[str, Any]]:
        """Step and the named measures, thinned for a chart."""
        with self._lock:
            return self.history.points(names)

    def columns(self, names: Iterable[str]) -> dict[str, np.ndarray]:
        """Step and the named measures, which are taken at the same steps: every value; NaN where there is none."""
        with self._lock:
            if not self.history.thinned:
                return self.history.columns(names)
        return History(self.records()).columns(names)

    def last(self, step: float = math.inf) -> dict[str, Any]:
        """The newest value of everything that has been measured until `step`."""
        with self._lock:
            return self.history.last(step)

    def snapshot_steps(self) -> list[int]:
        """Steps whose weights are kept, in order."""
        return self.snapshots.steps()

    def is_at_hand(self, step: int) -> bool:
        """Whether `model_at` this step needs no replay."""
        return self.snapshots.has(step)

    def nearest(self, step: int | None = None) -> int:
        """The step at hand that is nearest to `step`, the earlier of two; None: the newest that is kept."""
        return self.snapshots.nearest(step)

    def model_at(self, step: int | None = None) -> TaskModel:
        """The model exactly after `step` (None: at the newest step that is kept), in evaluation mode.

        Raises ValueError for a step the run has not taken, and KeyError for one whose weights are not at hand:
        `Runs.replay` brings them.
        """
        if step is None:
            return self.model_near()[1]
        if not 0 <= step <= self.step:
            raise ValueError(f"{self.name} has no step {step}; its steps are 0 to {self.step}.")
        content = self.snapshots.get(step)
        if content is None:
            raise KeyError(f"Step {step} of {self.name} is not at hand; it can be replayed.")
        return self.snapshots.model(content)

    def model_near(self, step: int | None = None) -> tuple[int, TaskModel]:
        """The nearest step at hand and its model: what `nearest` finds may be thinned out a moment later.

        Raises `CheckpointError` if no weights are left.
        """
        at, content = self.snapshots.near(step)
        return at, self.snapshots.model(content)

    @property
    def state_every(self) -> int:
        """Distance of the full states that are kept, in steps; 0: none are."""
        return state_every(self.step, self.snapshots.most_states)

    def _take_in(self, report: Report) -> None:
        for record in report.records:
            self.history.append(record)
            self.frames.append(record)
        self.snapshots.take(report.snapshots, report.states, self.step)
        self._examples = report.examples or self._examples
        if self.folder and not self.trouble:
            self._recent += report.records
        if report.kept is not None:
            self.kept_step = report.kept
            self._recent = [record for record in self._recent if record["step"] > report.kept]
        if report.trouble is not None:
            self.trouble = report.trouble

    def _forget_after(self, step: int) -> None:
        self.history.cut_after(step)
        self.frames.cut_after(step)
        self.snapshots.cut_after(step)
        self._recent = [record for record in self._recent if record["step"] <= step]

    def _keep_little(self) -> None:
        """Leaves about 4 MB in memory, where all of it is on disk or can be replayed."""
        if self._keeps_little:
            return
        self._keeps_little = True
        if self.folder is not None and not self.trouble and self.kept_step == self.step:
            self._look_on_disk()
            self.history.thin(SMALL_ROWS)
        self.frames.thin(SMALL_FRAMES)
        self.snapshots.thin(SMALL_BYTES, self.step)

    def _begin_as_kept(self) -> None:
        """Leaves the weights of step 0, which the settings do not determine, to the disk."""
        assert self.folder is not None
        folder, config = self.folder, self.config
        self.snapshots.beginning = lambda: folder.beginning(config)

    def _look_on_disk(self) -> None:
        """Finds there what is not in memory: the newest state with its weights, and the best weights."""
        folder, step, config = self.folder, self.kept_step, self.config
        if folder is None:
            return

        def state() -> bytes | None:
            kept = folder.state()
            return packed(kept) if kept else None

        def best() -> bytes | None:
            kept = folder.best(config)
            return kept.numpy().tobytes() if kept is not None else None

        best_step = folder.best_step()
        if best_step is not None and 0 <= best_step <= self.step:
            self.snapshots.weights_on_disk[best_step] = best
        if step is not None:
            self.snapshots.weights_on_disk[step] = lambda: folder.weights(step, config)
            self.snapshots.state_on_disk = step, state

    def _read_history(self, last: int) -> None:
        """Takes in the records on disk that follow those in memory, up to step `last`. Raises OSError."""
        if self.folder is not None:
            for record in self.folder.journal(self.config).records():
                if record["step"] <= last and (not len(self.history) or record["step"] > self.history.step):
                    self.history.append(record)
                    self.frames.append(record)
