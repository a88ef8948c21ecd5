"""The formats of export, a row each: form, command line and documents read them.

To add one: its module here, with a function `content`, and its row.
"""

import importlib.util
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from typing import Any

from playground.decoding.long_inputs import settings_for, stretched
from playground.explain.inspection import Walk, walk
from playground.interpret.sites import named
from playground.settings.config import ModelConfig, RunConfig
from playground.storage.checkpoint import Checkpoint

ATTENTION, ARCHITECTURE = "attention", "architecture"


@dataclass(frozen=True)
class NamedFigure:
    """A figure with a name of its own; every other name of a figure is that of an operation."""

    title: str
    module: str  # in this room; its `function` returns from the `Export` a Vega-Lite specification, or an SVG as text
    function: str
    reads: bool = False  # a forward pass, and so an input
    tests: Callable[[RunConfig], int] = lambda config: 0  # how often it answers all held-out inputs

    def drawing(self, export: "Export") -> dict[str, Any] | str:
        """The specification or the SVG; raises `playground.common.errors.PlaygroundError`."""
        drawing: dict[str, Any] | str = getattr(import_module(f"playground.export.{self.module}"), self.function)(
            export
        )
        return drawing


FIGURES = {
    ATTENTION: NamedFigure("All heads", "figure", "attention", reads=True),
    ARCHITECTURE: NamedFigure("Architecture", "figure", "architecture"),
    "training": NamedFigure("Training curves", "measured_figures", "training"),
    "ablation": NamedFigure(
        "Each part switched off",
        "measured_figures",
        "ablation",
        tests=lambda config: 4 + len(named(config, "head")) + len(named(config, "sublayer")),
    ),
    "lengths": NamedFigure("Exact match by length", "measured_figures", "lengths", tests=lambda config: 3),
    "roles": NamedFigure("Roles of heads", "measured_figures", "roles", tests=lambda config: 1),
}
"""By the names of the command line."""


@dataclass(frozen=True)
class Export:
    """The content of an export."""

    checkpoint: Checkpoint
    text: str  # the input of the pass
    target: str | None  # what the decoder reads; None: the model's own answer
    figure: str  # for the format "figure": a name in `FIGURES`, or that of an operation
    suffix: str  # of the file, for example ".svg"

    @cached_property
    def walk(self) -> Walk:
        """The pass, of a longer model if the input is longer than in training; raises `playground.InputError`."""
        model = self.checkpoint.model
        return walk(stretched(model, settings_for(model.config, self.text)), self.text, self.target)

    @property
    def whole(self) -> "Export":
        """For a format that decides itself what it needs."""
        return self


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
        """True if it needs a forward pass, and so an input; see also `reads`."""
        return not {"walk", "whole"}.isdisjoint(self.of)

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
        "A report: training, examples, each part switched off, lengths, heads, architecture and settings",
        (".html",),
        "report",
        ("whole",),
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
        "A picture of heads, of one tensor, of the architecture, or of what was measured",
        (".svg", ".png", ".pdf"),
        "figure",
        ("whole",),
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
        "GPT-2 or Llama (Transformers)",
        "A decoder-only model as GPT-2 or Llama of Hugging Face Transformers, compared with PyTorch",
        (".zip", ""),
        "twins.transformers_model",
        ("checkpoint",),
        packages=("transformers",),
        only="decoder-only",
    ),
    "transformer-lens": Format(
        "HookedTransformer (TransformerLens)",
        "A decoder-only model as a HookedTransformer of TransformerLens, compared with PyTorch",
        (".zip", ""),
        "twins.hooked",
        ("checkpoint",),
        packages=("transformer_lens<4",),
        only="decoder-only",
    ),
}
"""By the names of the command line."""

FOLDERS = tuple(name for name, format in FORMATS.items() if "" in format.suffixes)


def reads(format: str, figure: str = ATTENTION) -> bool:
    """True if a file of this format, and of this figure, needs a forward pass, and so an input."""
    return FORMATS[format].reads and (format != "figure" or figure not in FIGURES or FIGURES[figure].reads)


def tests_needed(format: str, figure: str, config: RunConfig) -> int:
    """How often the model answers all held-out inputs for a file of this format."""
    drawn = (
        FIGURES.values() if format == "html" else [FIGURES[figure]] if format == "figure" and figure in FIGURES else []
    )
    return sum(each.tests(config) for each in drawn)


def listed() -> str:
    """All formats with their endings, in a line: "json .json, ..., transformers .zip or nothing (a folder)"."""
    return ", ".join(f"{name} ({format.endings})" for name, format in FORMATS.items())
