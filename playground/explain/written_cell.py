"""A declaration in the making: how a cell of a traced pass is computed, and which values it reads."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

import numpy as np
import torch

from playground.explain.cells import Cell, worked_out
from playground.explain.declaration import Declaration
from playground.explain.notation import Operand
from playground.recording import TracedTensor

LETTERS = "ijlmnpqu"
"""Of the axes of a result; b and v are left out, since they count from 0."""

SUMMED = "kcefgdhrs"
"""Of what is summed up."""


class ReadTensor(NamedTuple):
    """What a declaration reads."""

    value: TracedTensor
    letters: tuple[str, ...]  # of its axes; "0" for a single number
    spread: tuple[bool, ...]  # axes of size 1 that serve each value of their letter
    gradient: bool = False  # its gradient is read

    @property
    def name(self) -> str:
        """How a cell names it."""
        return str(self.value.index)

    @property
    def operand(self) -> Operand:
        """Its numbers."""
        tensor = self.value.gradient if self.gradient else self.value.tensor
        if tensor is None or tensor.is_complex():
            raise OpaqueError
        if tensor.dtype in (torch.bfloat16, torch.float16):
            tensor = tensor.float()
        return Operand(self.name, tensor.numpy().reshape(tensor.shape or 1), self.letters, self.spread)


@dataclass
class WrittenCell:
    """A declaration in the making."""

    axes: tuple[str, ...]  # letters of the result
    text: str = ""  # after "out[...] = "
    lines: tuple[str, ...] = ()  # before it
    operands: dict[str, ReadTensor] = field(default_factory=dict)
    constants: dict[str, str] = field(default_factory=dict)  # operands that are no tensors
    remark: str = ""
    name: str = "out"
    symbols: Mapping[str, str] = field(default_factory=dict)

    def read(self, value: Any, name: str, axes: Sequence[str]) -> str:
        """An expression that reads a value: its axes have these letters, of which the last ones are used."""
        if not isinstance(value, TracedTensor):
            self.constants[name] = constant_text(value)
            return self.constants[name]
        letters = tuple(axes[len(axes) - len(value.shape) :]) if value.shape else ("0",)
        # An axis of size 1 serves all values of its letter.
        spread = tuple(size == 1 for size in value.shape or (1,))
        while name in self.operands and self.operands[name].value is not value:
            name += "2"
        self.operands[name] = ReadTensor(value, letters, spread)
        return f"{name}[{', '.join(letters)}]"

    @property
    def declaration(self) -> Declaration:
        """What is written, as a declaration."""
        inputs = " ".join(f"{name}[{', '.join(read.letters)}]" for name, read in self.operands.items())
        target = f"{self.name}[{', '.join(self.axes)}]" if self.axes else self.name
        text = "\n".join([*self.lines, f"{target} = {self.text}"])
        return Declaration(text, inputs, other_symbols=self.symbols, remark=self.remark)

    def cell(self, of: str, shape: tuple[int, ...], index: tuple[int, ...]) -> Cell:
        """The cell at `index` of the tensor `of`, of this shape."""
        operands = {name: read.operand for name, read in self.operands.items()}
        numbers = {read.name for read in self.operands.values() if not read.value.shape}
        with np.errstate(all="ignore"):  # of exp and log, which then give what torch gives
            cell = worked_out(self.declaration, of, shape, index, operands)
        reads = (replace(read, region=()) if read.tensor in numbers else read for read in cell.reads)
        return replace(cell, reads=tuple(reads))


class OpaqueError(Exception):
    """A call of which nothing more is known than its numbers."""


def constant_text(value: Any) -> str:
    """A number in the notation. Raises `OpaqueError` for anything else."""
    value = value.item() if isinstance(value, np.generic) else value
    if isinstance(value, (bool, int)):
        return str(int(value)) if value >= 0 else f"(-{-int(value)})"
    if not isinstance(value, float) or math.isnan(value):
        raise OpaqueError
    size = "inf" if math.isinf(value) else repr(abs(value))
    return size if value >= 0 else f"(-{size})"


def numbers_of(value: TracedTensor) -> torch.Tensor:
    """The numbers of a value. Raises `OpaqueError` where they were left out."""
    if value.tensor is None:
        raise OpaqueError
    return value.tensor
