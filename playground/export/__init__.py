"""Exports: a checkpoint, or one of its forward passes, as a file for other tools."""

import secrets
import sys
from collections.abc import Iterator, Sequence
from io import BytesIO
from pathlib import Path
from typing import Any
from zipfile import ZipFile

from playground.common.errors import PlaygroundError, one_line, sentences
from playground.common.files import write_whole, written_beside
from playground.decoding.long_inputs import untrained_input
from playground.export.attention_json import Attention
from playground.export.attention_json import load as load_attention
from playground.export.format import (
    ARCHITECTURE,
    ATTENTION,
    FIGURES,
    FOLDERS,
    FORMATS,
    Export,
    Format,
    listed,
    reads,
    tests_needed,
)
from playground.export.twins.twin import TwinError
from playground.storage.checkpoint import Checkpoint, load
from playground.tasks import example_text

__all__ = [
    "ARCHITECTURE",
    "ATTENTION",
    "FIGURES",
    "FOLDERS",
    "FORMATS",
    "Attention",
    "Export",
    "ExportError",
    "Format",
    "TwinError",
    "folders",
    "listed",
    "load_attention",
    "reads",
    "tests_needed",
    "write",
]


class ExportError(PlaygroundError, ValueError):
    """A format or a file that does not exist, or that does not fit."""


def write(
    checkpoint: Checkpoint,
    format: str,
    out: Path,
    *,
    text: str | None = None,
    target: str | None = None,
    figure: str = ATTENTION,
) -> str:
    """Write a checkpoint, or its pass over `text` (default: an example of its task), to a file, all or nothing.

    Returns what there is to know about the file, in a sentence, often "". Raises `ExportError` for an unknown format or
    figure and for a file that can't be written, and `playground.InputError` for an invalid input or target.
    """
    chosen = FORMATS.get(format)
    if chosen is None:
        raise ExportError(f"There is no format {format}. Choose one of {', '.join(FORMATS)}.")
    if out.suffix not in chosen.suffixes:
        raise ExportError(
            f"The name of a file in the format {format} must end with {chosen.endings}, not {out.name!r}."
        )
    if out.suffix == ".py" and out.stem in {*sys.stdlib_module_names, "torch"}:
        problem = f"Python would import {out.name} in place of its own module {out.stem}."
        raise ExportError(problem, "Choose another name.")
    given = [name for name, value in (("input", text), ("target", target)) if value is not None]
    if given and not reads(format, figure):
        what = f"figure {figure}" if chosen.reads else f"format {format}"
        raise ExportError(f"The {what} reads no {' and no '.join(given)}.", f"Omit {' and '.join(given)}.")
    if figure != ATTENTION and format != "figure":
        raise ExportError(f"The format {format} draws no figure {one_line(figure, 40)}.", "Use the format figure.")
    file, note = content(checkpoint, format, text=text, target=target, figure=figure, suffix=out.suffix)
    put(out, file)
    return note


def content(
    checkpoint: Checkpoint,
    format: str,
    *,
    text: str | None = None,
    target: str | None = None,
    figure: str = ATTENTION,
    suffix: str = "",
) -> tuple[bytes, str]:
    """The file that `write` writes, and the sentence that it returns; raises as `write` does."""
    chosen = FORMATS[format]
    if chosen.missing:
        raise ExportError(f"The format {format} needs packages that are not installed.", chosen.missing)
    given = example_text(checkpoint.config.task) if text is None else text
    return chosen.content(Export(checkpoint, given, target, figure, suffix or chosen.suffixes[0]))


def folders(checkpoint: Checkpoint, formats: Sequence[str]) -> dict[str, bytes]:
    """Files that a push can carry beside the model: `FORMAT/NAME` for every file of each format that is a folder.

    Raises `ExportError`, and `TwinError` for a model that a format can't express.
    """
    files: dict[str, bytes] = {}
    for format in formats:
        if format not in FOLDERS:
            raise ExportError(f"A push can carry {' and '.join(FOLDERS)}, not {one_line(format, 40)}.")
        with ZipFile(BytesIO(content(checkpoint, format)[0])) as packed:
            files |= {f"{format}/{name}": packed.read(name) for name in packed.namelist()}
    return files


def made(
    out: Path, max_bytes: int, folder: Path, format: str, text: str | None, figure: str, suffix: str
) -> Iterator[tuple[int, int, Any]]:
    """Write the file of `content` for a checkpoint into the folder `out`, under an unguessable name.

    The last of what it yields has that name and what there is to know about the file. Raises as `write` does, and
    `ExportError` for a file of more than `max_bytes` (0: any size).
    """
    yield 0, 1, None
    checkpoint = load(folder)
    file, note = content(checkpoint, format, text=text, figure=figure, suffix=suffix)
    if text is not None and reads(format, figure):
        note = sentences(untrained_input(checkpoint.config, text), note)
    if 0 < max_bytes < len(file):
        problem = f"The file has {len(file) / 1e6:,.0f} MB. The limit on this server is {max_bytes / 1e6:,.0f} MB."
        raise ExportError(problem, "Export it on your own machine with `python -m playground export`.")
    name = secrets.token_urlsafe(24)
    try:
        write_whole(out / name, file)
    except OSError as error:
        raise ExportError(f"The file could not be written: {error.strerror}.", "Try again later.") from None
    yield 1, 1, (name, note)


def put(out: Path, content: bytes) -> None:
    """Write a file, or what a zip file holds to a new folder, beside and rename it into place; raises `ExportError`."""
    try:
        if out.suffix:
            write_whole(out, content)
        else:
            with written_beside(out) as partial, ZipFile(BytesIO(content)) as packed:
                packed.extractall(partial)
    except OSError as error:
        raise ExportError(f"{out} could not be written: {error.strerror}.") from None
