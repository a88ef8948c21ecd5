"""`python -m tests.load.crash`: how much of a run is lost when its server is killed.

Starts runs in a separate server process, kills it with SIGKILL, and compares its last reported steps with what the
next server finds. A benchmark, not a test; also prints the load of the machine.
"""

import argparse
import os
import random
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

from playground.runs import Runs
from playground.settings.config import RunConfig
from playground.settings.host import Host
from playground.settings.presets import PRESETS
from tests.load.app import busy
from tests.load.figures import quantile

ENDLESS = {"training.stop_when_solved": False, "training.steps": 100_000}
KINDS: dict[str, tuple[RunConfig, float | None]] = {
    "quick-reverse, 15 steps/s": (PRESETS["quick-reverse"].config.updated(ENDLESS), 15.0),
    "quick-reverse, full speed": (PRESETS["quick-reverse"].config.updated(ENDLESS), None),
    "tests every 1,000 steps": (
        PRESETS["quick-reverse"].config.updated(ENDLESS | {"training.eval_every": 1000}),
        None,
    ),
    "3 M parameters": (
        RunConfig().updated(ENDLESS | {"model.d_model": 192, "model.n_layers": 3, "model.d_ff": 768}),
        None,
    ),
}


def train(folder: Path) -> None:
    """A server with a run of each kind that reports their steps fifty times a second."""
    runs = Runs(Host(checkpoints=folder))
    started = {name: runs.start(name.replace(" ", "-"), *kind) for name, kind in KINDS.items()}
    while True:
        print(time.monotonic(), *(run.step for run in started.values()), flush=True)
        time.sleep(0.02)


def main() -> None:
    """Kill `--times` servers and print what their runs lost."""
    parser = argparse.ArgumentParser(prog="python -m tests.load.crash")
    parser.add_argument("--times", type=int, default=10)
    parser.add_argument("--folder", type=Path, help="of the server that is to be killed")
    given = parser.parse_args()
    if given.folder:
        train(given.folder)
    lost: dict[str, list[tuple[int, float]]] = {name: [] for name in KINDS}
    print(f"{given.times} kills, {len(KINDS)} runs at once ({busy()})")
    for _ in range(given.times):
        with tempfile.TemporaryDirectory() as folder:
            for name, loss in killed(Path(folder)).items():
                lost[name].append(loss)
    for name, losses in lost.items():
        steps, seconds = ([each[part] for each in losses] for part in (0, 1))
        print(
            f"{name:28} lost steps: median {quantile(steps, 0.5):,.0f}, most {max(steps):,}; "
            f"seconds: median {quantile(seconds, 0.5):.1f}, most {max(seconds):.1f}"
        )
    print(f"In the end: {busy()}.")


def killed(folder: Path) -> dict[str, tuple[int, float]]:
    """Loss of each run: steps, and seconds since it had reached the recovered step."""
    command = [sys.executable, "-m", "tests.load.crash", "--folder", str(folder)]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=os.environ)
    reported: list[list[float]] = []

    def listen() -> None:
        assert server.stdout is not None
        reported.extend([float(each) for each in line.split()] for line in server.stdout if line.endswith("\n"))

    thread = threading.Thread(target=listen)
    thread.start()
    while not (reported and min(reported[-1][1:]) >= 5):
        time.sleep(0.1)
    time.sleep(random.uniform(4, 8))
    server.kill()
    server.wait()
    thread.join()
    runs, losses = Runs(Host(checkpoints=folder)), {}
    last = reported[-1]
    for column, name in enumerate(KINDS, 1):
        run = runs.current(name.replace(" ", "-"))
        found = run.step if run else 0
        since = next(line[0] for line in reported if line[column] >= min(found, last[column]))
        losses[name] = max(0, int(last[column]) - found), max(0.0, last[0] - since)
    return losses


if __name__ == "__main__":
    main()
