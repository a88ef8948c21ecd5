"""Overhead of the app at full speed: the same steps in the app, with charts, and in a bare loop."""

import asyncio
import json
import statistics
from contextlib import suppress

import psutil

from playground.settings.config import RunConfig
from tests.load.app import App
from tests.load.bare import bare
from tests.load.client import Visitor
from tests.load.figures import Report
from tests.load.scenarios import ENDED, Options, leave, prepare, state, warm

STEPS = 2000
"""Minimum number of steps; fewer would measure the start."""

PATIENCE = 1800
"""Timeout of a run on a busy machine, in seconds."""


async def speed(app: App, options: Options) -> Report:
    """A visitor trains at full speed and watches, in alternation with the bare loop."""
    steps, report = max(STEPS, options.steps), Report()
    await warm(app, report)
    walls, processors = [], []
    visitor = Visitor(app.address, timeout=PATIENCE)
    await visitor.open()
    await prepare(visitor, steps=steps)
    for _ in range(options.sessions or 3):
        wall, processor, config = await _in_the_app(app, visitor)
        alone = await asyncio.to_thread(bare, config)
        walls.append(alone[0] / wall)
        processors.append(alone[1] / processor)
        report.add(f"{steps:,} steps bare", steps / alone[0], "steps/s")
        report.add(f"{steps:,} steps in the app", steps / wall, "steps/s")
    report.add("speed in the app / bare", statistics.median(walls), "", 0.95, at_least=True)
    report.add("the same by processor time", statistics.median(processors), "", 0.95, at_least=True)
    return await leave(report, [visitor])


async def _in_the_app(app: App, visitor: Visitor) -> tuple[float, float, RunConfig]:
    """Wall time, CPU time and settings of a run from the press of Train to its end."""
    known = set(app.folder.glob(".visitors/*/runs/*"))
    await visitor.click("Train")
    processor = await _processor_seconds(app)
    await visitor.until(lambda: state(visitor) in ENDED)
    (folder,) = set(app.folder.glob(".visitors/*/runs/*")) - known
    about = json.loads((folder / "run.json").read_text())
    wall = (folder / "state.safetensors").stat().st_mtime - about["started"]
    return wall, processor, RunConfig.parse(about["config"])


async def _processor_seconds(app: App) -> float:
    """CPU time of the worker, sampled at short intervals until it ends."""
    worker, taken = await _worker(app), 0.0
    with suppress(psutil.NoSuchProcess):
        while True:
            taken = sum(worker.cpu_times()[:2])
            await asyncio.sleep(0.02)
    return taken


async def _worker(app: App) -> psutil.Process:
    """The newest child process of the fork server."""
    while True:
        found = [each for child in psutil.Process(app.pid).children() for each in child.children()]
        if found:
            return max(found, key=lambda process: process.pid)
        await asyncio.sleep(0.02)
