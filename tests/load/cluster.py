"""Overhead of a cluster: twenty runs on two nodes on this machine, and the same runs in local processes."""

import os
import tempfile
import time
from pathlib import Path

os.environ["RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER"] = "0"  # Ray reads this at import: listen on loopback only

from playground.processes import warm_up
from playground.runs import Runs
from playground.runs.backends import LOCAL, Backend, Cluster
from playground.settings.config import RunConfig
from playground.settings.host import Host
from playground.settings.presets import PRESETS
from tests.load.app import App
from tests.load.figures import Report
from tests.load.scenarios import Options

RUNS = 20
NODE = {"num_cpus": 1, "object_store_memory": 80_000_000, "node_ip_address": "127.0.0.1"}


async def cluster(_app: App, options: Options) -> Report:
    """Twenty runs on a Ray cluster of two nodes with one CPU each, compared with two local processes."""
    return _measured(options.steps)  # in this thread, because Ray sets signal handlers


def _measured(steps: int) -> Report:
    from ray.cluster_utils import Cluster as Machines

    report, base = Report(), PRESETS["quick-reverse"].config
    settings = {"training.steps": steps, "training.stop_when_solved": False}
    configs = [base.updated(settings | {"seed": seed}) for seed in range(RUNS)]
    warm_up()
    here = _seconds(LOCAL, configs)
    machines = Machines(initialize_head=True, head_node_args=NODE | {"include_dashboard": False})
    try:
        machines.add_node(**NODE)
        there = _seconds(Cluster(machines.address), configs)
    finally:
        machines.shutdown()
    report.add(f"{RUNS} runs of {steps:,} steps, two processes", here, "s")
    report.add("the same on two nodes, from a cold start", there, "s")
    report.add("throughput there / here", here / there, "", 0.9, at_least=True)
    return report


def _seconds(backend: Backend, configs: list[RunConfig]) -> float:
    """Seconds from the start of the first run to the end of the last."""
    with tempfile.TemporaryDirectory() as folder:
        runs = Runs(Host(checkpoints=Path(folder), workers=2), backend)
        runs.open()
        assert backend.settled(60), backend.problem
        began = time.perf_counter()
        started = runs.start_many("", configs, sweep="figures")
        ended = all(run.wait(timeout=3600) for run in started)
        seconds = time.perf_counter() - began
        assert ended, {run.status for run in started}
        runs.close()
    return seconds
