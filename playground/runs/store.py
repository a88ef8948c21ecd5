"""What is kept of one run, in memory and on disk: its metadata, records, frames, weights and full states."""

import threading
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import Any

import torch

from playground.config import max_steps
from playground.errors import reason, sentences
from playground.runs.frames import Frames
from playground.runs.history import History
from playground.runs.journal import Journal, missing
from playground.runs.keeping import Kept, RunFolder, Score, best_score, not_kept
from playground.runs.messages import Report
from playground.runs.metadata import DamagedError, RunMetadata
from playground.runs.snapshots import RUN_BYTES, SMALL_BYTES, Snapshots, digest, packed, unpacked

SMALL_ROWS, SMALL_FRAMES = 4000, 100
"""How much of a history stays in the memory of a run of which little is kept there."""


class RunStore:
    """Grows while a run trains; its worker writes the files if it can, except for the metadata.

    All methods may be called from any thread.
    """

    def __init__(self, metadata: RunMetadata, room: int = RUN_BYTES, beginning: bytes = b"") -> None:
        """`room` is for snapshots and states, in bytes; `beginning` is what `beginning()` gives."""
        self.metadata, self.config, self.room = metadata, metadata.config, room
        self.folder: RunFolder | None = None
        self.history = History()
        self.frames = Frames(self.config.training.eval_every)
        self.snapshots = Snapshots(metadata.id, self.config, room)
        if beginning:
            self.snapshots.beginning = lambda: beginning
        self.trouble = ""  # why nothing of it can be kept on disk
        self.damage = ""  # what of it on disk is damaged, in sentences
        self.irreproducible = ""  # why no step of it can be replayed
        self.unreadable = False  # whether its folder has settings that nobody could read, which a person may repair
        self.kept_step: int | None = None  # newest step whose state is on disk
        self.recent: list[dict[str, Any]] = []  # records that are not on disk yet
        self.lock = threading.RLock()
        self._keeps_little = False
        self._describing = threading.Lock()
        self._undescribed = False  # whether the folder has older metadata
        self._journal: Journal | None = None  # of a run whose worker cannot write to this disk
        self._unwritten = b""  # the newest state that such a worker has handed over, if the disk refused it

    # --- metadata ---------------------------------------------------------------------------------

    def set(self, **fields: Any) -> None:
        """Replaces fields of the metadata in memory."""
        with self.lock:
            self.metadata = replace(self.metadata, **fields)

    def describe(self, **fields: Any) -> None:
        """Replaces fields of the metadata, on disk too; where that fails, `describe_again` can."""
        with self._describing:
            self.set(**fields)
            if self.folder is None or self.unreadable:
                return
            self._undescribed = True
            with suppress(OSError):
                self.folder.describe(self.metadata)
                self._undescribed = False

    def describe_again(self) -> None:
        """Writes the metadata to disk if the last attempt failed."""
        if self._undescribed:
            self.describe()

    # --- how far it has come ----------------------------------------------------------------------

    @property
    def step(self) -> int:
        """The newest step; its record may be missing where the disk was damaged."""
        return max(self.history.step, self.kept_step or 0)

    @property
    def resumes_at(self) -> int:
        """The step from which a new worker goes on; what came later will come again. -1: from before the beginning."""
        if self.kept_step is not None:
            return self.kept_step
        origin = self.metadata.origin
        return origin.step if origin and origin.step else -1

    def beginning(self) -> bytes:
        """The float32 weights of step 0, in order; empty where the settings determine them, or they are lost."""
        return self.snapshots.beginning() or b""

    @cached_property
    def beginning_digest(self) -> bytes:
        """By which two such beginnings can be compared; empty where the settings determine it."""
        beginning = self.beginning()
        return digest(beginning) if beginning else b""

    @property
    def lost_beginning(self) -> str:
        """Why it cannot begin: a sentence if the checkpoint's weights it begins with are lost, else empty."""
        name = self.metadata.begun_from
        if not name or self.beginning():
            return ""
        return f"The weights of {name}, with which this run begins, are damaged or no longer on disk."

    @property
    def nbytes(self) -> int:
        """What it takes in memory: history, frames, snapshots and full states."""
        with self.lock:
            return self.history.nbytes + self.frames.nbytes + self.snapshots.nbytes

    def take(self, report: Report) -> None:
        """Adds what a worker reports."""
        with self.lock:
            self._append(report.records)
            self.snapshots.take(report.snapshots, report.states, self.step)
            if self.folder and (self._journal or not self.trouble):
                self.recent += report.records
            if report.trouble is not None:
                self.trouble = report.trouble
            if (kept := report.kept) is not None:
                if kept.state:
                    self._write(kept)
                self._kept(kept.step)

    def forget_later(self) -> None:
        """Drops what a new worker will bring again."""
        with self.lock:
            step = self.resumes_at
            self.history.cut_after(step)
            self.frames.cut_after(step)
            self.snapshots.cut_after(step)
            self.recent = [record for record in self.recent if record["step"] <= step]

    def keep_little(self) -> None:
        """Leaves about 4 MB in memory; the rest is on disk, or can be replayed."""
        with self.lock:
            if self._keeps_little:
                return
            self._keeps_little = True
            if self.folder is not None and not self.trouble and self.kept_step == self.step:
                self._look_on_disk()
                self.history.thin(SMALL_ROWS)
            self.frames.thin(SMALL_FRAMES)
            self.snapshots.thin(SMALL_BYTES, self.step)

    def _append(self, records: Sequence[dict[str, Any]]) -> None:
        for record in records:
            self.history.append(record)
            self.frames.append(record)

    def _kept(self, step: int) -> None:
        self.kept_step = step
        if not self._unwritten:
            self.recent = [record for record in self.recent if record["step"] > step]

    # --- the disk ---------------------------------------------------------------------------------

    def keep_for_worker(self) -> Score:
        """Keeps from now on itself what its worker reports; returns the score of the best step so far."""
        with self.lock:
            if self.folder is None:
                return best_score(())
            self._journal = self.folder.journal(self.config)
            try:
                return best_score(self._journal.resume(self.resumes_at or -1))
            except OSError:  # the first append tries again, and its error is told
                return best_score(())

    def kept_state(self) -> bytes:
        """The newest kept state, packed; empty if there is none that can be read."""
        with self.lock:
            state = None if self._unwritten or self.folder is None else self.folder.state()
            return packed(state) if state else self._unwritten

    def _write(self, kept: Kept) -> None:
        """Writes what a worker hands over; what the disk refuses stays in memory."""
        self._unwritten = kept.state
        if self.folder is None or self._journal is None:
            return
        try:
            records = [record for record in self.recent if record["step"] <= kept.step]
            self.folder.keep(self._journal, records, unpacked(kept.state))
            self.recent = self.recent[len(records) :]
            self._unwritten, self.trouble = b"", ""
            if kept.best:
                step, weights = kept.best
                self.folder.write_best(step, torch.frombuffer(bytearray(weights), dtype=torch.float32))
        except OSError as error:
            self.trouble = not_kept(error)

    def keep_in(self, place: Path) -> None:
        """Keeps it from now on in a folder of its own at `place`; where the disk refuses, `trouble` says so."""
        folder = RunFolder(place / self.metadata.id)
        try:
            folder.begin(self.metadata)
            if beginning := self.beginning():
                folder.write_beginning(beginning)
            if self.recent:
                folder.journal(self.config).append(self.recent)
        except OSError as error:
            self.trouble = not_kept(error)
        else:
            self.folder, self.recent = folder, []
            if beginning:
                self._begin_as_kept()

    def restore(self, folder: RunFolder, damaged: Sequence[str]) -> None:
        """Finds state and history in a folder, up to one step; `damage` says what is damaged or missing.

        `damaged` are the names of damaged fields of the metadata.
        """
        self.folder = folder
        if self.metadata.begun_from:
            self._begin_as_kept()
        told = [f"Damaged in run.json and set to the default: {', '.join(damaged)}."] if damaged else []
        most = max_steps(self.config, self.metadata.changes)
        try:
            self.kept_step = folder.kept(self.config, most)
        except DamagedError as error:
            told += ["The newest state of this run is damaged on disk.", str(error)]
        told.append(self.lost_beginning)
        try:
            self._read_history(folder, self.kept_step if self.kept_step is not None else most)
        except OSError as error:
            told.append(f"The history of this run cannot be read ({reason(error)}).")
        self._look_on_disk()
        if "changes" in damaged:
            self.irreproducible = "The changes made to this run are damaged on disk, so no step of it can be replayed."
        if self.step:
            told.append(missing(self.history.steps, self.step))
        self.damage = sentences(*told)

    def find_newly_kept(self) -> None:
        """Finds what its worker kept on disk and could not report any more."""
        with self.lock, suppress(OSError, DamagedError):
            folder = self.folder
            kept = folder.kept(self.config, max_steps(self.config, self.metadata.changes)) if folder else None
            if folder and kept is not None and (self.kept_step is None or kept > self.kept_step):
                self._read_history(folder, kept)
                self._kept(kept)
                self._look_on_disk()

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

    def _read_history(self, folder: RunFolder, last: int) -> None:
        """Takes in the records on disk that follow those in memory, up to step `last`. Raises OSError."""
        for record in folder.journal(self.config).records():
            if record["step"] <= last and (not len(self.history) or record["step"] > self.history.step):
                self._append([record])
