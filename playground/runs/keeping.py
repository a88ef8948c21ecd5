"""What is kept of a run on disk while it trains, so that no end of a process loses more than a moment of it.

A folder a run: run.json (what it is and how it stands), history.jsonl (appended), state.safetensors (everything the
next step depends on) and best.safetensors (the weights with the best answers so far).
"""

import json
import os
import shutil
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import safetensors.torch
import torch
from torch import Tensor

from playground.config import ConfigError, RunConfig
from playground.model import Transformer
from playground.training import Training

HIDDEN = ".deleted-"
"""What the name of a folder begins with whose run was deleted a moment ago."""

_ABOUT, _HISTORY, _STATE, _BEST = "run.json", "history.jsonl", "state.safetensors", "best.safetensors"


@dataclass(frozen=True)
class About:
    """What a run is and how it stands."""

    id: str
    name: str
    config: RunConfig
    pace: float | None  # optimiser steps per second, None: as fast as it goes
    started: float  # seconds since the epoch
    status: str = ""  # how it ended; empty while it has not
    message: str = ""
    sweep: str = ""  # name of the sweep it belongs to


class RunFolder:
    """The folder of one run. Writing raises OSError; the worker writes, the server reads what an earlier one left."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def begin(self, about: About) -> None:
        """Makes the folder, or takes it over where a training goes on."""
        self.path.mkdir(parents=True, exist_ok=True)
        self.describe(about)

    def describe(self, about: About) -> None:
        """Writes what the run is and how it stands."""
        self._replace(_ABOUT, json.dumps(vars(about) | {"config": about.config.model_dump()}).encode())

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
            return About(**(data | {"config": RunConfig.parse(data["config"])}))
        except (KeyError, TypeError, ConfigError) as error:
            raise ValueError(f"{self.path.name} is no kept run: {error}.") from error

    def state(self) -> dict[str, Tensor] | None:
        """The newest kept state; None if there is none that can be read."""
        try:
            return safetensors.torch.load((self.path / _STATE).read_bytes())
        except (OSError, safetensors.SafetensorError):
            return None

    def training(self, config: RunConfig) -> Training | None:
        """A training that goes on where this run was kept; raises `TrainingError` for a damaged state."""
        state = self.state()
        if state is None:
            return None
        training = Training(config)
        training.go_on_from(state)
        return training

    def best(self) -> tuple[int, Tensor] | None:
        """Step and weights of the best step so far."""
        try:
            with safetensors.safe_open(self.path / _BEST, "pt") as file:
                return int(file.metadata()["step"]), file.get_tensor("weights")
        except (OSError, safetensors.SafetensorError, KeyError, TypeError, ValueError):
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


def weights_of(state: dict[str, Tensor], config: RunConfig) -> Tensor:
    """The weights in a kept state, in the order of the model's parameters."""
    return torch.cat([state[f"model.{name}"].flatten() for name, _ in Transformer(config).named_parameters()])
