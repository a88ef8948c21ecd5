"""Measures how fast this machine trains, for `estimate`, in a process of low priority while the server goes on."""

import statistics
import threading
import time
from contextlib import suppress

from playground.common.errors import PlaygroundError
from playground.processes import Limits, Pool
from playground.processes.child import USUAL_NICENESS
from playground.settings import estimate
from playground.settings.config import RunConfig
from playground.settings.estimate import Speed, step_costs
from playground.training import Training

_SMALL = RunConfig().updated({"training.batch_size": 1, "model.d_model": 16, "model.d_ff": 32})
_LARGE = RunConfig().updated({"training.batch_size": 128})
_LIMIT = 60.0  # seconds of computing after which the estimate stays as it is
_BOUNDS = 0.1, 30.0  # of a believable speed


def begin() -> None:
    """Measures this machine once, in the background, and makes estimates use the result."""
    threading.Thread(target=_calibrate, name="calibration", daemon=True).start()


def measure() -> Speed:
    """The speed of this machine on one thread, in CPU time; takes about half a second."""
    small, large = _seconds(_SMALL, 40), _seconds(_LARGE, 7)
    (a, b), (c, d) = step_costs(_SMALL), step_costs(_LARGE)
    determinant = a * d - b * c
    calls, numbers = (small * d - large * b) / determinant, (a * large - c * small) / determinant
    if min(calls, numbers) <= 0:  # only noise can do this
        calls = numbers = large / (c + d)
    low, high = _BOUNDS
    return Speed(min(max(calls, low), high), min(max(numbers, low), high))


def _seconds(config: RunConfig, steps: int) -> float:
    """The median CPU time of one optimizer step."""
    training, taken = Training(config), []
    for _ in range(2 + steps):
        start = time.process_time()
        training.take_step()
        taken.append(time.process_time() - start)
    return statistics.median(taken[2:])  # the first steps prepare


def _calibrate() -> None:
    pool = Pool("calibration", USUAL_NICENESS)
    with suppress(PlaygroundError):  # ended early: the estimate stays as it is
        estimate.use(pool.call(measure, limits=Limits(seconds=_LIMIT)))
    pool.end()
