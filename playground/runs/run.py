"""Handles of runs, on the side that watches."""

import secrets
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable
from contextlib import suppress
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any, Literal, Self, get_args

import numpy as np
import torch

from playground.config import RunConfig, parameter_counts
from playground.model import Transformer
from playground.runs import processes
from playground.runs.history import History
from playground.runs.keeping import About, RunFolder, weights_of
from playground.runs.replays import replayed
from playground.runs.worker import Job, Report, not_kept, snapshot_limit, state_every, state_limit, work
from playground.training import Example

Status = Literal["queued", "starting", "running", "paused", "solved", "finished", "stopped", "failed"]
ENDED: tuple[Status, ...] = ("solved", "finished", "stopped", "failed")


class Run:
    """One training run: waiting, at work in a process of its own, paused with or without one, or ended.

    All methods may be called from any thread. A run begins as "queued"; whoever holds it decides when it may `begin`.
    """

    def __init__(
        self,
        config: RunConfig,
        pace: float | None = None,
        *,
        paused: bool = False,
        owner: str = "",
        name: str = "",
        sweep: str = "",
        memory_mb: int = 0,
        on_change: Callable[[], None] = lambda: None,
    ) -> None:
        """`pace` is in optimiser steps per second, None: as fast as it goes; `on_change` is called when it waits."""
        self.id = secrets.token_urlsafe(12)
        self.config, self.pace, self.owner, self.name = config, pace, owner, name or self.id
        self.sweep = sweep  # the name of the sweep it belongs to
        self.memory_mb, self._on_change = memory_mb, on_change
        self.folder: RunFolder | None = None
        self.history = History()
        self.examples: tuple[Example, ...] = ()
        self.status: Status = "queued"
        self.message = ""  # why it is as it is
        self.notice = ""  # what the host did with it
        self.note = ""  # what its owner wrote about it
        self.changes: Any = ()  # of settings, on its way
        self.origin: Any = None  # where a branch left another run
        self.trouble = ""  # why nothing of it can be kept on disk
        self.kept_step: int | None = None  # newest step whose state is on disk
        self.started = time.time()  # for people; what is measured is measured with a clock that cannot jump
        self.seen = self.paused_at = time.monotonic()  # when somebody last looked
        self.asked = time.monotonic()  # when it began to wait
        self._marks: deque[tuple[int, float]] = deque(maxlen=20)  # (step, time) of the last reports
        self._begin_paused, self._steps_wanted = paused, 0
        self.irreproducible = ""  # why no step of it can be replayed
        self._snapshots: dict[int, bytes] = {}  # step -> weights
        self._states: dict[int, bytes] = {}  # step -> everything the next step depends on
        parameters = sum(parameter_counts(config).values())
        self._most_snapshots, self._most_states = snapshot_limit(parameters), state_limit(parameters)
        self._lock = threading.Lock()
        self._sending = threading.Lock()
        self._process: BaseProcess | None = None
        self._connection: Connection | None = None
        self._laying_aside = self._again = False  # its process is being freed; and is wanted back already
        self._stopping = False  # it has been told to end for good

    @classmethod
    def restored(cls, folder: RunFolder, **options: Any) -> Self:
        """A run that an earlier process of the server has left: ended, or paused where it was kept.

        Raises OSError or ValueError if the folder holds none.
        """
        about = folder.about()
        run = cls(about.config, about.pace, name=about.name, sweep=about.sweep, **options)
        run.id, run.started, run.folder = about.id, about.started, folder
        state = folder.state()
        if state is not None:
            try:
                run.kept_step = int(state["progress"][0])
                kept = {run.kept_step: weights_of(state, about.config)}
            except (KeyError, IndexError) as error:
                raise ValueError(f"The state kept of {about.name} is not that of a run: {error}.") from error
            run.history = History(folder.records())
            run.history.cut_after(run.kept_step)
            if (best := folder.best()) and best[0] <= run.kept_step:
                kept.setdefault(*best)
            size = sum(parameter_counts(about.config).values())
            fitting = {step: weights for step, weights in kept.items() if weights.shape == (size,)}
            run._snapshots = {step: weights.numpy().tobytes() for step, weights in fitting.items()}
        if about.status in ENDED:
            run.status, run.message = about.status, about.message
        else:
            run.status = "paused"
            run.message = (
                "The server was started anew while this run was under way; it was kept at step "
                f"{run.kept_step or 0:,}, and Resume goes on from there."
            )
        return run

    def keep_in(self, place: Path) -> None:
        """Keeps it from now on in a folder of its own at `place`; where the disk refuses, `trouble` says so."""
        folder = RunFolder(place / self.id)
        try:
            folder.begin(self._about())
        except OSError as error:
            self.trouble = not_kept(error)
        else:
            self.folder = folder

    def look(self) -> None:
        """Somebody looks at it."""
        self.seen = time.monotonic()

    @property
    def memory_bytes(self) -> int:
        """What its snapshots and full states take in memory."""
        with self._lock:
            return sum(map(len, self._snapshots.values())) + sum(map(len, self._states.values()))

    def reserve(self) -> bool:
        """Takes a queued run out of the queue, for whoever then calls `launch`."""
        with self._lock:
            if self.status != "queued":
                return False
            self.status, self.message = "starting", ""
            return True

    def begin(self) -> None:
        """Starts its worker now if the run is queued."""
        if self.reserve():
            self.launch()

    def launch(self) -> None:
        """Starts the worker of a reserved run, for a first time or where it was kept. Takes a moment."""
        with self._sending:
            with self._lock:
                kept = self.kept_step if self.kept_step is not None else -1  # what came later will come again
                self.history.cut_after(kept)
                self._snapshots = {step: content for step, content in self._snapshots.items() if step <= kept}
                self._states = {step: content for step, content in self._states.items() if step <= kept}
                self._laying_aside = self._again = False
            job = Job(
                self._about(),
                paused=self._begin_paused,
                folder=self.folder,
                go_on=self.kept_step is not None,
                memory_mb=self.memory_mb,
            )
            try:
                connection, process = processes.start(work, job, name=f"training {self.name}")
            except Exception as error:  # whatever it was, a run that never starts must not keep its place
                self.status, self.message = "failed", f"The training process could not be started: {error}."
                return
            self._process, self._connection = process, connection
            for _ in range(self._steps_wanted):
                connection.send(("step", None))
            self._steps_wanted = 0
            if self._stopping:  # since it was reserved
                connection.send(("stop", None))
        threading.Thread(target=self._listen, args=(connection, process), name=f"run {self.name}", daemon=True).start()

    @property
    def ended(self) -> bool:
        """Whether it is over for good."""
        return self.status in ENDED

    @property
    def has_worker(self) -> bool:
        """Whether a process works for it, or waits for it while it is paused."""
        return self._process is not None or self.status == "starting"

    @property
    def step(self) -> int:
        """The newest step."""
        return self.history.step

    def pause(self) -> None:
        """Stops after the current step; a run that waits for its place gives it up."""
        with self._lock:
            if self.status == "queued":
                self.status, self.message = "paused", ""
                return
            self._again = False
        self._tell("pause")

    def resume(self) -> None:
        """Goes on after a pause, as soon as there is a place where its process has been freed."""
        self.notice = ""
        if not self._queue_again(paused=False):
            self._tell("resume")

    def step_once(self) -> None:
        """Takes one optimiser step and pauses."""
        self.notice = ""
        if not self._queue_again(paused=True):
            self._tell("step")

    def stop(self) -> None:
        """Ends the run for good; what it has learned stays."""
        with self._lock:
            if self.status == "queued" or (self.status == "paused" and not self.has_worker):
                self._stopped()
                return
            self._stopping = True
        self._tell("stop")

    def _stopped(self) -> None:
        """It is over without a worker that could say so."""
        self.status, self.message = "stopped", ""
        if self.folder:
            with suppress(OSError):  # at the worst it is found paused after a new start
                self.folder.describe(self._about())

    def lay_aside(self) -> None:
        """Keeps its state on disk and frees its process; Resume goes on where it was."""
        with self._sending:
            self._laying_aside = self._connection is not None
        self._tell("lay aside")

    def set_pace(self, pace: float | None) -> None:
        """Optimiser steps per second, None as fast as it goes."""
        self.pace = pace
        self._tell("pace", pace)

    def records(self) -> list[dict[str, Any]]:
        """The whole history."""
        with self._lock:
            return self.history.records()

    def points(self, names: Iterable[str]) -> list[dict[str, Any]]:
        """Step and the named measures, thinned for a chart."""
        with self._lock:
            return self.history.points(names)

    def columns(self, names: Iterable[str]) -> dict[str, np.ndarray]:
        """Step and the named measures, which are taken at the same steps: everything that was recorded of them."""
        with self._lock:
            return self.history.columns(names)

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

    def is_at_hand(self, step: int) -> bool:
        """Whether `model_at` this step needs no replay."""
        with self._lock:
            return self._weights(step) is not None

    def nearest(self, step: int | None = None) -> int:
        """The step at hand that is nearest to `step`, the earlier of two; None: the newest that is kept."""
        with self._lock:
            return self._nearest(step)

    def model_at(self, step: int | None = None) -> Transformer:
        """The model exactly after `step` (None: at the newest step that is kept), in evaluation mode.

        Raises ValueError for a step the run has not taken, and KeyError for one whose weights are not at hand:
        `Runs.replay` brings them.
        """
        if step is None:
            return self.model_near()[1]
        with self._lock:
            if not 0 <= step <= self.history.step:
                raise ValueError(f"{self.name} has no step {step}; its steps are 0 to {self.history.step}.")
            content = self._weights(step)
        if content is None:
            raise KeyError(f"Step {step} of {self.name} is not at hand; it can be replayed.")
        return self._model(content)

    def model_near(self, step: int | None = None) -> tuple[int, Transformer]:
        """The nearest step at hand and its model: what `nearest` finds may be thinned out a moment later."""
        with self._lock:
            while (content := self._weights(at := self._nearest(step))) is None:
                pass  # a replayed step has just made room for others
        return at, self._model(content)

    def agrees(self, step: int, content: bytes) -> bool:
        """Whether these weights are those that are kept of a step, if any are."""
        with self._lock:
            return self._snapshots.get(step, content) == content

    def state_before(self, step: int) -> tuple[int, bytes | None]:
        """The newest full state at or before a step: (its step, its content); (0, None) is the beginning."""
        with self._lock:
            at = max((kept for kept in self._states if kept <= step), default=0)
            return at, self._states.get(at)

    def take_state(self, step: int, content: bytes) -> None:
        """Keeps a full state that a replay came by, if it is one of those that are kept."""
        with self._lock:
            self._states[step] = content
            self._thin_states()

    @property
    def state_every(self) -> int:
        """Distance of the full states that are kept, in steps; 0: none are."""
        return state_every(self.history.step, self._most_states)

    def join(self, seconds: float) -> None:
        """Waits for the end of its process, and ends it the hard way when that takes longer."""
        process = self._process
        if process is not None:
            process.join(seconds)
            if process.is_alive():
                process.kill()

    def close(self) -> None:
        """Ends the worker, politely first."""
        self.stop()
        self.join(2)

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

    def _queue_again(self, *, paused: bool) -> bool:
        """Waits for a worker if it is paused without one; `paused` asks for a single step. False if it has one."""
        with self._lock:
            leaving = self._laying_aside and self.has_worker
            if not leaving and (self.status != "paused" or self.has_worker):
                return False
            self._begin_paused, self._again = paused, True
            self._steps_wanted = self._steps_wanted + 1 if paused else 0
            if leaving:
                return True  # its last report will queue it
            self._queue()
        self._on_change()
        return True

    def _queue(self) -> None:
        self.status, self.message, self.asked = "queued", "", time.monotonic()

    def _about(self) -> About:
        status = self.status if self.ended else ""
        return About(self.id, self.name, self.config, self.pace, self.started, status, self.message, self.sweep)

    def _tell(self, verb: str, value: float | None = None) -> None:
        self._marks.clear()  # the speed until now says nothing about the speed from now on
        with self._sending:
            connection = self._connection
            if connection is not None and not self.ended:
                try:
                    connection.send((verb, value))
                except OSError:
                    pass  # it has just ended; its last report says how

    def _listen(self, connection: Connection, process: BaseProcess) -> None:
        """Takes in reports until the worker is gone."""
        try:
            while True:
                self._take(connection.recv())
        except (EOFError, OSError):
            pass
        process.join(5)
        if process.is_alive():
            process.kill()
            process.join()
        code = process.exitcode
        with self._sending, self._lock:
            connection.close()
            if self._process is process:
                self._process = self._connection = None
                if not self.ended:
                    self._lost(code)
        self._on_change()

    def _lost(self, code: int | None) -> None:
        """Its worker has ended without a word."""
        if self._stopping:
            self._stopped()
            return
        self.message = f"The training process ended unexpectedly after step {self.step:,} ({processes.ending(code)}); "
        if self.kept_step is None:
            self.status = "failed"
            self.message += "what it reported until then is kept."
        else:
            self.status = "paused"
            self.message += f"the run is kept at step {self.kept_step:,}, and Resume goes on from there."

    def _take(self, report: Report) -> None:
        stays = False
        with self._lock:
            for record in report.records:
                self.history.append(record)
            for step, content in report.snapshots:
                self._snapshots[step] = content
            self._states.update(report.states)
            self._thin()
            self._thin_states()
            self.examples = report.examples or self.examples
            if report.kept is not None:
                self.kept_step = report.kept
            if report.trouble is not None:
                self.trouble = report.trouble
            if report.stays:
                self._laying_aside, stays = False, self._again
            if report.state == "laid aside":
                self._process = self._connection = None
                self.status = "paused"
                if self._stopping:
                    self._stopped()
                elif self._again:
                    self._queue()
            elif report.state in get_args(Status):
                if report.state == "paused" != self.status:
                    self.paused_at = time.monotonic()
                self.status = report.state  # type: ignore[assignment]
                self.message = report.message
            if report.records:
                self._marks.append((self.history.step, time.monotonic()))
        if stays:
            self._tell("resume")  # it was wanted again before the disk refused it

    def _thin(self) -> None:
        """Drops snapshots where they stand closest together; the newest stays and, if there is room, the first."""
        while len(self._snapshots) > self._most_snapshots:
            steps = sorted(self._snapshots)
            inner = range(1, len(steps) - 1)
            closest = min(inner, key=lambda at: steps[at + 1] - steps[at - 1], default=0)
            del self._snapshots[steps[closest]]

    def _thin_states(self) -> None:
        every = self.state_every
        self._states = {step: content for step, content in self._states.items() if every and step % every == 0}

    def _weights(self, step: int) -> bytes | None:
        """Empty bytes stand for the beginning, which the config alone determines."""
        return self._snapshots.get(step) or replayed.get(self.id, step) or (None if step else b"")

    def _nearest(self, step: int | None) -> int:
        if step is None:
            return max(self._snapshots, default=0)
        return min({0, *self._snapshots, *replayed.steps(self.id)}, key=lambda known: (abs(known - step), known))

    def _model(self, content: bytes) -> Transformer:
        model = Transformer(self.config).eval()
        if content:
            vector = torch.from_numpy(np.frombuffer(content, dtype=np.float32).copy())
            with torch.no_grad():
                torch.nn.utils.vector_to_parameters(vector, model.parameters())
        return model
