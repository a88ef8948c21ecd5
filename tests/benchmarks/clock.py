"""Wall time until a run is solved, including start and evaluations, compared with its optimizer seconds."""

import json
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from playground.processes import warm_up
from playground.recording import REPOSITORY
from playground.runs import Run
from playground.runs.metadata import RunMetadata
from playground.settings.config import RunConfig
from playground.settings.presets import DEFAULT_PRESET, PRESETS

CONFIG = PRESETS[DEFAULT_PRESET].config


class Timed(NamedTuple):
    """Seconds of one run."""

    clock: float  # wall time from the start to solved
    optimizer: float  # in optimizer steps
    solved: bool


def measure(seeds: int) -> dict[str, Any]:
    """Ratios of wall time to optimizer seconds per way of starting a run, and the time to import torch."""
    warm_up()
    ways = {"in the app": in_the_app, "on the command line": on_the_command_line}
    return {
        "preset": DEFAULT_PRESET,
        "ways": {name: _summary(way, CONFIG, seeds) for name, way in ways.items()},
        "import_torch_seconds": _seconds_of("-c", "import torch"),
    }


def as_lines(results: dict[str, Any]) -> list[str]:
    """The results as lines of text."""
    lines = [f"{results['preset']}: wall time until solved and optimizer seconds"]
    for name, r in results["ways"].items():
        lines.append(
            f"  {name:22} median {r['clock_seconds']:.2f} s and {r['optimizer_seconds']:.2f} s, ratios "
            f"{', '.join(f'{ratio:.2f}' for ratio in r['ratios'])}, {r['solved']} of {r['seeds']} seeds solved"
        )
        if r["beyond_seconds"] > 0:
            lines.append(f"  {'':22} at most 1.4 x optimizer seconds + {r['beyond_seconds']:.2f} s")
    lines.append(f"  The command line's wall time includes importing torch: {results['import_torch_seconds']:.2f} s")
    return lines


def in_the_app(config: RunConfig) -> Timed:
    """A run at full speed in a worker of a warm fork server, until the server knows that it has ended."""
    start, run = time.perf_counter(), Run(RunMetadata(config=config))
    run.begin()
    while not run.ended:
        time.sleep(0.005)
    return Timed(time.perf_counter() - start, run.last()["seconds"], run.status == "solved")


def on_the_command_line(config: RunConfig) -> Timed:
    """All of `python -m playground train`, from a cold start until its checkpoint is written."""
    with tempfile.TemporaryDirectory() as folder:
        settings = Path(folder, "settings.json")
        settings.write_text(config.model_dump_json(), "utf-8")
        command = [
            "-m",
            "playground",
            "train",
            "--json",
            "--config",
            str(settings),
            "--out",
            str(Path(folder, "model")),
        ]
        start = time.perf_counter()
        output = subprocess.run([sys.executable, *command], cwd=REPOSITORY, check=True, capture_output=True)
        clock = time.perf_counter() - start
    summary = json.loads(output.stdout.splitlines()[-1])
    return Timed(clock, summary["optimizer_seconds"], summary["solved_at_step"] is not None)


def _summary(way: Callable[[RunConfig], Timed], config: RunConfig, seeds: int) -> dict[str, Any]:
    timed = [way(config.updated({"seed": seed})) for seed in range(seeds)]
    return {
        "clock_seconds": statistics.median(each.clock for each in timed),
        "optimizer_seconds": statistics.median(each.optimizer for each in timed),
        "ratios": [each.clock / each.optimizer for each in timed],
        "beyond_seconds": max(each.clock - 1.4 * each.optimizer for each in timed),
        "solved": sum(each.solved for each in timed),
        "seeds": seeds,
    }


def _seconds_of(*arguments: str) -> float:
    start = time.perf_counter()
    subprocess.run([sys.executable, *arguments], cwd=REPOSITORY, check=True)
    return time.perf_counter() - start
