"""The measure of a pitfall for runs, computed in a separate process in each visitor's turn, and cached."""

from threading import Lock
from weakref import WeakKeyDictionary, WeakValueDictionary

import numpy as np

from playground.common.bounded_cache import BoundedCache
from playground.lessons import pitfalls
from playground.runs import Run
from playground.settings.config import RunConfig
from playground.settings.estimate import training_seconds
from playground.ui.server import work

_of_runs: "WeakKeyDictionary[Run, dict[str, float]]" = WeakKeyDictionary()
_of_right_models: BoundedCache[tuple[str, RunConfig], float] = BoundedCache(1000, lambda _: 1)
_training: "WeakValueDictionary[tuple[str, RunConfig], Lock]" = WeakValueDictionary()


def of_run(name: str, run: Run) -> float:
    """The measure of a pitfall for the final weights of a run.

    Raises `PlaygroundError`, and `CheckpointError` if there are no weights.
    """
    known = _of_runs.setdefault(run, {})
    if name not in known:
        _, weights = run.store.snapshots.near(run.step)
        known[name] = work.in_turn(0, _of_run, name, run.config, weights, losses(run), bool(run.metadata.pitfall))
    return known[name]


def _of_run(name: str, config: RunConfig, weights: bytes, losses: tuple[float, ...], wrong: bool) -> float:
    return pitfalls.measured(name, config, weights, losses, wrong=wrong)


def of_right_model(name: str, config: RunConfig) -> float:
    """The measure for the correct model with these settings, which includes its training; raises `PlaygroundError`.

    Simultaneous requests for the same one share one training.
    """
    key = name, config
    if (known := _of_right_models.get(key)) is None:
        with _training.setdefault(key, Lock()):
            if (known := _of_right_models.get(key)) is None:
                seconds = training_seconds(config, config.training.steps)
                known = work.in_turn(seconds, pitfalls.measured_right, name, config)
                _of_right_models.put(key, known)
    return known


def losses(run: Run) -> tuple[float, ...]:
    """Training loss of each step."""
    losses = run.columns(("loss",))["loss"]
    return tuple(losses[~np.isnan(losses)].tolist())
