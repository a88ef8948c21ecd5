"""A run shown once more from what was recorded of it: the same to look at, and nothing that could fail is at work."""

import time
from collections.abc import Callable
from typing import Final

from playground.model import Transformer
from playground.runs.reader import RunView
from playground.runs.run import Run
from playground.runs.states import Status

WHOLE_SECONDS: Final = 10.0
"""How long a whole run takes at the usual pace."""


class Playback(RunView):
    """A run as it was at one step after another; steps go by with the clock.

    It never has a process and changes nothing of the run, whatever is pressed. All methods may be called from any
    thread that holds it alone.
    """

    def __init__(
        self, run: Run, pace: float | None = None, *, paused: bool = False, clock: Callable[[], float] = time.monotonic
    ) -> None:
        """`pace` is in steps per second; None: so that the whole run takes `WHOLE_SECONDS`."""
        super().__init__(run.store, run.owner)
        self._run, self._clock = run, clock
        self.pace: float = pace or self.usual_pace
        self._at = 0.0
        self._since: float | None = None if paused else clock()  # since when it goes on from there; None: it is paused

    def again(self) -> "Playback":
        """Another one of the same run, at the beginning."""
        return Playback(self._run)

    @property
    def usual_pace(self) -> float:
        """Steps per second with which the whole run takes `WHOLE_SECONDS`."""
        return max(1, self.store.step) / WHOLE_SECONDS

    @property
    def last_step(self) -> int:
        """Where it ends: as far as the run has come."""
        return self.store.step

    @property
    def step(self) -> int:
        """The step that is shown."""
        gone = 0.0 if self._since is None else (self._clock() - self._since) * self.pace
        return min(int(self._at + gone), self.store.step)

    @property
    def ended(self) -> bool:
        """Whether all of it has been shown."""
        return self.step >= self.store.step

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
        self._at, self._since = float(min(self.step + 1, self.store.step)), None

    def stop(self) -> None:
        """Shows the end."""
        self._at, self._since = float(self.store.step), None

    def set_pace(self, pace: float | None) -> None:
        """Steps per second from now on; None: the usual pace."""
        self._at = float(self.step)
        if self._since is not None:
            self._since = self._clock()
        self.pace = pace or self.usual_pace

    @property
    def _last(self) -> float:
        return self.step

    def nearest(self, step: int | None = None) -> int:
        """The step at hand nearest to `step`; None: to the one that is shown."""
        return super().nearest(self.step if step is None else step)

    def model_near(self, step: int | None = None) -> tuple[int, Transformer]:
        """The nearest step at hand and its model."""
        return super().model_near(self.step if step is None else step)
