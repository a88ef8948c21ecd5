"""`python -m playground benchmark`."""

import json
from typing import Annotated

import typer
from rich.console import Console

from playground.cli.commands import app
from playground.experiments import benchmark as figures
from playground.experiments import task_times
from playground.tasks import TASKS


@app.command()
def benchmark(
    seeds: Annotated[int, typer.Option(min=1, max=100, help="Number of seeds per recipe.")] = 5,
    peer_seeds: Annotated[int, typer.Option(min=1, max=100, help="Number of seeds per peer recipe.")] = 1,
    task: Annotated[str, typer.Option(help="Measure the presets of this task alone, until they are solved.")] = "",
    as_object: Annotated[bool, typer.Option("--json", help="Print one JSON object instead of tables.")] = False,
) -> None:
    """Measure training times on this machine and compare them with peer recipes."""
    log = Console(stderr=True).print
    if task and task not in TASKS:
        raise typer.BadParameter(f"{task} is not a task. Use one of {', '.join(TASKS)}.", param_hint="--task")
    if task:
        times = task_times.measure(task, seeds, log=log)
        print(json.dumps(times) if as_object else task_times.as_text(times))
        return
    results = figures.run(seeds, peer_seeds, log=log)
    print(json.dumps(results) if as_object else figures.as_text(results))
