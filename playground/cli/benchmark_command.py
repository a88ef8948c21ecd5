"""`python -m playground benchmark`."""

import json
from typing import Annotated

import typer

from playground.cli.commands import app, progress
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
    if task and task not in TASKS:
        raise typer.BadParameter(f"{task} is not a task. Use one of {', '.join(TASKS)}.", param_hint="--task")
    with progress() as bar:

        def log(words: str) -> None:
            bar(words, None)

        measured = task_times.measure(task, seeds, log=log) if task else figures.run(seeds, peer_seeds, log=log)
    as_text = task_times.as_text if task else figures.as_text
    print(json.dumps(measured) if as_object else as_text(measured))
