"""The measure of a pitfall for runs, computed in a separate process and cached."""

from threading import Lock
from weakref import WeakKeyDictionary

import numpy as np

from playground.bounded_cache import BoundedCache
from playground.config import RunConfig
from playground.lessons import pitfalls
from playground.runs import Run
from playground.runs.backends.processes import ComputeProcess
from playground.ui.session import state

_PROCESS = ComputeProcess(state.HOST.run_mb)
_of_runs: "WeakKeyDictionary[Run, dict[str, float]]" = WeakKeyDictionary()
_of_right_models: BoundedCache[tuple[str, RunConfig], float] = BoundedCache(1000, lambda _: 1)
_training = Lock()


def of_run(name: str, run: Run) -> float:
    """The measure of a pitfall for the final weights of a run.

    Raises `ComputeError`, and `CheckpointError` if there are no weights.
    """
    known = _of_runs.setdefault(run, {})
    if name not in known:
        _, weights = run.store.snapshots.near(run.step)
        known[name] = _PROCESS.call(_of_run, name, run.config, weights, losses(run), bool(run.pitfall))
    return known[name]


def _of_run(name: str, config: RunConfig, weights: bytes, losses: tuple[float, ...], wrong: bool) -> float:
    return pitfalls.measured(name, config, weights, losses, wrong=wrong)


def of_right_model(name: str, config: RunConfig) -> float:
    """The measure for the correct model with these settings, which includes its training; raises `ComputeError`.

    Simultaneous requests for the same one share one training.
    """
    key = name, config
    if (known := _of_right_models.get(key)) is None:
        with _training:
            if (known := _of_right_models.get(key)) is None:
                known = _PROCESS.call(pitfalls.measured_right, name, config)
                _of_right_models.put(key, known)
    return known


def losses(run: Run) -> tuple[float, ...]:
    """Training loss of each step."""
    losses = run.columns(("loss",))["loss"]
    return tuple(losses[~np.isnan(losses)].tolist())
