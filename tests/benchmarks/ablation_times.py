"""How long a model without a part takes: on one input, on held-out inputs, and for each head in turn."""

import statistics
import time
from collections.abc import Callable
from functools import partial
from typing import Any

from playground.interpret.ablation import ablate_each, compare, score
from playground.interpret.interventions import Intervention
from playground.interpret.sites import named
from playground.model.task_model import TaskModel
from playground.settings.config import RunConfig
from playground.settings.presets import PRESETS
from playground.tasks import example_text
from playground.training import train

QUICK = ("quick-reverse", "quick-copy")
DEEP = PRESETS["quick-reverse"].config.updated(
    {"model.n_layers": 2, "model.n_heads": 8, "model.d_ff": 256, "training.learning_rate": 3e-3}
)
"""2 + 2 layers of 8 heads."""

GOALS = {"one input": 0.3, "held-out inputs": 1.5, "each head": 20.0}
"""Seconds of CPU time on one core: the first two of a quick preset, the last of `DEEP`."""

REPEATS = 5


def measure() -> dict[str, Any]:
    """CPU seconds by what was done, and the ratios to the same work with the intact model."""
    found: dict[str, Any] = {name: _of_a_quick(PRESETS[name].config) for name in QUICK}
    found["2 + 2 layers, 8 heads"] = {"each head": _of_each_head(_trained(DEEP))}
    found["the same, untrained"] = {"each head": _of_each_head(TaskModel(DEEP).eval())}
    return found


def _of_each_head(model: TaskModel) -> dict[str, float]:
    start = time.process_time()
    for _ in ablate_each(model, "head"):
        pass
    seconds = time.process_time() - start
    intact = _seconds(lambda: score(model))
    return {"seconds": seconds, "ratio": seconds / intact / (1 + len(named(model.config, "head")))}


def _of_a_quick(config: RunConfig) -> dict[str, dict[str, float]]:
    model, text = _trained(config), example_text(config.task)
    heads = [[Intervention(site.name)] for site in named(config, "head")]
    one, held_out = partial(compare, model, text), partial(score, model)
    return {
        "one input": _ratio([partial(one, off) for off in heads], partial(one, [])),
        "held-out inputs": _ratio([partial(held_out, off) for off in heads], held_out),
    }


def as_lines(results: dict[str, Any]) -> list[str]:
    """The results for a person."""
    lines = ["Without a head, CPU seconds on one core (goal), and the ratio to as many tests of the intact model:"]
    for name, measured in results.items():
        lines += [
            f"  {name:22} {what:16} {one['seconds']:6.2f} s ({GOALS[what]:g} s), {one['ratio']:.2f} x"
            for what, one in measured.items()
        ]
    return lines


def _trained(config: RunConfig) -> TaskModel:
    model = TaskModel(config)
    for _ in train(config, model):
        pass
    return model.eval()


def _ratio(changed: list[Callable[[], object]], intact: Callable[[], object]) -> dict[str, float]:
    """The slowest of some calls, and its ratio to another."""
    seconds = max(_seconds(call) for call in changed)
    return {"seconds": seconds, "ratio": seconds / _seconds(intact)}


def _seconds(call: Callable[[], object]) -> float:
    """Median CPU time of a call."""
    times = []
    for _ in range(REPEATS):
        start = time.process_time()
        call()
        times.append(time.process_time() - start)
    return statistics.median(times)
