"""Status texts of a run, used by several pages."""

import math
from collections.abc import Iterable

from playground.common.numbers import duration
from playground.runs import Run, RunView, State
from playground.settings.estimate import QUICK_TEST
from playground.tasks import task_of
from playground.tasks.batches import HELD_OUT_SEQUENCES
from playground.ui.session.services import services

SOLVED = f"Solved: the exact match on {HELD_OUT_SEQUENCES:,} held-out inputs is at least 99.9 %."
"""Meaning of the status, as its tooltip and below charts."""
EVALUATIONS = (
    f"An evaluation during training uses {QUICK_TEST} of the {HELD_OUT_SEQUENCES:,} held-out inputs, always the same "
    "random ones. So a curve can reach 100 % before the run is solved. The last evaluation uses more, so the curve can "
    "fall there. Bands are 95 % intervals of the exact match."
)
"""Why a curve and the end of its run can differ."""


def evaluations(runs: Iterable[RunView]) -> str:
    """`SOLVED` and `EVALUATIONS`; empty for runs that can't be solved, because their answers go on as a text does."""
    return "" if all(task_of(run.config.task).continues for run in runs) else f"{SOLVED} {EVALUATIONS}"


def waiting(run: Run) -> str:
    """Queue position, waiting time and reason of a queued run; empty if it is not queued."""
    queued = services().runs.queue_position(run)
    if queued is None:
        return ""
    starts = f"starts in at most {duration(queued.seconds)}" if queued.seconds < math.inf else ""
    return " · ".join(filter(None, (f"queue position {queued.position} of {queued.waiting}", starts, queued.reason)))


def asked(run: RunView) -> tuple[str, str] | None:
    """The pending request of a run: a status word and a message; None if there is none.

    A pause never interrupts a step, so the run stays reproducible bit for bit.
    """
    if run.state is State.STOPPING:
        return "stopping", "Stopping …"
    if run.state is not State.PAUSING:
        return None
    seconds = run.last().get("seconds", 0.0) / run.step if run.step else 0.0
    return "pausing", f"Pausing after this step …{f' A step takes about {duration(seconds)}.' if seconds > 1 else ''}"


def status(run: RunView) -> str:
    """Status word of a run."""
    pending = asked(run)
    return pending[0] if pending else run.status


def training(run: RunView) -> str:
    """Progress of a run, for people who look at an earlier step."""
    return f"Training is at step {run.step:,}. Press Play to follow it." if run.has_worker and not run.ended else ""


def goes_on(run: RunView) -> bool:
    """True if the run continues to take steps."""
    return run.has_worker and not run.ended and run.status != "paused"


def slider_end(run: RunView) -> int:
    """Maximum of the slider: the newest step; while the run trains, a larger step that rarely changes."""
    newest = run.step
    if not goes_on(run):
        return newest
    room = next(room for room in _ROOMS if room >= newest)
    return min(room, run.config_now.training.steps)


_ROOMS = tuple(digit * 10**zeros for zeros in range(1, 12) for digit in (1, 2, 5))
