"""Live parts of lessons: functions from controls to outputs. Pages draw both; nothing here knows a screen.

@live(width=Slider("Head width d_k", 1, 256, 64))
def variance(seed: int, width: int) -> list[Output]:
    return [Numbers("Variance of q·k", ...)]
"""

import inspect
import textwrap
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from threading import Lock
from typing import Any, Literal

import torch
from torch import Tensor

from playground.explain.inspection import Walk
from playground.explain.inspection import walk as walk_through
from playground.model.task_model import TaskModel
from playground.recording import REPOSITORY
from playground.storage.checkpoint import load


@dataclass(frozen=True)
class Slider:
    """A number between two bounds; whole if `low` is. `start` may depend on the seed."""

    label: str
    low: float
    high: float
    start: float | Callable[[int], float]
    step: float = 1
    help: str = ""

    @property
    def extremes(self) -> tuple[Any, ...]:
        """Values that a test tries."""
        return self.low, self.high

    def fit(self, value: Any) -> float:
        """A value of a widget, within the bounds."""
        return min(max(type(self.low)(value), self.low), self.high)


@dataclass(frozen=True)
class Choice:
    """One of a few options."""

    label: str
    options: tuple[str, ...]
    help: str = ""

    @property
    def start(self) -> str:
        return self.options[0]

    @property
    def extremes(self) -> tuple[Any, ...]:
        return self.options

    def fit(self, value: Any) -> str:
        return value if value in self.options else self.start


@dataclass(frozen=True)
class Toggle:
    """On or off."""

    label: str
    start: bool = False
    help: str = ""

    @property
    def extremes(self) -> tuple[Any, ...]:
        return True, False

    def fit(self, value: Any) -> bool:
        return bool(value)


@dataclass(frozen=True)
class TableInput:
    """A table of numbers that a person edits, one row for each name. `make` returns what it begins with for a seed."""

    label: str
    make: Callable[[int], Tensor]
    rows: tuple[str, ...]
    bound: float = 100.0
    help: str = ""

    @property
    def extremes(self) -> tuple[Any, ...]:
        shape = self.make(0)
        return tuple(torch.full_like(shape, value).tolist() for value in (-self.bound, 0, self.bound))

    def fit(self, value: Any) -> Tensor:
        """The numbers of the table: an empty cell is 0, others are kept within the bound."""
        cells = torch.tensor([[float("nan") if cell is None else float(cell) for cell in row] for row in value])
        return cells.nan_to_num(0, self.bound, -self.bound).clamp(-self.bound, self.bound)


Control = Slider | Choice | Toggle | TableInput


@dataclass(frozen=True)
class Numbers:
    """A tensor of one, two or three axes; three are drawn as a row of matrices, such as heads.

    `dims` are letters of the axes; an axis that is shown in part has none, because a letter stands for its size. `rows`
    and `columns` name their indices. Numbers may be nan.
    """

    title: str
    values: Tensor
    dims: tuple[str, ...] = ("", "")
    rows: Sequence[str] = ()
    columns: Sequence[str] = ()
    kind: Literal["signed", "probability", "mask"] = "signed"
    digits: int = 2
    names: Sequence[str] = ()  # of the matrices, where there are several


@dataclass(frozen=True)
class Curves:
    """Lines over a common axis; a value that is not finite interrupts its line."""

    title: str
    x: str
    y: str
    points: Sequence[float]
    lines: Mapping[str, Sequence[float]]
    log_x: bool = False
    log_y: bool = False
    marks: bool = False  # a dot at each value
    shares: bool = False  # values from 0 to 1, written as percent
    bands: Mapping[str, Sequence[tuple[float, float]]] = field(default_factory=dict)  # around lines: an interval each


@dataclass(frozen=True)
class Table:
    """Rows of text and numbers."""

    head: Sequence[str]
    rows: Sequence[Sequence[str]]


@dataclass(frozen=True)
class Code:
    """Source text that ran, and where it stands."""

    text: str
    where: str = ""


@dataclass(frozen=True)
class Tokens:
    """A sequence of tokens; `right` marks those that differ."""

    title: str
    names: Sequence[str]
    right: Sequence[str] | None = None


@dataclass(frozen=True)
class Strip:
    """A row of cells, such as a tensor's numbers in memory; neighbours of one group stand in a box under its name."""

    title: str
    cells: Sequence[str]
    groups: Sequence[str]  # of each cell
    colours: Sequence[int]  # of each cell: what has one number in several strips has one colour


@dataclass(frozen=True)
class Sentence:
    """A computed statement, in Markdown of the lesson's own."""

    text: str


@dataclass(frozen=True)
class OperationLink:
    """An operation of a shipped model's pass: formula, statement and tensor; a click opens it in Step through."""

    model: str  # name of the checkpoint
    input: str
    tap: str


Output = Numbers | Curves | Table | Code | Tokens | Strip | Sentence | OperationLink


@dataclass(frozen=True)
class Live:
    """A live part: its controls, and the function from their values to what is shown."""

    function: Callable[..., Sequence[Output]]
    controls: Mapping[str, Control] = field(default_factory=dict)

    def __call__(self, seed: int, **values: Any) -> Sequence[Output]:
        """The outputs for a seed and values of the controls; those not given stand at their start."""
        begin = self.start(seed)
        return self.function(
            seed, **{name: control.fit(values.get(name, begin[name])) for name, control in self.controls.items()}
        )

    def start(self, seed: int) -> dict[str, Any]:
        """The values of the controls before anybody changes them."""
        begin: dict[str, Any] = {}
        for name, control in self.controls.items():
            start = control.make(seed).tolist() if isinstance(control, TableInput) else control.start
            begin[name] = start(seed) if callable(start) else start
        return begin


def code_of(function: Callable[..., Any]) -> Code:
    """The source of a function or class of this project, and where it stands."""
    file, (lines, first) = inspect.getsourcefile(function), inspect.getsourcelines(function)
    assert file is not None
    where = f"{function.__qualname__} · {Path(file).relative_to(REPOSITORY).as_posix()}:{first}"
    return Code(textwrap.dedent("".join(lines)).rstrip(), where)


def live(**controls: Control) -> Callable[[Callable[..., Sequence[Output]]], Live]:
    """Makes a function of a seed and these controls a live part."""
    return lambda function: Live(function, controls)


def shown(value: float, digits: int = 2) -> str:
    """A number of a table or a sentence, with a minus sign that is one."""
    text = f"{value:.{digits}f}"
    return text.replace("-", "−") if float(text) else text.replace("-", "")


@lru_cache(maxsize=8)
@torch.inference_mode(False)
def shipped(name: str) -> TaskModel:
    """The model of a checkpoint that comes with the app; not to be changed, since all visitors share it."""
    return load(REPOSITORY / "checkpoints" / name).model


@lru_cache(maxsize=32)
@torch.inference_mode(False)
def pass_of(name: str, text: str, target: str | None = None) -> Walk:
    """A recorded pass of a shipped model over an input such as "3 1 4"; without `target` it reads its own answer."""
    return walk_through(shipped(name), text, target)


def generator(seed: int) -> torch.Generator:
    """Random numbers of a lesson; the global ones belong to nobody."""
    return torch.Generator().manual_seed(seed)


_only_one = Lock()


@contextmanager
def own_randomness(seed: int) -> Iterator[None]:
    """Gives the modules that accept no generator (dropout, new layers) random numbers of a seed.

    The global random numbers are the same afterwards as before. One thread at a time.
    """
    with _only_one, torch.random.fork_rng(devices=[]):
        torch.default_generator.manual_seed(seed)
        yield
