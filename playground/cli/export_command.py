"""`python -m playground export`."""

from pathlib import Path
from typing import Annotated

import typer

from playground import export as formats
from playground.cli.commands import CheckpointFolder, UsageError, app, note, path, plain_errors, progress
from playground.decoding.long_inputs import untrained_input
from playground.interpret.kept_circuit import is_circuit
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
        typer.Option(
            "--out",
            parser=path,
            help="File to write, or a new folder. An existing file is replaced, unless it is a circuit.",
        ),
    ],
    text: Annotated[
        str | None,
        typer.Option("--input", help="Input of the pass. Default: an example. A format of the model alone ignores it."),
    ] = None,
    target: Annotated[
        str | None, typer.Option(help="Target the decoder reads. Default: the model's own answer.")
    ] = None,
    figure: Annotated[
        str,
        typer.Option("--figure", help=f"For figures: {', '.join(formats.FIGURES)}, or the name of an operation."),
    ] = "attention",
) -> None:
    """Write a checkpoint or one of its forward passes as a file for other tools."""
    with plain_errors(), progress() as bar:
        if is_circuit(out):
            raise UsageError(f"{out} is a circuit, which no export replaces.", "Choose another file.")
        loaded = checkpoint.load(folder)
        if format in formats.FORMATS and not formats.reads(format, figure):
            what = f"figure {figure}" if format == "figure" else f"format {format}"
            for option, value in (("--input", text), ("--target", target)):
                note(
                    f"The {what} reads no {option.removeprefix('--')}. {option} is ignored."
                    if value is not None
                    else ""
                )
            text = target = None
        if text is not None:
            note(changed_input(text, loaded.config.task))
            note(untrained_input(loaded.config, text))
        bar(f"Export {format}", None)
        about = formats.write(loaded, format, out, text=text, target=target, figure=figure)
    if about:
        print(about)
