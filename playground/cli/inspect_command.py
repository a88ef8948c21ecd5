"""`python -m playground inspect`."""

import json
from pathlib import Path
from typing import Annotated

import typer

from playground.cli.commands import CheckpointFolder, Input, UsageError, app, note, path, plain_errors
from playground.common.files import write_whole
from playground.decoding.long_inputs import settings_for, stretched, untrained
from playground.explain.inspection import as_json, walk
from playground.storage import checkpoint
from playground.tasks import changed_input, encode


@app.command()
def inspect(
    folder: CheckpointFolder,
    text: Input,
    out: Annotated[Path, typer.Option("--out", parser=path, help="JSON file to write.")],
    target: Annotated[
        str | None, typer.Option(help="Target the decoder reads. Default: the model's own answer.")
    ] = None,
) -> None:
    """Write every operation of one forward pass to a JSON file: formula, source statement and numbers."""
    with plain_errors():
        loaded = checkpoint.load(folder)
        note(changed_input(text, loaded.config.task))
        model = stretched(loaded.model, settings_for(loaded.config, text))
        note(untrained(loaded.config, encode(text, model.config.task)))
        _write(out, json.dumps(as_json(walk(model, text, target)), allow_nan=False))


def _write(file: Path, text: str) -> None:
    """Write a file atomically."""
    if not file.name:
        raise UsageError(f"--out {file} is a folder. Name a file.")
    try:
        write_whole(file, text.encode())
    except OSError as error:
        raise UsageError(f"--out {file} could not be written: {error.strerror}.") from None
