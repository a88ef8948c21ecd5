"""The status of a run in words and numbers, shared by several pages."""

import math

from playground.figures import duration
from playground.runs import Run, RunView
from playground.ui.session import state


def waiting(run: Run) -> str:
    """Queue position, waiting time and reason of a queued run; empty if it is not queued."""
    queued = state.RUNS.queue_position(run)
    if queued is None:
        return ""
    starts = f"starts in at most {duration(queued.seconds)}" if queued.seconds < math.inf else ""
    return " · ".join(filter(None, (f"queue position {queued.position} of {queued.waiting}", starts, queued.reason)))


def asked(run: RunView) -> tuple[str, str] | None:
    """The request that a run has not carried out yet: a status word and a message; None if there is none.

    A pause never interrupts a step, so the run stays reproducible bit for bit.
    """
    if run.stopping:
        return "stopping", "Stopping …"
    if not run.pausing:
        return None
    seconds = run.last().get("seconds", 0.0) / run.step if run.step else 0.0
    return "pausing", f"Pausing after this step …{f' A step takes about {duration(seconds)}.' if seconds > 1 else ''}"


def status(run: RunView) -> str:
    """The status of a run as pages show it."""
    told = asked(run)
    return told[0] if told else run.status


def training(run: RunView) -> str:
    """How far a run is, for people who look at an earlier step of it."""
    return f"Training is at step {run.step:,}. Press Play to follow it." if run.has_worker and not run.ended else ""


def goes_on(run: RunView) -> bool:
    """Whether the run takes more steps by itself."""
    return run.has_worker and not run.ended and run.status != "paused"


def last_place(run: RunView) -> int:
    """Where the slider ends: at the newest step or, while that moves, rarely somewhere beyond it."""
    newest = run.step
    if not goes_on(run):
        return newest
    room = next(room for room in _ROOMS if room >= newest)
    return min(room, run.config_now.training.steps)


_ROOMS = tuple(digit * 10**zeros for zeros in range(1, 12) for digit in (1, 2, 5))
