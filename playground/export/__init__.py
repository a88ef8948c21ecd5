"""What a person takes home: a checkpoint or one of its forward passes, as a file for other tools."""

import importlib.util
import secrets
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from io import BytesIO
from pathlib import Path
from typing import Any
from zipfile import ZipFile

from playground.config import ModelConfig
from playground.errors import PlaygroundError, one_line
from playground.export import (
    attention_json,
    figure,
    gpt2,
    hooked,
    notebook,
    onnx_model,
    pass_arrays,
    pass_json,
    report,
    script,
)
from playground.export.attention_json import Attention
from playground.export.attention_json import load as load_attention
from playground.export.attention_json import plot as plot_attention
from playground.export.figure import ATTENTION, FIGURES
from playground.export.twin import TwinError
from playground.files import write_whole, written_beside
from playground.inspection import Walk, walk
from playground.storage.checkpoint import Checkpoint, load
from playground.tasks import example_text

__all__ = [
    "FIGURES",
    "FOLDERS",
    "FORMATS",
    "Attention",
    "Export",
    "ExportError",
    "Format",
    "TwinError",
    "folders",
    "load_attention",
    "plot_attention",
    "write",
]


class ExportError(PlaygroundError, ValueError):
    """A format or a file that does not exist, or that does not fit."""


@dataclass(frozen=True)
class Export:
    """What is exported."""

    checkpoint: Checkpoint
    text: str  # the input of the pass
    target: str | None  # what the decoder reads; None: the model's own answer
    figure: str  # for the format "figure": one of `FIGURES`, or the name of an operation
    suffix: str  # of the file, for example ".svg"
    notes: list[str] = field(default_factory=list)  # what a person learns beside the file, in sentences

    @cached_property
    def walk(self) -> Walk:
        """The pass; raises `playground.tasks.InputError`."""
        return walk(self.checkpoint.model, self.text, self.target)


@dataclass(frozen=True)
class Format:
    """One kind of file."""

    title: str
    words: str
    suffixes: Sequence[str]  # allowed names of the file end with one of these; the first is the usual one, "" a folder
    content: Callable[[Export], bytes]
    reads: bool = True  # an input
    packages: Sequence[str] = ()  # beside those of the project, as `pip install` takes them
    check: Callable[[ModelConfig], None] = lambda settings: None  # raises `TwinError` for a model that has no such file

    @property
    def missing(self) -> str:
        """How to install the packages that are missing, in a sentence; empty if none is."""
        missing = [f'"{each}"' if "<" in each else each for each in self.packages if not _installed(each)]
        return f"Run: python -m pip install {' '.join(missing)}" if missing else ""


def _installed(package: str) -> bool:
    return importlib.util.find_spec(package.partition("<")[0]) is not None


def _converted(export: Export, way: Callable[[Checkpoint], tuple[bytes, str]]) -> bytes:
    file, note = way(export.checkpoint)
    export.notes.append(note)
    return file


FORMATS = {
    "attention-json": Format(
        "Attention weights (JSON)",
        "Tokens and attention weights of all heads",
        (".json",),
        lambda it: attention_json.content(it.walk),
    ),
    "npz": Format(
        "All tensors (NumPy)", "Every tensor of one pass, for NumPy", (".npz",), lambda it: pass_arrays.content(it.walk)
    ),
    "json": Format(
        "All operations (JSON)",
        "Every operation of one pass: formula, source statement and numbers",
        (".json",),
        lambda it: pass_json.content(it.walk),
    ),
    "figure": Format(
        "Figure",
        "A picture of heads, of one tensor, or of the architecture",
        (".svg", ".png", ".pdf"),
        lambda it: figure.content(it.walk, it.figure, it.suffix),
    ),
    "html": Format(
        "Report (HTML)",
        "A report: settings, architecture, training, examples and heads",
        (".html",),
        lambda it: report.content(it.checkpoint, it.walk),
    ),
    "script": Format(
        "Python script",
        "Python code that stands alone and repeats the training",
        (".py",),
        lambda it: script.content(it.checkpoint),
        reads=False,
    ),
    "notebook": Format(
        "Jupyter notebook",
        "The same code as a Jupyter notebook",
        (".ipynb",),
        lambda it: notebook.content(it.checkpoint),
        reads=False,
        packages=("nbformat",),
    ),
    "onnx": Format(
        "ONNX model",
        "The model for inference engines, compared with PyTorch",
        (".onnx",),
        lambda it: _converted(it, onnx_model.content),
        reads=False,
        packages=("onnx", "onnxruntime", "onnxscript"),
    ),
    "transformers": Format(
        "GPT-2 (Transformers)",
        "A decoder-only model as GPT-2 of Hugging Face Transformers, compared with PyTorch",
        (".zip", ""),
        lambda it: _converted(it, gpt2.content),
        reads=False,
        packages=("transformers",),
        check=gpt2.check,
    ),
    "transformer-lens": Format(
        "HookedTransformer (TransformerLens)",
        "A decoder-only model as a HookedTransformer of TransformerLens, compared with PyTorch",
        (".zip", ""),
        lambda it: _converted(it, hooked.content),
        reads=False,
        packages=("transformer_lens<4",),
        check=hooked.check,
    ),
}
"""By the names of the command line."""
FOLDERS = tuple(name for name, each in FORMATS.items() if "" in each.suffixes)


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
    figure and for a file that can't be written, and `playground.tasks.InputError` for an invalid input or target.
    """
    chosen = FORMATS.get(format)
    if chosen is None:
        raise ExportError(f"There is no format {format}. Choose one of {', '.join(FORMATS)}.")
    if out.suffix not in chosen.suffixes:
        endings = " or ".join(each or "nothing (a folder)" for each in chosen.suffixes)
        raise ExportError(f"The name of a file in the format {format} must end with {endings}, not {out.name!r}.")
    if out.suffix == ".py" and out.stem in {*sys.stdlib_module_names, "torch"}:
        problem = f"Python would import {out.name} in place of its own module {out.stem}."
        raise ExportError(problem, "Choose another name.")
    given = [name for name, value in (("input", text), ("target", target)) if value is not None]
    if given and not chosen.reads:
        raise ExportError(f"The format {format} reads no {' and no '.join(given)}.", f"Omit {' and '.join(given)}.")
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
    export = Export(checkpoint, given, target, figure, suffix or chosen.suffixes[0])
    return chosen.content(export), " ".join(export.notes)


def folders(checkpoint: Checkpoint, formats: Sequence[str]) -> dict[str, bytes]:
    """Files that a push can carry beside the model: `FORMAT/NAME` for every file of each format that is a folder.

    Raises `ExportError`, and `TwinError` for a model that a format can't express.
    """
    found: dict[str, bytes] = {}
    for format in formats:
        if format not in FOLDERS:
            raise ExportError(f"A push can carry {' and '.join(FOLDERS)}, not {one_line(format, 40)}.")
        with ZipFile(BytesIO(content(checkpoint, format)[0])) as packed:
            found |= {f"{format}/{name}": packed.read(name) for name in packed.namelist()}
    return found


def made(
    out: Path, max_bytes: int, folder: Path, format: str, text: str | None, figure: str, suffix: str
) -> Iterator[tuple[int, int, Any]]:
    """Write the file of `content` for a checkpoint into the folder `out`, under an unguessable name.

    The last of what it yields has that name and what there is to know about the file. Raises as `write` does, and
    `ExportError` for a file of more than `max_bytes` (0: any size).
    """
    yield 0, 1, None
    file, note = content(load(folder), format, text=text, figure=figure, suffix=suffix)
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
