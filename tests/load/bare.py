"""Training without the app, as the baseline."""

import subprocess
import sys
import time
from pathlib import Path

from playground.recording import REPOSITORY
from playground.settings.config import RunConfig

BARE = """
import json, os, sys, time, torch
from playground.settings.config import RunConfig
from playground.training import train

torch.set_num_threads(1)
os.nice(10)
config = RunConfig.parse(json.loads(sys.argv[1]))
for _ in train(config.updated({"training.steps": 5})):
    pass
begin, cpu = time.perf_counter(), time.process_time()
records = [progress.record() for progress in train(config)]
print(time.perf_counter() - begin, time.process_time() - cpu)
"""
"""Run the bare loop with a worker's priority, so that a busy machine gives both the same CPU share."""


def bare(config: RunConfig) -> tuple[float, float]:
    """Wall time and CPU time in seconds."""
    began = time.perf_counter()
    output = subprocess.run(
        [sys.executable, "-c", BARE, config.model_dump_json()],
        cwd=Path(REPOSITORY),
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    wall, processor = map(float, output.split())
    assert wall <= time.perf_counter() - began
    return wall, processor
