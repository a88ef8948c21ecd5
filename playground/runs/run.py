"""Handles of runs, on the side that watches."""

import multiprocessing
import os
import secrets
import threading
import time
from collections import deque
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from multiprocessing import forkserver, spawn
from multiprocessing.context import ForkServerContext, SpawnContext
from typing import Any, Literal, get_args
from unittest import mock

import numpy as np
import torch

from playground.config import RunConfig, parameter_counts
from playground.model import Transformer
from playground.recording import REPOSITORY
from playground.runs.history import History
from playground.runs.worker import Report, snapshot_limit, work
from playground.training import Example

Status = Literal["starting", "running", "paused", "solved", "finished", "stopped", "failed"]
ENDED: tuple[Status, ...] = ("solved", "finished", "stopped", "failed")

MAX_WORKERS = 8
MAX_KEPT = 24
FORGOTTEN_AFTER = 120  # seconds that nobody has looked at a paused run


class RunError(RuntimeError):
    """A run that cannot be started or steered; the message is one sentence."""


class Run:
    """One training run, alive or ended. All methods may be called from any thread."""

    def __init__(self, config: RunConfig, pace: float | None = None, *, paused: bool = False) -> None:
        self.id = secrets.token_urlsafe(12)
        self.config = config
        self.pace = pace
        self.history = History()
        self.examples: tuple[Example, ...] = ()
        self.status: Status = "starting"
        self.message = ""
        self.started = time.time()
        self._marks: deque[tuple[int, float]] = deque(maxlen=20)  # (step, time) of the last reports
        self.seen = time.monotonic()  # when somebody last looked
        self._snapshots: dict[int, bytes] = {}
        self._most_snapshots = snapshot_limit(sum(parameter_counts(config).values()))
        self._lock = threading.Lock()
        self._sending = threading.Lock()
        self._connection, far_end = multiprocessing.Pipe()
        self._process = _context().Process(
            target=work, args=(far_end, config, pace, paused), name=f"training {self.id[:4]}", daemon=True
        )
        with _without_main():
            self._process.start()
        far_end.close()
        threading.Thread(target=self._listen, name=f"run {self.id[:4]}", daemon=True).start()

    @property
    def ended(self) -> bool:
        """Whether the worker is done."""
        return self.status in ENDED

    @property
    def step(self) -> int:
        """The newest step."""
        return self.history.step

    def pause(self) -> None:
        """Stops after the current step."""
        self._tell("pause")

    def resume(self) -> None:
        """Goes on after a pause."""
        self._tell("resume")

    def step_once(self) -> None:
        """Takes one optimiser step and pauses."""
        self._tell("step")

    def stop(self) -> None:
        """Ends the run for good; what it has learned stays."""
        self._tell("stop")

    def set_pace(self, pace: float | None) -> None:
        """Optimiser steps per second, None as fast as it goes."""
        self.pace = pace
        self._tell("pace", pace)

    def is_forgotten(self) -> bool:
        """Whether it is paused and nobody has looked at it for a while."""
        return self.status == "paused" and time.monotonic() - self.seen > FORGOTTEN_AFTER

    def records(self) -> list[dict[str, Any]]:
        """The whole history."""
        with self._lock:
            return self.history.records()

    def points(self, names: Iterable[str]) -> list[dict[str, Any]]:
        """Step and the named measures, thinned for a chart."""
        with self._lock:
            return self.history.points(names)

    def last(self) -> dict[str, Any]:
        """The newest value of everything that has been measured."""
        with self._lock:
            return self.history.last()

    @property
    def steps_per_second(self) -> float | None:
        """Over the last few reports; None before there are any."""
        marks = list(self._marks)
        if len(marks) < 2:
            return None
        (first, then), (last, now) = marks[0], marks[-1]
        return (last - first) / (now - then) if now > then else None

    def snapshot_steps(self) -> list[int]:
        """Steps whose weights are kept, in order."""
        with self._lock:
            return sorted(self._snapshots)

    def model_at(self, step: int | None = None) -> Transformer:
        """The model at the newest kept step up to `step` (None: the newest there is), in evaluation mode."""
        with self._lock:
            steps = [kept for kept in self._snapshots if step is None or kept <= step]
            content = self._snapshots[max(steps)] if steps else None
        model = Transformer(self.config).eval()
        if content is not None:
            vector = torch.from_numpy(np.frombuffer(content, dtype=np.float32).copy())
            with torch.no_grad():
                torch.nn.utils.vector_to_parameters(vector, model.parameters())
        return model

    def close(self) -> None:
        """Ends the worker, politely first."""
        self.stop()
        self._process.join(2)
        if self._process.is_alive():
            self._process.kill()

    def wait(self, *status: Status, timeout: float = 60) -> bool:
        """Blocks until the run is in one of these states (default: has ended); False on time-out or another end."""
        until = time.monotonic() + timeout
        while time.monotonic() < until:
            if self.status in (status or ENDED):
                return True
            if self.ended:
                return False
            time.sleep(0.01)
        return False

    def _tell(self, verb: str, value: float | None = None) -> None:
        self._marks.clear()  # the speed until now says nothing about the speed from now on
        with self._sending:
            if not self.ended:
                try:
                    self._connection.send((verb, value))
                except OSError:
                    pass  # it has just ended; its last report says how

    def _listen(self) -> None:
        """Takes in reports until the worker is gone."""
        try:
            while True:
                self._take(self._connection.recv())
        except (EOFError, OSError):
            pass
        self._process.join(5)
        with self._lock, self._sending:
            if not self.ended:
                code = self._process.exitcode
                self.status = "failed"
                self.message = (
                    f"The training process ended unexpectedly (exit code {code}); what it reported until then is kept."
                )
            self._connection.close()

    def _take(self, report: Report) -> None:
        with self._lock:
            for record in report.records:
                self.history.append(record)
            for step, content in report.snapshots:
                self._snapshots[step] = content
            self._thin()
            self.examples = report.examples or self.examples
            if report.state in get_args(Status):
                self.status = report.state  # type: ignore[assignment]
                self.message = report.message
            if report.records:
                self._marks.append((self.history.step, time.monotonic()))

    def _thin(self) -> None:
        """Drops snapshots where they stand closest together; the newest stays and, if there is room, the first."""
        while len(self._snapshots) > self._most_snapshots:
            steps = sorted(self._snapshots)
            inner = range(1, len(steps) - 1)
            closest = min(inner, key=lambda at: steps[at + 1] - steps[at - 1], default=0)
            del self._snapshots[steps[closest]]


class Runs:
    """All runs of this process, each with an owner."""

    def __init__(self) -> None:
        self._runs: dict[str, Run] = {}  # by id, oldest first
        self._current: dict[str, str] = {}  # owner -> id of the run started last
        self._lock = threading.Lock()

    def start(self, owner: str, config: RunConfig, pace: float | None = None, *, paused: bool = False) -> Run:
        """Starts a run in place of the owner's current one; raises `RunError` if too many are under way.

        A paused run that nobody has looked at for a while makes room for others; what it has learned stays.
        """
        with self._lock:
            replaced = self.current(owner)
            alive = [run for run in self._runs.values() if not run.ended and run is not replaced]
            if len(alive) >= MAX_WORKERS:
                forgotten = [run for run in alive if run.is_forgotten()]
                if not forgotten:
                    raise RunError(
                        f"{MAX_WORKERS} runs are under way on this host, which is all it takes; try again later."
                    )
                min(forgotten, key=lambda run: run.seen).stop()
            if replaced is not None:
                replaced.stop()
            run = Run(config, pace, paused=paused)
            self._runs[run.id] = run
            self._current[owner] = run.id
            ended = [kept for kept in self._runs.values() if kept.ended]
            for old in ended[: max(0, len(self._runs) - MAX_KEPT)]:
                del self._runs[old.id]
            self._current = {who: run_id for who, run_id in self._current.items() if run_id in self._runs}
            return run

    def current(self, owner: str) -> Run | None:
        """The run this owner started last, if it is still known."""
        run = self._runs.get(self._current.get(owner, ""))
        if run is not None:
            run.seen = time.monotonic()
        return run

    def close(self) -> None:
        """Ends every worker."""
        for run in list(self._runs.values()):
            run.close()


def warm_up() -> None:
    """Starts the fork server ahead of the first run; without it the first run pays seconds."""
    _context()
    if multiprocessing.get_all_start_methods()[0] != "spawn":
        with _without_main():
            forkserver.ensure_running()


def _context() -> SpawnContext | ForkServerContext:
    if "forkserver" not in multiprocessing.get_all_start_methods():
        return multiprocessing.get_context("spawn")  # Windows
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["playground.runs.preload"])
    return context


_starting = threading.Lock()


@contextmanager
def _without_main() -> Iterator[None]:
    """Keeps multiprocessing from running the main script, here a Streamlit page, again in every worker.

    Also lets the fork server find this package from any working directory: it takes no notice of sys.path.
    """
    original = spawn.get_preparation_data

    def preparation_data(name: str) -> dict:
        data = original(name)
        return {key: value for key, value in data.items() if not key.startswith("init_main_from")}

    paths = filter(None, (str(REPOSITORY), os.environ.get("PYTHONPATH")))
    with (
        _starting,
        mock.patch.object(spawn, "get_preparation_data", preparation_data),
        mock.patch.dict(os.environ, {"PYTHONPATH": os.pathsep.join(paths)}),
    ):
        yield
