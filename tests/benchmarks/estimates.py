"""Estimated against measured time of presets, batch sizes and sweeps, on this machine."""

import time
from collections.abc import Iterator
from itertools import product
from typing import Any

from playground.runs import calibration
from playground.settings import estimate
from playground.settings.config import RunConfig
from playground.settings.estimate import Cost
from playground.settings.presets import DEFAULT_PRESET, PRESETS
from playground.training import train

BATCH_SIZES = (32, 256, 512)
SWEEPS = {
    "training.batch_size": (1, 8, 128),
    "model.n_layers": (2, 4, 6),
    "model.n_heads": (1, 8, 16),
    "model.d_model": (16, 128, 256),
    "model.d_ff": (32, 1024),
    "task.max_length": (4, 32, 64),
    "task.vocab_size": (100, 500),
    "model.norm": ("rms_norm",),
    "model.attention": ("grouped_query", "latent"),
    "model.feed_forward": ("mixture",),
    "model.window": (4,),
}
SECONDS = 2.0
"""CPU time for which each run trains, unless it is solved before; the rest of its steps is extrapolated."""


def measure() -> dict[str, Any]:
    """Ratios of estimated to measured CPU time by settings, and the speed of this machine."""
    speed = calibration.measure()
    estimate.use(speed)
    ratios = {name: _ratio(config) for name, config in configs()}
    return {"calls": speed.calls, "numbers": speed.numbers, "ratios": ratios}


def as_lines(results: dict[str, Any]) -> list[str]:
    """The results for a person."""
    ratios = results["ratios"]
    lines = [f"  {name:32} {ratio:.2f}" for name, ratio in ratios.items()]
    within = sum(1 / 1.5 <= ratio <= 1.5 for ratio in ratios.values())
    return [f"Estimated / measured time, {within} of {len(ratios)} within a factor of 1.5:", *lines]


def configs() -> Iterator[tuple[str, RunConfig]]:
    """What is compared, by name."""
    for name, size in product(PRESETS, BATCH_SIZES):
        yield f"{name}, batch_size {size}", PRESETS[name].config.updated({"training.batch_size": size})
    for path, values in SWEEPS.items():
        for value in values:
            changed = PRESETS[DEFAULT_PRESET].config.updated({path: value})
            yield f"{DEFAULT_PRESET}, {path.partition('.')[2]} {value}", changed


def _ratio(config: RunConfig) -> float:
    cost: Cost = estimate.estimate(config)
    start, seconds = time.process_time(), 0.0
    for progress in train(config):
        seconds = time.process_time() - start
        if progress.step >= 3 and seconds > SECONDS and progress.evaluation:
            break
    return cost.seconds / (seconds * config.training.steps / progress.step)
