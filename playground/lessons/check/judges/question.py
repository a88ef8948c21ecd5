"""A pass that is judged, and what it shows: no weight is copied and no name is read."""

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any

import torch
from torch import Tensor

from playground.lessons.check.code.student_code import Sizes
from playground.lessons.check.graph.traced_attention import UnclearError
from playground.lessons.check.graph.traced_positions import SEQUENCE, constant
from playground.recording import REPOSITORY, Node, Trace, TracedTensor
from playground.recording.notebook_cells import line_in_words

TOLERANCE = 2e-4
"""Of numbers, relative to the largest one or 1."""


@dataclass(frozen=True)
class Judgement:
    """What a pass shows."""

    cause: str | None  # None: right
    node: Node | None = None  # where the mistake is made
    remarks: tuple[str, ...] = ()
    agrees: tuple[str, ...] = ()  # what is right before it
    numbers: tuple[float, float] | None = None  # the first that differ: yours, and by the formula
    problem: str = ""  # a sentence on the mistake, which may have no name

    @property
    def difference(self) -> float | None:
        """Of the first numbers that differ."""
        return None if self.numbers is None else abs(self.numbers[0] - self.numbers[1])

    @property
    def where(self) -> str | None:
        """The line and the expression of the mistake."""
        if self.node is None:
            return None
        yours_and_right = " (yours {:.3g}, by the formula {:.3g})".format(*self.numbers) if self.numbers else ""
        return place_of(self.node) + yours_and_right or None


def place_of(node: Node) -> str:
    """The line and the expression of a node."""
    line = line_of(node)
    return (f"{line}: " if line else "") + (node.expression or node.source.code)


def line_of(node: Node) -> str:
    """Its line in words; "" if there is none."""
    source = node.source
    return line_in_words(str(REPOSITORY / source.file), source.line) if source.line else ""


def first_difference(yours: Tensor | None, right: Tensor | None) -> tuple[float, float] | None:
    """The first numbers that differ; None if there are none, or they weren't kept."""
    if yours is None or right is None or yours.shape != right.shape:
        return None
    differ = (~torch.isclose(yours.float(), right.float(), rtol=1e-3, atol=1e-4)).flatten().nonzero()
    if not len(differ):
        return None
    return float(yours.flatten()[differ[0]]), float(right.flatten()[differ[0]])


def are_equal(yours: Tensor, right: Tensor) -> bool:
    """True if all numbers are equal within `TOLERANCE`."""
    if yours.shape != right.shape:
        return False
    largest = max(1.0, float(right.abs().max()))
    return bool(((yours.float() - right.float()).abs() <= TOLERANCE * largest).all())


class ShapeError(UnclearError):
    """No output has the expected shape; the message is a sentence about it."""


@dataclass(frozen=True)
class Question:
    """A pass, and what is known about its inputs."""

    trace: Trace
    axes: Mapping[str, str]  # of each input with numbers for positions: b, t or s, d in its order
    visible: Tensor  # (B, T, S): True where a query should see a key
    memory_visible: Tensor | None = None  # the same for cross-attention
    sizes: Sizes = field(default_factory=Sizes)
    knows_padding: bool = False  # the code has a setting for it
    words: str = ""  # name and docstrings, lower case
    is_function: bool = False

    @property
    def width(self) -> int:
        """Features of a position: d_model."""
        name, axes = next(iter(self.axes.items()))
        shape = self.trace.inputs[name].shape
        if "d" in axes:
            return shape[axes.index("d")]
        return shape[-1] * (shape[axes.index("h")] if "h" in axes else 1)

    def any_output(self) -> tuple[str, TracedTensor]:
        """An input that asks and the output with its shape, the usual one first; raises `ShapeError`."""
        names = sorted(
            (name for name, axes in self.axes.items() if {*axes} & {*"ts"}), key=lambda name: "s" in self.axes[name]
        )
        for name in names[1:]:
            try:
                return names[0], self.output(names[0])
            except ShapeError:
                with suppress(ShapeError):
                    return name, self.output(name)
        return names[0], self.output(names[0])

    def output(self, name: str) -> TracedTensor:
        """The output with the shape of an input; raises `ShapeError`."""
        shape = self.trace.inputs[name].shape
        outputs = [value for value in self.trace.outputs.values() if not constant(value)]
        found = next((value for value in outputs if value.shape == shape), None)
        if not outputs:
            raise UnclearError("No output of your code is computed from its input in a way that the check can follow.")
        if found is None:
            got = " and ".join(str(value.shape) for value in outputs)
            letters = ", ".join(self.axes[name].upper())
            raise ShapeError(f"Your output has shape {got} where shape ({letters}) = {shape} is expected.")
        return found

    def given(self) -> dict[TracedTensor, Tensor]:
        """The positions of the inputs."""
        return {self.trace.inputs[name]: _positions(self.trace.inputs[name], axes) for name, axes in self.axes.items()}


def as_parameters(trace: Trace, names: set[str]) -> None:
    """Makes inputs of a pass that are weights, or tables of positions, parameters of it."""
    for value in trace.values:
        weights = {name for name in value.inputs if name.partition(".")[0] in names}
        value.inputs, value.parameters = value.inputs - weights, value.parameters | weights


def find_embeddings(trace: Trace) -> None:
    """Puts an embedding in the place of each call that reads rows of a table by numbers of the input: table[tokens]."""
    for node in list(trace.nodes):
        if node.function not in ("getitem", "index_select", "take"):
            continue
        table, index = node.arguments[0], node.arguments[-1]
        index = index[0] if isinstance(index, tuple) and len(index) == 1 else index
        if not constant(table) or _is_empty(table):
            continue
        if isinstance(index, TracedTensor) and index.dtype == "int64" and not constant(index):
            found = replace(node, function="embedding", arguments=(index, table), named={})
            trace.nodes[node.index] = node.output.node = found


def _is_empty(table: Any) -> bool:
    """True for zeros, to which the results of experts are added."""
    return isinstance(table, TracedTensor) and table.tensor is not None and not bool((table.tensor != 0).any())


def _positions(value: TracedTensor, axes: str) -> Tensor:
    index = torch.arange(max(value.shape))
    found = torch.zeros(value.shape, dtype=torch.long)
    for axis, letter in enumerate(axes):
        if letter in "bts":
            along = index[: value.shape[axis]] * (SEQUENCE if letter == "b" else 1)
            found = found + along.reshape([-1 if other == axis else 1 for other in range(len(value.shape))])
    return found
