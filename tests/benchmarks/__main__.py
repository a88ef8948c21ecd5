"""`python -m tests.benchmarks`: wall times, estimates, times of many parts, and receipts that are judged rightly."""

import argparse
import json
import sys
from collections.abc import Callable
from typing import Any

import torch

from playground.experiments.benchmark import FIXED_16
from playground.training import train
from tests.benchmarks import (
    ablation_times,
    cache_times,
    clock,
    estimates,
    graded_class,
    idle_taps,
    lesson_facts,
    modern_parts,
    trace_times,
)

MEASURED: dict[str, Any] = {
    "estimates": estimates,
    "ablation": ablation_times,
    "kv_cache": cache_times,
    "modern_parts": modern_parts,
    "lessons": lesson_facts,
    "trace": trace_times,
    "receipts": graded_class,
}
"""Modules with `measure` and `as_lines`."""


def run(seeds: int, log: Callable[[str], None]) -> dict[str, Any]:
    """Measure everything; `log` receives what is being measured."""
    torch.set_num_threads(1)
    for _ in train(FIXED_16.updated({"training.steps": 2})):
        pass  # the first optimizer imports a large part of torch
    log(f"wall time: {seeds} seeds")
    results: dict[str, Any] = {"clock": clock.measure(seeds)}
    for name, module in MEASURED.items():
        log(name)
        results[name] = module.measure()
    log("idle taps")
    return results | {"idle_taps_share_of_step": idle_taps.measure()}


def as_text(results: dict[str, Any]) -> str:
    """The results as text."""
    lines = [
        *clock.as_lines(results["clock"]),
        *(line for name, module in MEASURED.items() for line in module.as_lines(results[name])),
        f"Idle taps: {100 * results['idle_taps_share_of_step']:.2f} % of a training step",
    ]
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks", description="Times on this machine.")
    parser.add_argument("--seeds", type=int, default=5, help="number of seeds of the wall times")
    parser.add_argument("--json", action="store_true", help="print one JSON object instead of tables")
    given = parser.parse_args()
    results = run(given.seeds, lambda line: print(line, file=sys.stderr))
    print(json.dumps(results) if given.json else as_text(results))


if __name__ == "__main__":
    main()
