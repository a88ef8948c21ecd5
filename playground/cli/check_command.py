"""`python -m playground check`."""

from pathlib import Path
from typing import Annotated, Literal

import typer

from playground.cli.commands import app
from playground.errors import one_line
from playground.lessons.check.checking import PARTS, as_json, check_file

Part = Literal[*PARTS]  # type: ignore[valid-type]

CODES = {"right": 0, "wrong": 1, "error": 2}


@app.command()
def check(
    file: Annotated[Path, typer.Argument(metavar="FILE.py", help="Your code.", show_default=False)],
    part: Annotated[Part, typer.Option("--part", help="What to check in it.")] = "attention",
    mask: Annotated[
        Literal["keep", "hide"] | None, typer.Option("--mask", help="What True in a mask does to a key.")
    ] = None,
    as_object: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Check your own PyTorch or NumPy code against the reference; it runs in a process of its own."""
    verdict = check_file(file, part, mask)
    if as_object:
        print(as_json(verdict))
    elif verdict.verdict == "error":
        typer.echo(f"Error: {one_line(verdict.message, 2000)}", err=True)
    else:
        print(verdict.message)
    raise typer.Exit(CODES[verdict.verdict])
