"""What is kept of a run on disk while it trains; a process that is killed loses what came after the newest state.

A folder a run: run.json (what it is and how it stands; the server writes it), history.jsonl (appended by the worker),
state.safetensors (everything the next step depends on), best.safetensors (the weights with the best answers so far)
and, where it goes on from a checkpoint, beginning.safetensors (the weights of step 0).
"""

import json
import math
import os
import shutil
import time
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import safetensors.numpy
import safetensors.torch
import torch
from torch import Tensor

from playground.config import MAX_PARAMETERS, RunConfig, parameter_counts, parameter_shapes
from playground.errors import one_line, reason
from playground.runs.journal import Journal, plain_file
from playground.runs.metadata import DamagedError, RunMetadata, read_metadata
from playground.runs.snapshots import packed
from playground.storage.validation import MAX_HEADER_BYTES
from playground.training import Training

HIDDEN = ".deleted-"
"""What the name of a folder begins with whose run was deleted a moment ago."""

MAX_TENSOR_BYTES = 4 * (4 * MAX_PARAMETERS + MAX_HEADER_BYTES)
"""The largest file of weights or of a state: the weights and up to two moments of each."""

KEEP_EVERY = 1.0
"""Seconds at least between two states on disk; more where writing them would take over 2 % of the time."""

SENT_A_SECOND = 8_000_000
"""Bytes of states at most that a worker sends which cannot write to the disk itself."""

MAX_KEEP_EVERY = 10.0
"""Seconds at most between the end of one write and the next, which is what a killed process loses, and a step more."""

_METADATA, _HISTORY, _STATE, _BEST = "run.json", "history.jsonl", "state.safetensors", "best.safetensors"
_BEGINNING = "beginning.safetensors"


Score = tuple[float, float]
"""By which one step is better than another: exact match, then token accuracy."""


@dataclass(frozen=True)
class Kept:
    """What a worker has kept of its run."""

    step: int
    state: bytes = b""  # of that step, packed; empty: the worker has written it to disk itself
    best: tuple[int, bytes] | None = None  # with it: step and float32 weights of a better one than all before


class RunFolder:
    """The folder of one run. Writing raises OSError; the worker writes, the server reads what an earlier one left."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def begin(self, metadata: RunMetadata) -> None:
        """Makes the folder."""
        self.path.mkdir(parents=True, exist_ok=True)
        self.describe(metadata)

    def describe(self, metadata: RunMetadata) -> None:
        """Writes what the run is and how it stands."""
        plain = {
            "config": metadata.config.model_dump(),
            "changes": [change.model_dump() for change in metadata.changes],
            "origin": metadata.origin and asdict(metadata.origin),
        }
        self._replace(_METADATA, json.dumps(vars(metadata) | plain).encode())

    def write_state(self, state: dict[str, Tensor]) -> None:
        """Keeps this state instead of the one before."""
        self._replace(_STATE, safetensors.torch.save(state))

    def write_best(self, step: int, weights: Tensor) -> None:
        """Keeps the weights of the best step so far, in the order of the model's parameters."""
        self._replace(_BEST, safetensors.torch.save({"weights": weights}, metadata={"step": str(step)}))

    def keep(self, journal: Journal, records: Iterable[dict[str, Any]], state: dict[str, Tensor]) -> None:
        """Writes records and the state they lead to, both or neither."""
        journal.append(records)  # before the state, which must never be ahead of it
        try:
            self.write_state(state)
        except OSError:
            journal.take_back()
            raise

    def journal(self, config: RunConfig) -> Journal:
        """The history of this run, whose settings are `config`."""
        return Journal(self.path / _HISTORY, config)

    def metadata(self) -> tuple[RunMetadata, list[str]]:
        """What the run is and how it stands, and the names of damaged fields, which have their defaults.

        Raises FileNotFoundError if no run is kept here, and `DamagedError` if its settings cannot be read.
        """
        try:
            metadata, damaged = read_metadata(self.path / _METADATA, self.path.name)
        except FileNotFoundError:
            if (self.path / _HISTORY).exists() or (self.path / _STATE).exists():
                raise DamagedError(f"{_METADATA} is missing.") from None
            raise
        if not metadata.begun_from and ("begun_from" in damaged or (self.path / _BEGINNING).exists()):
            metadata = replace(metadata, begun_from="unnamed-checkpoint")  # the settings do not determine its weights
            damaged = sorted({*damaged, "begun_from"})
        return metadata, damaged

    @property
    def modified(self) -> float:
        """When a file of it was last replaced, in seconds since the epoch; 0 where that cannot be seen."""
        try:
            return self.path.stat().st_mtime
        except OSError:
            return 0.0

    def state(self) -> dict[str, Tensor] | None:
        """The newest kept state; None if there is none that can be read."""
        return self._tensors(_STATE)

    def kept(self, config: RunConfig, most: int) -> int | None:
        """Step of the newest kept state, None if there is none. Reads no weights.

        Raises `DamagedError` for a file that is no state of a run with this config after 0 to `most` steps.
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
                        raise DamagedError(f"{name} has another shape.")
                progress = file.get_tensor("progress") if "progress" in names else torch.empty(0)
        except FileNotFoundError:
            return None
        except OSError as error:
            raise DamagedError(f"{_STATE} cannot be read: {reason(error)}.") from error
        except _UNREADABLE as error:
            raise DamagedError(f"{_STATE} cannot be read: {one_line(error)}.") from error
        step = float(progress[0]) if progress.dtype == torch.float64 and progress.shape == (3,) else math.nan
        if not (0 <= step <= most and step.is_integer()):
            raise DamagedError("Its step is missing.")
        return int(step)

    def weights(self, step: int, config: RunConfig) -> bytes | None:
        """The weights of a step, in the order of the model's parameters, if they are those of the newest state."""
        try:
            if self.kept(config, step) != step:
                return None
        except DamagedError:
            return None
        state = self.state() or {}
        found = [state.get(f"model.{name}") for name in parameter_shapes(config)]
        tensors = [each.flatten() for each in found if each is not None]
        return torch.cat(tensors).numpy().tobytes() if len(tensors) == len(found) else None

    def write_beginning(self, weights: bytes) -> None:
        """Keeps the float32 weights of step 0, in the order of the model's parameters."""
        self._replace(_BEGINNING, safetensors.numpy.save({"weights": np.frombuffer(weights, np.float32)}))

    def beginning(self, config: RunConfig) -> bytes | None:
        """The weights of step 0 of a run that goes on from a checkpoint; None if they are missing or damaged."""
        weights = self._weights(_BEGINNING, config)
        return None if weights is None else weights.numpy().tobytes()

    def best_step(self) -> int | None:
        """The best step so far, if its weights are kept."""
        try:
            _check_header(self.path / _BEST)
            with safetensors.safe_open(self.path / _BEST, "pt") as file:
                return int(file.metadata()["step"])
        except (OSError, DamagedError, *_UNREADABLE):
            return None

    def best(self, config: RunConfig) -> Tensor | None:
        """The weights of the best step so far, in the order of the model's parameters."""
        return self._weights(_BEST, config)

    def _weights(self, name: str, config: RunConfig) -> Tensor | None:
        """All weights of a model in one row."""
        weights = (self._tensors(name) or {}).get("weights")
        size = (sum(parameter_counts(config).values()),)
        return weights if weights is not None and weights.dtype == torch.float32 and weights.shape == size else None

    def _tensors(self, name: str) -> dict[str, Tensor] | None:
        try:
            _check_header(self.path / name)
            with plain_file(self.path / name) as file:
                return safetensors.torch.load(file.read())
        except (OSError, DamagedError, *_UNREADABLE):
            return None

    @property
    def nbytes(self) -> int:
        """What it takes on disk."""
        try:
            return sum(file.lstat().st_size for file in self.path.iterdir())
        except OSError:
            return 0

    def delete(self) -> None:
        """Removes all of it."""
        shutil.rmtree(self.path, ignore_errors=True)

    def hide(self) -> None:
        """Takes the folder out of sight of a later server; `show` undoes it. Raises OSError."""
        self.path = self.path.rename(self.path.with_name(f"{HIDDEN}{self.path.name}"))

    def show(self) -> None:
        """Puts a hidden folder back; raises OSError."""
        self.path = self.path.rename(self.path.with_name(self.path.name.removeprefix(HIDDEN)))

    def _replace(self, name: str, content: bytes) -> None:
        """All of the file or nothing; not flushed to the disk itself, which a power cut alone would show."""
        partial = self.path / f".{name}.partial"
        try:
            partial.write_bytes(content)
            os.replace(partial, self.path / name)
        except OSError:
            with suppress(OSError):
                partial.unlink(missing_ok=True)
            raise


_UNREADABLE = (safetensors.SafetensorError, ValueError, KeyError, TypeError, IndexError, RuntimeError, OverflowError)
"""What reading a damaged safetensors file may raise."""


def _check_header(path: Path) -> None:
    """Raises OSError or `DamagedError` for a file that would take long to read."""
    with plain_file(path) as file:
        size, length = os.fstat(file.fileno()).st_size, int.from_bytes(file.read(8) or b"", "little")
        if size > MAX_TENSOR_BYTES or not 0 < length <= min(4 * MAX_HEADER_BYTES, size - 8):
            raise DamagedError("Its header does not fit.")


class Keeper:
    """Collects in a worker what is to be kept, and lets go of it from time to time.

    This one hands it to whoever sends it to the server, for a worker that cannot write to the server's disk.
    """

    def __init__(self, best: Score) -> None:
        """`best` is the score of the best step so far."""
        self.best = best
        self.better: tuple[int, Tensor] | None = None  # step and weights that were not handed over yet
        self.due = time.perf_counter() + KEEP_EVERY

    def take(self, record: dict[str, Any], training: Training) -> None:
        if score(record) > self.best:
            self.best, self.better = score(record), (record["step"], _vector(training))

    def is_due(self) -> bool:
        return time.perf_counter() >= self.due

    @property
    def is_behind(self) -> bool:
        """Whether there are records that are not kept."""
        return False

    def keep(self, training: Training) -> Kept:
        """Keeps the state of a training now; raises OSError, and then tries again later."""
        start, size = time.perf_counter(), 0
        try:
            kept = self._keep(training)
            size = len(kept.state)
        finally:
            now = time.perf_counter()
            self.due = now + min(max(KEEP_EVERY, 50 * (now - start), size / SENT_A_SECOND), MAX_KEEP_EVERY)
        return kept

    def _keep(self, training: Training) -> Kept:
        better, self.better = self.better, None
        best = (better[0], better[1].numpy().tobytes()) if better else None
        return Kept(training.step, packed(training.state()), best)


class FolderKeeper(Keeper):
    """Writes to the folder of the run: history and state, both or neither."""

    def __init__(self, folder: RunFolder, config: RunConfig, step: int) -> None:
        """`step` is where the training goes on; what an earlier worker recorded after it will be recorded again."""
        self.folder = folder
        self.records: list[dict[str, Any]] = []
        self.journal = folder.journal(config)
        known: list[dict[str, Any]] = []
        with suppress(OSError):  # the first `keep` tries again, and raises
            known = self.journal.resume(step or -1)
        super().__init__(best_score(known))

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
    """The sentence for a run that has no place on disk."""
    return f"The host's disk does not take this run ({error.strerror or error}); save it before you leave."


def best_score(records: Iterable[dict[str, Any]]) -> Score:
    """The score of the best of these records."""
    return max(map(score, records), default=score({}))


def score(record: dict[str, Any]) -> Score:
    """How good a step is: tests differ in size, so each counts one wrong answer more."""
    if "exact_match" not in record:
        return -1.0, -1.0
    sequences = record["sequences"]
    return record["exact_match"] * sequences / (sequences + 1), record.get("token_accuracy", 0.0)


def _vector(training: Training) -> Tensor:
    """A copy of all weights in one row."""
    return torch.nn.utils.parameters_to_vector(training.model.parameters()).detach().cpu()
