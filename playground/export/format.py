"""The formats of export, a row each: form, command line and documents read them.

To add one: its module here, with a function `content`, and its row.
"""

import importlib.util
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from typing import Any

from playground.explain.inspection import Walk, walk
from playground.settings.config import ModelConfig
from playground.storage.checkpoint import Checkpoint

ATTENTION, ARCHITECTURE = "attention", "architecture"
FIGURES = (ATTENTION, ARCHITECTURE)
"""Figures with a name of their own; every other name is that of an operation."""


@dataclass(frozen=True)
class Export:
    """The content of an export."""

    checkpoint: Checkpoint
    text: str  # the input of the pass
    target: str | None  # what the decoder reads; None: the model's own answer
    figure: str  # for the format "figure": one of `FIGURES`, or the name of an operation
    suffix: str  # of the file, for example ".svg"

    @cached_property
    def walk(self) -> Walk:
        """The pass; raises `playground.InputError`."""
        return walk(self.checkpoint.model, self.text, self.target)


@dataclass(frozen=True)
class Format:
    """One kind of file. Its module is imported when it is used: some need packages of their own."""

    title: str
    help: str
    suffixes: Sequence[str]  # allowed names of the file end with one of these; the first is the usual one, "" a folder
    module: str  # in this room; its `content` returns the file, or the file and a sentence about it
    of: Sequence[str]  # attributes of the `Export` that `content` gets
    packages: Sequence[str] = ()  # beside those of the project, as `pip install` takes them
    only: str = ""  # models that have such a file; the module's `check` raises `TwinError` for others

    @property
    def reads(self) -> bool:
        """True if it needs a forward pass, and so an input."""
        return "walk" in self.of

    @property
    def missing(self) -> str:
        """How to install the packages that are missing, in a sentence; empty if none is."""
        missing = [
            f'"{package}"' if "<" in package else package for package in self.packages if not _installed(package)
        ]
        return f"Run: python -m pip install {' '.join(missing)}" if missing else ""

    @property
    def endings(self) -> str:
        """The endings of its file names, in words."""
        return " or ".join(suffix or "nothing (a folder)" for suffix in self.suffixes)

    def content(self, export: Export) -> tuple[bytes, str]:
        """The file, and what there is to know about it in a sentence, often ""."""
        made = self._function("content")(*(getattr(export, field) for field in self.of))
        return made if isinstance(made, tuple) else (made, "")

    def check(self, settings: ModelConfig) -> None:
        """Raise `TwinError` for a model that has no such file."""
        if self.only:
            self._function("check")(settings)

    def _function(self, name: str) -> Callable[..., Any]:
        function: Callable[..., Any] = getattr(import_module(f"playground.export.{self.module}"), name)
        return function


def _installed(package: str) -> bool:
    return importlib.util.find_spec(package.partition("<")[0]) is not None


FORMATS = {
    "html": Format(
        "Report (HTML)",
        "A report: settings, architecture, training, examples and heads",
        (".html",),
        "report",
        ("checkpoint", "walk"),
        packages=("altair",),
    ),
    "attention-json": Format(
        "Attention weights (JSON)", "Tokens and attention weights of all heads", (".json",), "attention_json", ("walk",)
    ),
    "npz": Format("All tensors (NumPy)", "Every tensor of one pass, for NumPy", (".npz",), "pass_arrays", ("walk",)),
    "json": Format(
        "All operations (JSON)",
        "Every operation of one pass: formula, source statement and numbers",
        (".json",),
        "pass_json",
        ("walk",),
    ),
    "figure": Format(
        "Figure",
        "A picture of heads, of one tensor, or of the architecture",
        (".svg", ".png", ".pdf"),
        "figure",
        ("walk", "figure", "suffix"),
        packages=("altair",),
    ),
    "csv": Format(
        "Training history (CSV)",
        "Every number that the training recorded, as a table",
        (".csv",),
        "history_csv",
        ("checkpoint",),
    ),
    "script": Format(
        "Python script",
        "Python code that stands alone and repeats the training",
        (".py",),
        "script",
        ("checkpoint",),
    ),
    "notebook": Format(
        "Jupyter notebook",
        "The same code as a Jupyter notebook",
        (".ipynb",),
        "notebook",
        ("checkpoint",),
        packages=("nbformat",),
    ),
    "onnx": Format(
        "ONNX model",
        "The model for inference engines, compared with PyTorch",
        (".onnx",),
        "onnx_model",
        ("checkpoint",),
        packages=("onnx", "onnxruntime", "onnxscript"),
    ),
    "transformers": Format(
        "GPT-2 (Transformers)",
        "A decoder-only model as GPT-2 of Hugging Face Transformers, compared with PyTorch",
        (".zip", ""),
        "gpt2",
        ("checkpoint",),
        packages=("transformers",),
        only="decoder-only",
    ),
    "transformer-lens": Format(
        "HookedTransformer (TransformerLens)",
        "A decoder-only model as a HookedTransformer of TransformerLens, compared with PyTorch",
        (".zip", ""),
        "hooked",
        ("checkpoint",),
        packages=("transformer_lens<4",),
        only="decoder-only",
    ),
}
"""By the names of the command line."""

FOLDERS = tuple(name for name, format in FORMATS.items() if "" in format.suffixes)


def listed() -> str:
    """All formats with their endings, in a line: "json .json, ..., transformers .zip or nothing (a folder)"."""
    return ", ".join(f"{name} ({format.endings})" for name, format in FORMATS.items())
