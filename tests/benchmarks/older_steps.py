"""`python -m tests.benchmarks.older_steps FOLDER`: a step of this code beside that of another checkout, in turns.

FOLDER is a working tree of the other commit: `git worktree add FOLDER COMMIT`.
"""

import argparse
import statistics
import subprocess
import sys
from pathlib import Path

from playground.recording import REPOSITORY

PAIRS, STEPS = 200, 8
WORKER = f"""
import sys, time, torch
torch.set_num_threads(1)
from playground.model.task_model import TaskModel
from playground.settings.presets import DEFAULT_PRESET, PRESETS
from playground.training.step import OptimizerSteps
config = PRESETS[sys.argv[1]].config
trained = OptimizerSteps(config, TaskModel(config))
for _ in sys.stdin:
    start = time.process_time()
    for _ in range({STEPS}):
        for _ in trained.parts():
            pass
    print(time.process_time() - start, flush=True)
"""


def ratios(other: Path, preset: str) -> list[float]:
    """CPU time of some steps of this code over that of the other code, for each pair."""
    workers = [
        subprocess.Popen(
            [sys.executable, "-c", WORKER, preset], cwd=folder, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        for folder in (REPOSITORY, other)
    ]
    found = []
    for pair in range(PAIRS + 3):
        seconds = {}
        for worker in workers if pair % 2 else workers[::-1]:
            assert worker.stdin
            assert worker.stdout
            worker.stdin.write("\n")
            worker.stdin.flush()
            seconds[worker] = float(worker.stdout.readline())
        if pair >= 3:  # the first pairs are slower
            found.append(seconds[workers[0]] / seconds[workers[1]])
    for worker in workers:
        worker.communicate()
    return found


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.older_steps", description=__doc__)
    parser.add_argument("folder", type=Path, help="a working tree of the other commit")
    parser.add_argument("--preset", default="quick-reverse", help="name of the preset whose steps are taken")
    given = parser.parse_args()
    found = sorted(ratios(given.folder.resolve(), given.preset))
    low, middle, high = found[len(found) // 4], statistics.median(found), found[3 * len(found) // 4]
    print(f"{given.preset}: this code takes {middle:.3f} times as long (quartiles {low:.3f} and {high:.3f})")


if __name__ == "__main__":
    main()
