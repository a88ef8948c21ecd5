"""How long each preset of a task takes until it is solved, on one core."""

import statistics
import time
from collections.abc import Callable
from typing import Any

import torch

from playground.settings.config import RunConfig
from playground.settings.presets import PRESETS
from playground.training import train


def measure(task: str, seeds: int, log: Callable[[str], None]) -> dict[str, dict[str, Any]]:
    """For each preset of `task` by name: steps, seconds and processor seconds to the end of each seed's run.

    `seconds` are wall time, `cpu_seconds` those of this process, both with evaluations; a seed that is not solved
    trains all of its steps. `loss` is that on held-out sequences at the end. `log` receives what is being measured.
    """
    torch.set_num_threads(1)
    results = {}
    for name, preset in PRESETS.items():
        if preset.config.task.name != task:
            continue
        log(f"{name}: {seeds} seeds")
        timed = [_run(preset.config.updated({"seed": seed})) for seed in range(seeds)]
        results[name] = {"seeds": seeds, "solved": sum(result["solved"] for result in timed)}
        results[name] |= {key: [result[key] for result in timed] for key in ("steps", "seconds", "cpu_seconds", "loss")}
    return results


def as_text(results: dict[str, dict[str, Any]]) -> str:
    """The results as text."""
    return "\n".join(
        f"{name:22} {r['solved']} of {r['seeds']} seeds solved, median {statistics.median(r['steps']):.0f} steps, "
        f"{_span(r['seconds'])} s, processor {_span(r['cpu_seconds'])} s, held-out loss at most {max(r['loss']):.4f}"
        for name, r in results.items()
    )


def _run(config: RunConfig) -> dict[str, Any]:
    start, processor = time.perf_counter(), time.process_time()
    *_, last = train(config)
    return {
        "solved": last.solved,
        "steps": last.step,
        "loss": last.evaluation.loss if last.evaluation else None,
        "seconds": time.perf_counter() - start,
        "cpu_seconds": time.process_time() - processor,
    }


def _span(seconds: list[float]) -> str:
    """The median and the highest."""
    return f"median {statistics.median(seconds):.1f} and at most {max(seconds):.1f}"
