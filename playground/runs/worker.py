"""What runs in the worker process: a training loop that listens between steps."""

import multiprocessing
import os
import signal
import threading
import time
from dataclasses import dataclass, field
from multiprocessing.connection import Connection, wait
from typing import Any, Literal

import torch

from playground.config import RunConfig
from playground.model import Transformer
from playground.training import Example, TrainingError, train

SNAPSHOT_BYTES = 24_000_000
"""Room for the snapshots of one run; when it is full, every second one goes."""

MAX_SNAPSHOTS = 200  # as many as a slider can tell apart

SEND_EVERY = 0.1  # seconds

Command = tuple[Literal["pause", "resume", "step", "stop"], None] | tuple[Literal["pace"], float | None]


@dataclass
class Report:
    """What a worker tells its run since the last report."""

    records: list[dict[str, Any]] = field(default_factory=list)
    snapshots: list[tuple[int, bytes]] = field(default_factory=list)  # (step, float32 weights in order)
    examples: tuple[Example, ...] = ()  # of the newest evaluation
    state: str = ""  # running, paused, solved, finished, stopped or failed; empty: as before
    message: str = ""


def snapshot_limit(parameters: int) -> int:
    """How many snapshots of so many float32 weights a run keeps at most."""
    return max(1, min(MAX_SNAPSHOTS, SNAPSHOT_BYTES // (4 * parameters)))


def work(connection: Connection, config: RunConfig, pace: float | None, paused: bool) -> None:
    """Trains until done or told to stop; ends quietly when the other side of `connection` is gone.

    `pace` is in optimiser steps per second, None as fast as it goes.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the server's; its end closes the connection
    if hasattr(os, "nice"):
        os.nice(10)  # the interface goes first
    torch.set_num_threads(1)
    threading.Thread(target=_end_with_server, daemon=True).start()
    try:
        _Worker(connection, config, pace, paused).run()
    except (EOFError, BrokenPipeError, ConnectionResetError):
        pass


def _end_with_server() -> None:
    """Ends this process when the server is gone, also in the middle of a step that takes long."""
    server = multiprocessing.parent_process()
    if server is not None:
        wait([server.sentinel])
        os._exit(1)


class _Worker:
    def __init__(self, connection: Connection, config: RunConfig, pace: float | None, paused: bool) -> None:
        self.connection, self.config, self.pace, self.paused = connection, config, pace, paused
        self.steps_wanted = 0  # single steps asked for while paused
        self.stopped = False
        self.report, self.sent = Report(), 0.0
        self.due = time.perf_counter()  # when the next step may start
        self.model = Transformer(config)
        parameters = sum(parameter.numel() for parameter in self.model.parameters())
        self.most_snapshots, self.snapshots, self.snapshot_every = snapshot_limit(parameters), 0, 1
        self.looked, self.look_every = time.perf_counter(), max(1.0, parameters / 200_000)  # seconds

    def run(self) -> None:
        state, message = "finished", ""
        try:
            for progress in train(self.config, self.model):
                self.report.records.append(progress.record())
                if progress.evaluation:
                    self.report.examples = progress.evaluation.examples
                    self.offer_snapshot(progress.step)
                if progress.solved and self.config.training.stop_when_solved:
                    state = "solved"
                    continue  # the generator ends here by itself
                self.due = max(self.due + self.distance(), time.perf_counter())
                self.listen(progress.step)
                if self.stopped:
                    state = "stopped"
                    break
        except TrainingError as error:
            state, message = "failed", str(error)
        else:
            self.snapshot(progress.step)
        self.report.state, self.report.message = state, message
        self.send()

    def listen(self, step: int) -> None:
        """Obeys until the next step may start: when it is due, or when a paused run is told to go on."""
        while not self.stopped:
            if self.paused:
                self.due = time.perf_counter()
                if self.steps_wanted:
                    self.steps_wanted -= 1
                    return
                self.snapshot(step)
                self.report.state = "paused"
                self.send()
                self.obey(self.connection.recv())
                self.due = time.perf_counter()
                continue
            now = time.perf_counter()
            if now - self.sent >= SEND_EVERY or self.due - now >= SEND_EVERY:
                self.report.state = "running"
                if now - self.looked >= self.look_every:
                    self.snapshot(step)  # so that "now" is never long ago, also between rare evaluations
                self.send()
            if not self.connection.poll(max(0.0, min(self.due - now, 1.0))):
                if time.perf_counter() >= self.due:
                    return
                continue
            self.obey(self.connection.recv())
            self.due = min(self.due, now + self.distance())

    def distance(self) -> float:
        """Seconds from step to step."""
        return 1 / self.pace if self.pace else 0.0

    def obey(self, command: Command) -> None:
        verb, value = command
        if verb == "pause":
            self.paused = True
        elif verb == "resume":
            self.paused = False
        elif verb == "step":
            self.paused = True
            self.steps_wanted += 1
        elif verb == "pace":
            self.pace = value
        elif verb == "stop":
            self.stopped = True

    def offer_snapshot(self, step: int) -> None:
        """Keeps snapshots evenly spread: when there are too many, the distance between them doubles."""
        evaluation = step // self.config.training.eval_every
        if evaluation % self.snapshot_every == 0:
            self.snapshot(step)
            self.snapshots += 1
            if self.snapshots > self.most_snapshots:
                self.snapshots //= 2
                self.snapshot_every *= 2

    def snapshot(self, step: int) -> None:
        if not self.report.snapshots or self.report.snapshots[-1][0] != step:
            vector = torch.nn.utils.parameters_to_vector(self.model.parameters()).detach()
            self.report.snapshots.append((step, vector.numpy().tobytes()))
            self.looked = time.perf_counter()

    def send(self) -> None:
        if self.report != Report():
            self.connection.send(self.report)
        self.report, self.sent = Report(), time.perf_counter()
