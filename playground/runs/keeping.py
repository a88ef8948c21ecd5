"""What is kept of a run on disk while it trains, so that no end of a process loses more than a moment of it.

A folder a run: run.json (what it is and how it stands; the server writes it), history.jsonl (appended by the worker),
state.safetensors (everything the next step depends on), best.safetensors (the weights with the best answers so far)
and, where it goes on from a checkpoint, beginning.safetensors (the weights of step 0).
"""

import json
import math
import os
import shutil
import time
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
import safetensors.numpy
import safetensors.torch
import torch
from torch import Tensor

from playground.config import Change, ConfigError, RunConfig, parameter_counts
from playground.model import Transformer
from playground.training import Training

HIDDEN = ".deleted-"
"""What the name of a folder begins with whose run was deleted a moment ago."""

KEEP_EVERY = 1.0
"""Seconds at least between two states on disk; more where writing them would take over 2 % of the time."""

_ABOUT, _HISTORY, _STATE, _BEST = "run.json", "history.jsonl", "state.safetensors", "best.safetensors"
_BEGINNING = "beginning.safetensors"


@dataclass(frozen=True)
class Origin:
    """The run and the step that a branch has gone on from."""

    run_id: str
    name: str
    step: int


@dataclass(frozen=True)
class About:
    """What a run is and how it stands."""

    id: str
    name: str
    config: RunConfig  # at the beginning
    pace: float | None  # optimiser steps per second, None: as fast as it goes, 0: stage by stage
    started: float  # seconds since the epoch
    status: str = ""  # how it ended; empty while it has not
    message: str = ""
    changes: tuple[Change, ...] = ()
    origin: Origin | None = None
    gradient_norm: bool = False  # whether it is measured where nothing is clipped
    note: str = ""
    colour: int = 0
    sweep: str = ""  # name of the sweep it belongs to
    begun_from: str = ""  # name of the checkpoint whose weights are those of step 0


class RunFolder:
    """The folder of one run. Writing raises OSError; the worker writes, the server reads what an earlier one left."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def begin(self, about: About) -> None:
        """Makes the folder."""
        self.path.mkdir(parents=True, exist_ok=True)
        self.describe(about)

    def describe(self, about: About) -> None:
        """Writes what the run is and how it stands."""
        plain = {
            "config": about.config.model_dump(),
            "changes": [change.model_dump() for change in about.changes],
            "origin": about.origin and asdict(about.origin),
        }
        self._replace(_ABOUT, json.dumps(vars(about) | plain).encode())

    def write(self, state: dict[str, Tensor], records: Iterable[dict[str, Any]]) -> None:
        """Keeps this state; `records` are those since the last call, up to its step."""
        with (self.path / _HISTORY).open("a") as file:
            file.writelines(json.dumps(record) + "\n" for record in records)
        self._replace(_STATE, safetensors.torch.save(state))

    def write_best(self, step: int, weights: Tensor) -> None:
        """Keeps the weights of the best step so far, in the order of the model's parameters."""
        self._replace(_BEST, safetensors.torch.save({"weights": weights}, metadata={"step": str(step)}))

    def start_history_anew(self, records: Iterable[dict[str, Any]]) -> None:
        """Leaves only these records: a training that goes on from `state` writes those after it again."""
        self._replace(_HISTORY, "".join(json.dumps(record) + "\n" for record in records).encode())

    def about(self) -> About:
        """Raises OSError or ValueError for a folder that no run has written."""
        try:
            data = json.loads((self.path / _ABOUT).read_bytes())
            origin = data.get("origin")
            read = {
                "config": RunConfig.parse(data["config"]),
                "changes": tuple(Change.parse(change) for change in data.get("changes", ())),
                "origin": origin and Origin(**origin),
            }
            return About(**(data | read))
        except (KeyError, TypeError, AttributeError, ConfigError) as error:
            raise ValueError(f"{self.path.name} is no kept run: {error}.") from error

    def state(self) -> dict[str, Tensor] | None:
        """The newest kept state; None if there is none that can be read."""
        try:
            return safetensors.torch.load((self.path / _STATE).read_bytes())
        except (OSError, safetensors.SafetensorError):
            return None

    def kept(self, config: RunConfig) -> tuple[int, bool] | None:
        """Step of the newest kept state, and whether its weights are of this config; None if it cannot be read.

        Reads no weights. Raises ValueError for a file that is no state of a run.
        """
        try:
            file = safetensors.safe_open(self.path / _STATE, "pt")
        except (OSError, safetensors.SafetensorError):
            return None
        with file:
            names = file.keys()
            wanted = [f"model.{name}" for name, _ in Transformer(config).named_parameters()]
            if missing := {"progress", *wanted} - set(names):
                raise ValueError(f"The state kept in {self.path.name} has no {min(missing)}.")
            sizes = [math.prod(file.get_slice(name).get_shape()) for name in wanted]
            return int(file.get_tensor("progress")[0]), sum(sizes) == sum(parameter_counts(config).values())

    def weights(self, step: int, config: RunConfig) -> bytes | None:
        """The weights of a step, in the order of the model's parameters, if they are those of the newest state."""
        state = self.state()
        if state is None or "progress" not in state or int(state["progress"][0]) != step:
            return None
        names = [f"model.{name}" for name, _ in Transformer(config).named_parameters()]
        return torch.cat([state[name].flatten() for name in names]).numpy().tobytes()

    def write_beginning(self, weights: bytes) -> None:
        """Keeps the float32 weights of step 0, in the order of the model's parameters."""
        self._replace(_BEGINNING, safetensors.numpy.save({"weights": np.frombuffer(weights, np.float32)}))

    @property
    def has_beginning(self) -> bool:
        """Whether weights of step 0 are kept: those of a run that goes on from a checkpoint."""
        return (self.path / _BEGINNING).is_file()

    def beginning(self) -> bytes | None:
        """The weights of step 0; None if none are kept, and the settings alone determine them."""
        try:
            with safetensors.safe_open(self.path / _BEGINNING, "np") as file:
                return file.get_tensor("weights").tobytes()
        except (OSError, safetensors.SafetensorError):
            return None

    def best_step(self) -> int | None:
        """The best step so far, if its weights are kept."""
        try:
            with safetensors.safe_open(self.path / _BEST, "pt") as file:
                return int(file.metadata()["step"])
        except (OSError, safetensors.SafetensorError, KeyError, TypeError, ValueError):
            return None

    def best(self) -> Tensor | None:
        """The weights of the best step so far, in the order of the model's parameters."""
        try:
            with safetensors.safe_open(self.path / _BEST, "pt") as file:
                return file.get_tensor("weights")
        except (OSError, safetensors.SafetensorError):
            return None

    def records(self) -> Iterator[dict[str, Any]]:
        """The history as far as it is whole: the last line may have been cut off."""
        try:
            content = (self.path / _HISTORY).read_bytes()
        except OSError:
            return
        last = -1
        for line in content.splitlines():
            try:
                record = json.loads(line)
            except ValueError:
                return
            if not isinstance(record, dict) or not isinstance(record.get("step"), int) or record["step"] <= last:
                return
            last = record["step"]
            yield record

    @property
    def nbytes(self) -> int:
        """What it takes on disk."""
        try:
            return sum(file.stat().st_size for file in self.path.iterdir())
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
            partial.unlink(missing_ok=True)
            raise


class Keeper:
    """Collects what is not on disk yet, and writes it from time to time."""

    def __init__(self, folder: RunFolder, step: int) -> None:
        self.folder = folder
        self.records: list[dict[str, Any]] = []
        # What an earlier worker recorded after the state that was kept will be recorded again.
        known = [record for record in folder.records() if step and record["step"] <= step]
        folder.start_history_anew(known)
        self.best = max(map(_score, known), default=_score({}))
        self.better: tuple[int, Tensor] | None = None  # step and weights that are not written yet
        self.due = time.perf_counter() + KEEP_EVERY

    def take(self, record: dict[str, Any], training: Training) -> None:
        self.records.append(record)
        if _score(record) > self.best:
            self.best, self.better = _score(record), (record["step"], _vector(training))

    def is_due(self) -> bool:
        return time.perf_counter() >= self.due

    def write(self, training: Training) -> int:
        """Returns the step that is kept; raises OSError, and then tries again later."""
        start = time.perf_counter()
        try:
            self.folder.write(training.state(), self.records)
            self.records.clear()
            if self.better:
                self.folder.write_best(*self.better)
                self.better = None
        finally:
            now = time.perf_counter()
            self.due = now + max(KEEP_EVERY, 50 * (now - start))
        return training.step


def not_kept(error: OSError) -> str:
    """The sentence for a run that has no place on disk."""
    return f"The host's disk does not take this run ({error.strerror or error}); save it before you leave."


def _score(record: dict[str, Any]) -> tuple[float, float]:
    """By which one step is better than another."""
    return record.get("exact_match", -1.0), record.get("token_accuracy", -1.0)


def _vector(training: Training) -> Tensor:
    """A copy of all weights in one row."""
    return torch.nn.utils.parameters_to_vector(training.model.parameters()).detach()
