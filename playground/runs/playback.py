"""A run shown once more from what was recorded of it: the same to look at, and nothing that could fail is at work."""

import time
from bisect import bisect_right
from collections.abc import Callable, Iterable
from typing import Any, Final

import numpy as np

from playground.config import Change, RunConfig
from playground.model import Transformer
from playground.runs.frames import Frame
from playground.runs.run import Run
from playground.runs.states import Status
from playground.training import Example, examples

WHOLE_SECONDS: Final = 10.0
"""How long a whole run takes at the usual pace."""

SAME: Final = frozenset(
    {"id", "config", "owner", "name", "origin", "note", "colour", "sweep", "observes_gradient_norm", "started", "seen"}
    | {"trouble", "damage", "irreproducible", "look"}
    | {"begun_from", "beginning", "beginning_digest", "lost_beginning"}
)
"""What is the run's own, whatever step is shown."""


class Playback:
    """Answers what a page asks of a `Run`, as it was at one step after another; steps go by with the clock.

    It never has a process and changes nothing of the run, whatever is pressed. All methods may be called from any
    thread that holds it alone.
    """

    message = notice = ""
    stage = until = None
    has_worker = pausing = stopping = False

    def __init__(
        self, run: Run, pace: float | None = None, *, paused: bool = False, clock: Callable[[], float] = time.monotonic
    ) -> None:
        """`pace` is in steps per second; None: so that the whole run takes `WHOLE_SECONDS`."""
        self._run, self._clock = run, clock
        self.pace: float = pace or self.usual_pace
        self._at = 0.0
        self._since: float | None = None if paused else clock()  # since when it goes on from there; None: it is paused

    def __getattr__(self, name: str) -> Any:
        if name not in SAME:
            raise AttributeError(f"A playback has no {name}.")
        return getattr(self._run, name)

    def again(self) -> "Playback":
        """Another one of the same run, at the beginning."""
        return Playback(self._run)

    @property
    def usual_pace(self) -> float:
        """Steps per second with which the whole run takes `WHOLE_SECONDS`."""
        return max(1, self._run.step) / WHOLE_SECONDS

    @property
    def last_step(self) -> int:
        """Where it ends: as far as the run has come."""
        return self._run.step

    @property
    def step(self) -> int:
        """The step that is shown."""
        gone = 0.0 if self._since is None else (self._clock() - self._since) * self.pace
        return min(int(self._at + gone), self._run.step)

    @property
    def ended(self) -> bool:
        """Whether all of it has been shown."""
        return self.step >= self._run.step

    @property
    def status(self) -> Status:
        """As that of the run would have been; at the end, as it is now."""
        if self.ended:
            return self._run.status if self._run.ended else "finished"
        return "running" if self._since is not None else "paused"

    @property
    def steps_per_second(self) -> float | None:
        """Of the playback, not of the training."""
        return self.pace if self.status == "running" else None

    def pause(self) -> None:
        """Stays at the step that is shown."""
        self._at, self._since = float(self.step), None

    def resume(self) -> None:
        """Goes on; once it has ended, from the beginning."""
        self._at, self._since = 0.0 if self.ended else float(self.step), self._clock()

    def step_once(self) -> None:
        """Shows the next step and pauses."""
        self._at, self._since = float(min(self.step + 1, self._run.step)), None

    def stop(self) -> None:
        """Shows the end."""
        self._at, self._since = float(self._run.step), None

    def set_pace(self, pace: float | None) -> None:
        """Steps per second from now on; None: the usual pace."""
        self._at = float(self.step)
        if self._since is not None:
            self._since = self._clock()
        self.pace = pace or self.usual_pace

    @property
    def changes(self) -> tuple[Change, ...]:
        """Those that had been made by then."""
        return tuple(change for change in self._run.changes if change.step <= self.step)

    @property
    def config_now(self) -> RunConfig:
        """The settings of the next step."""
        return self._run.config.after(self.changes, self.step)

    def records(self) -> list[dict[str, Any]]:
        """The history until then."""
        return self._until(self._run.records())

    def exact_records(self) -> list[dict[str, Any]]:
        """The history until then, as the training made it."""
        return self._until(self._run.exact_records())

    def points(self, names: Iterable[str]) -> list[dict[str, Any]]:
        """Step and the named measures until then, thinned for a chart."""
        return self._until(self._run.points(names))

    def columns(self, names: Iterable[str]) -> dict[str, np.ndarray]:
        """Step and the named measures until then: every value."""
        found = self._run.columns(names)
        count = int(np.searchsorted(found["step"], self.step, side="right"))
        return {name: values[:count] for name, values in found.items()}

    def last(self) -> dict[str, Any]:
        """The newest value of everything that had been measured."""
        return self._run.last(self.step)

    @property
    def examples(self) -> tuple[Example, ...]:
        """What the last evaluation until then showed."""
        said = [self._run.predictions(at) for at in range(len(self._run.examples))]
        count = self._frames(said[0][0]) if said else 0
        return examples(self._run.config, [answers[count - 1] for _, answers in said] if count else [])

    def position_accuracy(self) -> tuple[list[int], np.ndarray]:
        """As of the run, until then."""
        steps, shares = self._run.position_accuracy()
        count = self._frames(steps)
        return steps[:count], shares[:count]

    def attention_entropy(self) -> tuple[list[int], dict[str, np.ndarray]]:
        """As of the run, until then."""
        steps, bits = self._run.attention_entropy()
        count = self._frames(steps)
        return steps[:count], {tap: heads[:count] for tap, heads in bits.items()}

    def predictions(self, example: int) -> tuple[list[int], list[list[int]]]:
        """As of the run, until then."""
        steps, said = self._run.predictions(example)
        count = self._frames(steps)
        return steps[:count], said[:count]

    def kept_frames(self) -> list[tuple[int, Frame]]:
        """As of the run, until then."""
        shown = self.step
        return [(step, frame) for step, frame in self._run.kept_frames() if step <= shown]

    def snapshot_steps(self) -> list[int]:
        """Steps until then whose weights are kept."""
        steps = self._run.snapshot_steps()
        return steps[: self._frames(steps)]

    def is_at_hand(self, step: int) -> bool:
        """Whether `model_at` this step needs no replay."""
        return self._run.is_at_hand(step)

    def nearest(self, step: int | None = None) -> int:
        """The step at hand nearest to `step`; None: to the one that is shown."""
        return self._run.nearest(self.step if step is None else step)

    def model_at(self, step: int | None = None) -> Transformer:
        """The model at a step, as of the run; None: at the nearest that is at hand to the one that is shown."""
        return self.model_near()[1] if step is None else self._run.model_at(step)

    def model_near(self, step: int | None = None) -> tuple[int, Transformer]:
        """The nearest step at hand and its model."""
        return self._run.model_near(self.step if step is None else step)

    def _until(self, rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
        shown = self.step
        return [row for row in rows if row["step"] <= shown]

    def _frames(self, steps: list[int]) -> int:
        """How many of the ascending steps are not beyond the one that is shown."""
        return bisect_right(steps, self.step)
