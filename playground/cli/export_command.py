"""`python -m playground export`."""

from pathlib import Path
from typing import Annotated

import typer

from playground import export as formats
from playground.cli.commands import CheckpointFolder, app, note, path, plain_errors
from playground.storage import checkpoint
from playground.tasks import changed_input


@app.command()
def export(
    folder: CheckpointFolder,
    format: Annotated[
        str,
        typer.Option(
            "--format",
            metavar="FORMAT",
            help=f"One of these, with the ending of the file: {formats.listed()}.",
        ),
    ],
    out: Annotated[
        Path,
        typer.Option("--out", parser=path, help="File to write, or a new folder."),
    ],
    text: Annotated[
        str | None,
        typer.Option("--input", help="Input of the pass. Default: an example. A format of the model alone reads none."),
    ] = None,
    target: Annotated[
        str | None, typer.Option(help="Target the decoder reads. Default: the model's own answer.")
    ] = None,
    figure: Annotated[
        str, typer.Option("--figure", help="For figures: attention, architecture, or the name of an operation.")
    ] = "attention",
) -> None:
    """Write a checkpoint or one of its forward passes as a file for other tools."""
    with plain_errors():
        loaded = checkpoint.load(folder)
        note(changed_input(text or "", loaded.config.task))
        about = formats.write(loaded, format, out, text=text, target=target, figure=figure)
    if about:
        print(about)
