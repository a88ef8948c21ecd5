"""Run state on disk; a killed process loses what came after its newest state.

One folder per run: run.json (metadata, written by the server), history.jsonl (records, appended by the worker),
state.safetensors (everything the next step depends on), best.safetensors (the best weights so far) and, if the run
starts from a checkpoint, beginning.safetensors (the weights of step 0).
"""

import json
import math
import os
import shutil
import time
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import safetensors.numpy
import safetensors.torch
import torch
from torch import Tensor

from playground.common import files
from playground.common.errors import one_line, reason
from playground.common.files import open_regular
from playground.runs.journal import Journal
from playground.runs.metadata import DamagedError, RunMetadata, read_metadata
from playground.runs.snapshots import packed, weights
from playground.settings.config import MAX_PARAMETERS, RunConfig, parameter_counts, parameter_shapes
from playground.storage.validation import MAX_HEADER_BYTES
from playground.training import Training

HIDDEN = ".deleted-"
"""Prefix of the folder of a deleted run that can be restored."""

MAX_TENSOR_BYTES = 4 * (4 * MAX_PARAMETERS + MAX_HEADER_BYTES)
"""Size limit of a file of weights or of a state: the weights and up to two moments of each."""

KEEP_EVERY = 1.0
"""Minimum seconds between two states on disk; more if writing takes over 2 % of the time."""

MAX_SENT_PER_SECOND = 8_000_000
"""Bytes of states that a worker without access to the disk sends per second."""

MAX_KEEP_EVERY = 10.0
"""Maximum seconds between two writes: a killed process loses at most this and one step."""

_METADATA, _HISTORY, _STATE, _BEST = "run.json", "history.jsonl", "state.safetensors", "best.safetensors"
_BEGINNING = "beginning.safetensors"


Rank = tuple[float, float]
"""Ranks steps: exact match, then token accuracy."""

LOWEST_RANK: Rank = (-1.0, -1.0)


@dataclass(frozen=True)
class Kept:
    """A state that a worker has kept."""

    step: int
    state: bytes = b""  # of that step, packed; empty: the worker wrote it to disk itself
    best: tuple[int, bytes] | None = None  # step and float32 weights, if better than all before


class RunFolder:
    """The folder of one run. Writing raises OSError. The worker writes; the server reads after a restart."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def begin(self, metadata: RunMetadata) -> None:
        """Create the folder with its metadata."""
        self.path.mkdir(parents=True, exist_ok=True)
        self.write_metadata(metadata)

    def write_metadata(self, metadata: RunMetadata) -> None:
        """Write the metadata."""
        files.write_whole(self.path / _METADATA, json.dumps(metadata.model_dump()).encode())

    def write_state(self, state: dict[str, Tensor]) -> None:
        """Replace the kept state."""
        files.write_whole(self.path / _STATE, safetensors.torch.save(state))

    def write_best(self, step: int, weights: bytes) -> None:
        """Write the float32 weights of the best step so far, in parameter order."""
        self._write_weights(_BEST, weights, step)

    def write_initial_weights(self, weights: bytes) -> None:
        """Write the float32 weights of step 0 in parameter order."""
        self._write_weights(_BEGINNING, weights, 0)

    def _write_weights(self, name: str, weights: bytes, step: int) -> None:
        content = {"weights": np.frombuffer(weights, np.float32)}
        files.write_whole(self.path / name, safetensors.numpy.save(content, metadata={"step": str(step)}))

    def keep(self, journal: Journal, records: Iterable[dict[str, Any]], state: dict[str, Tensor]) -> None:
        """Write records and the state after them, both or neither."""
        journal.append(records)  # before the state, which must never be ahead of it
        try:
            self.write_state(state)
        except OSError:
            journal.take_back()
            raise

    def journal(self, config: RunConfig) -> Journal:
        """The history of this run with settings `config`."""
        return Journal(self.path / _HISTORY, config)

    def resumed(self, config: RunConfig, step: int) -> tuple[Journal, Rank]:
        """The history, whose next records follow `step` (0: all are new), and the best rank up to there.

        Deletes what a killed process left of a file it was writing.
        """
        for name in (_STATE, _BEST):
            for partial in self.path.glob(f".{name}.*.partial"):
                with suppress(OSError):
                    partial.unlink()
        journal, known = self.journal(config), list[dict[str, Any]]()
        with suppress(OSError):  # the first append tries again, and raises
            known = journal.resume(step or -1)
        return journal, max(map(rank, known), default=LOWEST_RANK)

    def metadata(self) -> tuple[RunMetadata, list[str]]:
        """The metadata and the names of damaged fields, which have their defaults.

        Raises FileNotFoundError if there is no run, and `DamagedError` if its settings cannot be read.
        """
        try:
            metadata, damaged = read_metadata(self.path / _METADATA, self.path.name)
        except FileNotFoundError:
            if (self.path / _HISTORY).exists() or (self.path / _STATE).exists():
                raise DamagedError(f"{_METADATA} is missing.") from None
            raise
        if not metadata.begun_from and ("begun_from" in damaged or (self.path / _BEGINNING).exists()):
            # The settings do not determine its weights.
            metadata = metadata.model_copy(update={"begun_from": "unnamed-checkpoint"})
            damaged = sorted({*damaged, "begun_from"})
        return metadata, damaged

    @property
    def modified(self) -> float:
        """Time of the last write in seconds since the epoch; 0 if unknown."""
        try:
            return self.path.stat().st_mtime
        except OSError:
            return 0.0

    def state(self) -> dict[str, Tensor] | None:
        """The kept state; None if there is none or it cannot be read."""
        return self._tensors(_STATE)

    def packed_state(self) -> bytes | None:
        """The kept state, packed."""
        state = self.state()
        return packed(state) if state else None

    def kept_step(self, config: RunConfig, max_step: int) -> int | None:
        """The step of the kept state, None if there is none. Reads no weights.

        Raises `DamagedError` unless the file is a state of a run with this config after 0 to `max_step` steps.
        """
        path = self.path / _STATE
        try:
            _check_header(path)
            with safetensors.safe_open(path, "pt") as file:
                names = set(file.keys())
                for name, shape in parameter_shapes(config).items():
                    if f"model.{name}" not in names:
                        raise DamagedError(f"{name} is missing.")
                    tensor = file.get_slice(f"model.{name}")
                    if tensor.get_dtype() != "F32" or tuple(tensor.get_shape()) != shape:
                        raise DamagedError(f"{name} has the wrong shape or type.")
                progress = file.get_tensor("progress") if "progress" in names else torch.empty(0)
        except FileNotFoundError:
            return None
        except OSError as error:
            raise DamagedError(f"{_STATE} cannot be read: {reason(error)}.") from error
        except _UNREADABLE as error:
            raise DamagedError(f"{_STATE} cannot be read: {one_line(error)}.") from error
        step = float(progress[0]) if progress.dtype == torch.float64 and progress.shape == (3,) else math.nan
        if not (0 <= step <= max_step and step.is_integer()):
            raise DamagedError(f"The step in {_STATE} is missing or invalid.")
        return int(step)

    def weights(self, step: int, config: RunConfig) -> bytes | None:
        """The weights of a step in parameter order, if the kept state is of that step."""
        try:
            if self.kept_step(config, step) != step:
                return None
        except DamagedError:
            return None
        state = self.state()
        if state is None:
            return None
        return torch.cat([state[f"model.{name}"].flatten() for name in parameter_shapes(config)]).numpy().tobytes()

    def initial_weights(self, config: RunConfig) -> bytes | None:
        """The weights of step 0 of a run that starts from a checkpoint; None if they are missing or damaged."""
        return self._weights(_BEGINNING, config)

    def best_step(self) -> int | None:
        """The best step so far; None if its weights are missing or damaged."""
        try:
            _check_header(self.path / _BEST)
            with safetensors.safe_open(self.path / _BEST, "pt") as file:
                return int(file.metadata()["step"])
        except (OSError, DamagedError, *_UNREADABLE):
            return None

    def best(self, config: RunConfig) -> bytes | None:
        """The weights of the best step so far in parameter order; None if missing or damaged."""
        return self._weights(_BEST, config)

    def _weights(self, name: str, config: RunConfig) -> bytes | None:
        weights = (self._tensors(name) or {}).get("weights")
        size = (sum(parameter_counts(config).values()),)
        if weights is None or weights.dtype != torch.float32 or weights.shape != size:
            return None
        return weights.numpy().tobytes()

    def _tensors(self, name: str) -> dict[str, Tensor] | None:
        try:
            _check_header(self.path / name)
            with open_regular(self.path / name) as file:
                return safetensors.torch.load(file.read())
        except (OSError, DamagedError, *_UNREADABLE):
            return None

    @property
    def nbytes(self) -> int:
        """Its size on disk in bytes."""
        try:
            return sum(file.lstat().st_size for file in self.path.iterdir())
        except OSError:
            return 0

    def delete(self) -> None:
        """Delete the folder."""
        shutil.rmtree(self.path, ignore_errors=True)

    def hide(self) -> None:
        """Rename the folder so that a restarted server deletes it; `show` undoes this. Raises OSError."""
        self.path = self.path.rename(self.path.with_name(f"{HIDDEN}{self.path.name}"))

    def show(self) -> None:
        """Undo `hide`; raises OSError."""
        self.path = self.path.rename(self.path.with_name(self.path.name.removeprefix(HIDDEN)))


_UNREADABLE = (safetensors.SafetensorError, ValueError, KeyError, TypeError, IndexError, RuntimeError, OverflowError)
"""Exceptions that reading a damaged safetensors file may raise."""


def _check_header(path: Path) -> None:
    """Raises OSError or `DamagedError` for a file that is too large to read."""
    with open_regular(path) as file:
        size, length = os.fstat(file.fileno()).st_size, int.from_bytes(file.read(8) or b"", "little")
        if size > MAX_TENSOR_BYTES or not 0 < length <= min(4 * MAX_HEADER_BYTES, size - 8):
            raise DamagedError(f"{path.name} is too large or has an invalid header.")


class Keeper:
    """Decides in a worker when to keep its state, and returns the state to be sent to the server.

    For a worker that cannot write to the server's disk; see `FolderKeeper`.
    """

    def __init__(self, best: Rank) -> None:
        """`best` is the rank of the best step so far."""
        self.best = best
        self.better: tuple[int, bytes] | None = None  # step and weights not yet kept
        self.due = time.perf_counter() + KEEP_EVERY

    def take(self, record: dict[str, Any], training: Training) -> None:
        if rank(record) > self.best:
            self.best, self.better = rank(record), (record["step"], weights(training.model))

    def is_due(self) -> bool:
        return time.perf_counter() >= self.due

    @property
    def is_behind(self) -> bool:
        """There are records that are not kept yet."""
        return False

    def keep(self, training: Training) -> Kept:
        """Keep the state of a training now. After an OSError the next call tries again."""
        start, size = time.perf_counter(), 0
        try:
            kept = self._keep(training)
            size = len(kept.state)
        finally:
            now = time.perf_counter()
            self.due = now + min(max(KEEP_EVERY, 50 * (now - start), size / MAX_SENT_PER_SECOND), MAX_KEEP_EVERY)
        return kept

    def _keep(self, training: Training) -> Kept:
        better, self.better = self.better, None
        return Kept(training.step, packed(training.state()), better)


class FolderKeeper(Keeper):
    """Writes history and state to the folder of the run, both or neither."""

    def __init__(self, folder: RunFolder, config: RunConfig, step: int) -> None:
        """`step` is where the training resumes; later records of an earlier worker are replaced."""
        self.folder, self.records = folder, list[dict[str, Any]]()
        self.journal, best = folder.resumed(config, step)
        super().__init__(best)

    def take(self, record: dict[str, Any], training: Training) -> None:
        self.records.append(record)
        super().take(record, training)

    @property
    def is_behind(self) -> bool:
        return bool(self.records)

    def _keep(self, training: Training) -> Kept:
        self.folder.keep(self.journal, self.records, training.state())
        self.records.clear()
        if self.better:
            self.folder.write_best(*self.better)
            self.better = None
        return Kept(training.step)


def not_kept(error: OSError) -> str:
    """The message for a run that cannot be written to disk."""
    return f"This run could not be written to disk: {reason(error)}. Save it before you leave."


def rank(record: dict[str, Any]) -> Rank:
    """The rank of a record. Evaluations differ in size, so each counts one additional wrong answer."""
    if "exact_match" not in record:
        return LOWEST_RANK
    sequences = record["sequences"]
    return record["exact_match"] * sequences / (sequences + 1), record.get("token_accuracy", 0.0)
