"""`python -m playground benchmark`."""

import json
from typing import Annotated

import typer
from rich.console import Console

from playground.cli.commands import app
from playground.experiments import benchmark as figures


@app.command()
def benchmark(
    seeds: Annotated[int, typer.Option(min=1, max=100, help="Number of seeds per recipe.")] = 5,
    peer_seeds: Annotated[int, typer.Option(min=1, max=100, help="Number of seeds per peer recipe.")] = 1,
    as_object: Annotated[bool, typer.Option("--json", help="Print one JSON object instead of tables.")] = False,
) -> None:
    """Measure training times on this machine and compare them with peer recipes."""
    results = figures.run(seeds, peer_seeds, log=Console(stderr=True).print)
    print(json.dumps(results) if as_object else figures.as_text(results))
