"""`python -m playground inspect`."""

import json
import os
from contextlib import suppress
from pathlib import Path
from typing import Annotated

import typer

from playground.cli.commands import CheckpointFolder, Input, UsageError, app, plain_errors
from playground.inspection import as_json, walk
from playground.storage import checkpoint


@app.command()
def inspect(
    folder: CheckpointFolder,
    text: Input,
    out: Annotated[Path, typer.Option("--out", help="JSON file to write.")],
    target: Annotated[
        str | None, typer.Option(help="What the decoder reads instead of the model's own answer.")
    ] = None,
) -> None:
    """Write every operation of one forward pass, with formula, statement and numbers."""
    with plain_errors():
        loaded = checkpoint.load(folder)
        _write(out, json.dumps(as_json(walk(loaded.model, text, target)), allow_nan=False))


def _write(file: Path, text: str) -> None:
    """All of the file or nothing."""
    if not file.name:
        raise UsageError(f"--out {file} is a folder; name a file.")
    partial = file.with_name(f".{file.name}.{os.getpid()}.partial")
    try:
        try:
            partial.write_text(text)
            partial.replace(file)
        except BaseException:
            with suppress(OSError):
                partial.unlink()
            raise
    except OSError as error:
        raise UsageError(f"--out {file} could not be written: {error.strerror}.") from None
