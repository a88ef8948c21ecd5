"""The data of one run in memory and on disk: metadata, records, frames, weights and full states."""

import math
import threading
from collections.abc import Sequence
from contextlib import suppress
from functools import cached_property, partial
from pathlib import Path
from typing import Any

from playground.common.errors import reason, sentences
from playground.runs.frames import Frames
from playground.runs.history import History
from playground.runs.journal import Journal, missing
from playground.runs.keeping import LOWEST_RANK, Kept, Rank, RunFolder, not_kept
from playground.runs.messages import Report
from playground.runs.metadata import DamagedError, RunMetadata
from playground.runs.snapshots import RUN_BYTES, Snapshots, digest, replayed, unpacked
from playground.settings.config import max_steps
from playground.training import USUAL, Recipe

SMALL_ROWS, SMALL_FRAMES = 4000, 100
"""Limits of a history and its frames in memory after `RunStore.shrink`."""


class RunStore:
    """The data of one run. Its worker writes the files if it can; the server writes the metadata.

    Any thread may call any method.
    """

    def __init__(
        self,
        metadata: RunMetadata,
        max_bytes: int = RUN_BYTES,
        initial_weights: bytes = b"",
        recipe: Recipe = USUAL,
    ) -> None:
        """`max_bytes` is for snapshots and states; `initial_weights` is what `initial_weights()` returns.

        `recipe` makes the model and the training; `metadata.pitfall` is its name.
        """
        self.metadata, self.config, self.max_bytes, self.recipe = metadata, metadata.config, max_bytes, recipe
        self.folder: RunFolder | None = None
        self.history = History()
        self.frames = Frames(self.config.training.eval_every)
        self.snapshots = Snapshots(metadata.id, self.config, max_bytes, recipe)
        if initial_weights:
            self.snapshots.initial_weights = lambda: initial_weights
        self.problem = ""  # why it cannot be written to disk
        self.damage = ""  # what is damaged on disk, in sentences
        self.irreproducible = ""  # why its steps cannot be replayed
        self.unreadable = False  # whether its settings on disk cannot be read; a person may repair them
        self.kept_step: int | None = None  # step of the newest kept state
        self.recent: list[dict[str, Any]] = []  # records not on disk yet
        self.lock = threading.RLock()
        self._shrunk_to = math.inf  # bytes
        self._metadata_lock = threading.Lock()
        self._metadata_unsaved = False  # whether the metadata on disk are outdated
        self._journal: Journal | None = None  # for a worker that cannot write to this disk
        self._unwritten = b""  # the newest state of such a worker, if it could not be written

    # --- metadata ---------------------------------------------------------------------------------

    def set(self, **fields: Any) -> None:
        """Replace fields of the metadata in memory."""
        with self.lock:
            self.metadata = self.metadata.model_copy(update=fields)

    def save_metadata(self, **fields: Any) -> None:
        """Replace fields of the metadata, on disk too; if writing fails, `retry_metadata` tries again."""
        with self._metadata_lock:
            self.set(**fields)
            if self.folder is None or self.unreadable:
                return
            self._metadata_unsaved = True
            with suppress(OSError):
                self.folder.write_metadata(self.metadata)
                self._metadata_unsaved = False

    def retry_metadata(self) -> None:
        """Write the metadata to disk if the last attempt failed."""
        if self._metadata_unsaved:
            self.save_metadata()

    # --- progress ---------------------------------------------------------------------------------

    @property
    def step(self) -> int:
        """The newest step; its record may be missing after damage on disk."""
        return max(self.history.step, self.kept_step or 0)

    @property
    def resumes_at(self) -> int:
        """The step a new worker resumes from; later ones will be repeated. At 0 that one, too."""
        if self.kept_step is not None:
            return self.kept_step
        return self.metadata.origin.step if self.metadata.origin else 0

    def initial_weights(self) -> bytes:
        """The float32 weights of step 0 in parameter order; empty if the settings determine them or they are lost."""
        return self.snapshots.initial_weights() or b""

    @cached_property
    def initial_digest(self) -> bytes:
        """A digest of the weights of step 0; empty if the settings determine them."""
        weights = self.initial_weights()
        return digest(weights) if weights else b""

    @property
    def lost_initial_weights(self) -> str:
        """The reason why it cannot start, if its checkpoint's weights are lost; else empty."""
        name = self.metadata.begun_from
        if not name or self.initial_weights():
            return ""
        return f"The initial weights from {name} are damaged or no longer on disk."

    @property
    def nbytes(self) -> int:
        """Its size in memory in bytes: history, frames, snapshots and full states."""
        with self.lock:
            return self.history.nbytes + self.frames.nbytes + self.snapshots.nbytes

    def take(self, report: Report) -> None:
        """Add a worker's report."""
        with self.lock:
            self._append(report.records)
            self.snapshots.take(report.snapshots, report.states, self.step)
            if self.folder and (self._journal or not self.problem):
                self.recent += report.records
            if report.problem is not None:
                self.problem = report.problem
            if (kept := report.kept) is not None:
                if kept.state:
                    self._write(kept)
                self._kept(kept.step)

    def rewind(self) -> None:
        """Drop what a new worker will repeat."""
        with self.lock:
            step = self.resumes_at or -1
            self.history.cut_after(step)
            self.frames.cut_after(step)
            self.snapshots.cut_after(step)
            self.recent = [record for record in self.recent if record["step"] <= step]

    def shrink(self, max_bytes: int) -> None:
        """Keep `max_bytes` of weights and about 1 MB of numbers in memory; the rest is on disk or can be replayed."""
        with self.lock:
            if self._shrunk_to <= max_bytes:
                return
            self._shrunk_to = max_bytes
            if self.folder is not None and not self.problem and self.kept_step == self.step:
                self._look_on_disk()
                self.history.thin(SMALL_ROWS)
            self.frames.thin(SMALL_FRAMES)
            self.snapshots.thin(max_bytes, self.step)

    def _append(self, records: Sequence[dict[str, Any]]) -> None:
        for record in records:
            self.history.append(record)
            self.frames.append(record)

    def _kept(self, step: int) -> None:
        self.kept_step = step
        if not self._unwritten:
            self.recent = [record for record in self.recent if record["step"] > step]

    # --- the disk ---------------------------------------------------------------------------------

    def keep_for_worker(self) -> Rank:
        """From now on write to disk what the worker reports; return the rank of the best step so far."""
        with self.lock:
            if self.folder is None:
                return LOWEST_RANK
            self._journal, best = self.folder.resumed(self.config, self.resumes_at)
            return best

    def kept_state(self) -> bytes | None:
        """The newest kept state, packed; None if there is none or it cannot be read."""
        with self.lock:
            return self._unwritten or (self.folder.packed_state() if self.folder else None)

    def _write(self, kept: Kept) -> None:
        """Write a worker's state to disk; if that fails, keep it in memory."""
        self._unwritten = kept.state
        if self.folder is None or self._journal is None:
            return
        try:
            records = [record for record in self.recent if record["step"] <= kept.step]
            self.folder.keep(self._journal, records, unpacked(kept.state))
            self.recent = self.recent[len(records) :]
            self._unwritten, self.problem = b"", ""
            if kept.best:
                self.folder.write_best(*kept.best)
        except OSError as error:
            self.problem = not_kept(error)

    def keep_in(self, parent: Path) -> None:
        """Keep it in a new folder in `parent` from now on; if that fails, set `problem`."""
        folder = RunFolder(parent / self.metadata.id)
        try:
            folder.begin(self.metadata)
            if initial_weights := self.initial_weights():
                folder.write_initial_weights(initial_weights)
            if self.recent:
                folder.journal(self.config).append(self.recent)
        except OSError as error:
            self.problem = not_kept(error)
        else:
            self.folder, self.recent = folder, []
            self._look_on_disk()

    def restore(self, folder: RunFolder, damaged: Sequence[str]) -> None:
        """Read state and history from a folder, up to the kept step; set `damage` to what is damaged or missing.

        `damaged` are the names of damaged fields of the metadata.
        """
        self.folder = folder
        problems = [f"Damaged in run.json and set to the default: {', '.join(damaged)}."] if damaged else []
        last = max_steps(self.config, self.metadata.changes)
        try:
            self.kept_step = folder.kept_step(self.config, last)
        except DamagedError as error:
            problems += ["The kept state of this run is damaged on disk.", str(error)]
        try:
            self._read_history(folder, self.kept_step if self.kept_step is not None else last)
        except OSError as error:
            problems.append(f"The history of this run cannot be read: {reason(error)}.")
        self._look_on_disk()
        problems.append(self.lost_initial_weights)
        if "changes" in damaged:
            self.irreproducible = "The mid-run changes are damaged on disk, so no step can be replayed."
        if self.step:
            problems.append(missing(self.history.steps, self.step))
        self.damage = sentences(*problems)

    def delete(self) -> None:
        """Delete it from disk, and the weights that were replayed."""
        replayed.forget(self.metadata.id)
        if self.folder:
            self.folder.delete()

    def find_unreported(self) -> None:
        """Read what its worker kept on disk but did not report before it ended."""
        with self.lock, suppress(OSError, DamagedError):
            folder = self.folder
            kept = folder.kept_step(self.config, max_steps(self.config, self.metadata.changes)) if folder else None
            if folder and kept is not None and (self.kept_step is None or kept > self.kept_step):
                self._read_history(folder, kept)
                self._kept(kept)
                self._look_on_disk()

    def _look_on_disk(self) -> None:
        """Register the weights and the state on disk, to be read when needed."""
        if (folder := self.folder) is None:
            return
        if self.metadata.begun_from:
            self.snapshots.initial_weights = partial(folder.initial_weights, self.config)
        best_step = folder.best_step()
        if best_step is not None and 0 <= best_step <= self.step:
            self.snapshots.weights_on_disk[best_step] = partial(folder.best, self.config)
        if self.kept_step is not None:
            self.snapshots.weights_on_disk[self.kept_step] = partial(folder.weights, self.kept_step, self.config)
            self.snapshots.state_on_disk = self.kept_step, folder.packed_state

    def _read_history(self, folder: RunFolder, last: int) -> None:
        """Append the records on disk that follow those in memory, up to step `last`. Raises OSError."""
        for record in folder.journal(self.config).records():
            if record["step"] <= last and (not len(self.history) or record["step"] > self.history.step):
                self._append([record])
