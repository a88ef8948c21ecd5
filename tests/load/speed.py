"""What the app costs a training at full speed: the same steps in the app, with its charts, and in a bare loop."""

import asyncio
import json
import statistics
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import psutil

from playground.config import RunConfig
from playground.recording import REPOSITORY
from tests.load.app import App
from tests.load.client import Visitor
from tests.load.figures import Report
from tests.load.scenarios import ENDED, Options, leave, prepare, state, warm

STEPS = 2000
"""At least; fewer would measure the start."""

PATIENCE = 1800
"""Seconds that a run may take on a busy machine."""

BARE = """
import json, os, sys, time, torch
from playground.config import RunConfig
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
"""The bare loop, with the priority of a worker, so that a busy machine gives both the same share."""


async def speed(app: App, options: Options) -> Report:
    """One trains at full speed and looks on; the bare loop does the same, in turns."""
    steps, report = max(STEPS, options.steps), Report()
    await warm(app, report)
    walls, processors = [], []
    visitor = Visitor(app.address, timeout=PATIENCE)
    await visitor.open()
    await prepare(visitor, steps=steps)
    for _ in range(options.sessions or 3):
        wall, processor, config = await _in_the_app(app, visitor)
        bare = await asyncio.to_thread(_bare, config)
        walls.append(bare[0] / wall)
        processors.append(bare[1] / processor)
        report.add(f"{steps:,} steps bare", steps / bare[0], "steps/s")
        report.add(f"{steps:,} steps in the app", steps / wall, "steps/s")
    report.add("speed in the app / bare", statistics.median(walls), "", 0.95, at_least=True)
    report.add("the same by processor time", statistics.median(processors), "", 0.95, at_least=True)
    return await leave(report, [visitor])


async def _in_the_app(app: App, visitor: Visitor) -> tuple[float, float, RunConfig]:
    """Seconds on the clock, seconds of the processor, and the settings of a run from the press of Train to its end."""
    known = set(app.folder.glob(".visitors/*/runs/*"))
    await visitor.click("Train")
    processor = await _processor_seconds(app)
    await visitor.until(lambda: state(visitor) in ENDED)
    (folder,) = set(app.folder.glob(".visitors/*/runs/*")) - known
    about = json.loads((folder / "run.json").read_text())
    wall = (folder / "state.safetensors").stat().st_mtime - about["started"]
    return wall, processor, RunConfig.parse(about["config"])


async def _processor_seconds(app: App) -> float:
    """What the worker has taken when it ends, seen at short intervals."""
    worker, taken = await _worker(app), 0.0
    with suppress(psutil.NoSuchProcess):
        while True:
            taken = sum(worker.cpu_times()[:2])
            await asyncio.sleep(0.02)
    return taken


async def _worker(app: App) -> psutil.Process:
    """The newest process that the fork server has started."""
    while True:
        found = [each for child in psutil.Process(app.pid).children() for each in child.children()]
        if found:
            return max(found, key=lambda process: process.pid)
        await asyncio.sleep(0.02)


def _bare(config: RunConfig) -> tuple[float, float]:
    """Seconds on the clock and of the processor."""
    began = time.perf_counter()
    told = subprocess.run(
        [sys.executable, "-c", BARE, config.model_dump_json()],
        cwd=Path(REPOSITORY),
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    wall, processor = map(float, told.split())
    assert wall <= time.perf_counter() - began
    return wall, processor
