"""One cell of one recorded tensor: its value, the expression behind it and the numbers that it was made from.

All three follow from the tap's declaration (`explain.declaration`) and from what a recording saw take part.
"""

import ast
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType

import numpy as np
import torch

from playground.explain.declaration import CONSTANTS, Declaration
from playground.explain.latex import Writer, d, equals, number, symbol
from playground.explain.notation import Operand, Reduction, Region, Scope, Value, axes, first
from playground.recording import Operation
from playground.settings.config import ModelConfig


@dataclass(frozen=True)
class Term:
    """One summand, or one candidate of a maximum: the numbers in it and what they make."""

    factors: tuple[float, ...]
    value: float
    at: int = 0  # the index that is run over, counted as formulas count it


@dataclass(frozen=True)
class Line:
    """A named intermediate value or, last, the result."""

    name: str  # "" for the result
    symbolic: str  # LaTeX: the declaration with this cell's indices
    numbers: str  # LaTeX: the same with the numbers plugged in; a long sum is cut in the middle
    value: float
    terms: tuple[Term, ...] = ()  # all that is summed up, averaged or compared, in order
    over: str = ""  # the index that counts the terms, e.g. "k"


@dataclass(frozen=True)
class ReadRegion:
    """A region of a tensor that a cell was computed from."""

    tensor: str  # full name of a tap or a parameter, or a field of a `Batch`: what was given to the model
    region: Region
    gradient: bool = False  # of the gradient at this tensor


@dataclass(frozen=True)
class Cell:
    """How one number came about."""

    value: float  # worked out again from inputs and parameters, in double precision
    lines: tuple[Line, ...]
    reads: tuple[ReadRegion, ...]
    curve: tuple[str, float] | None = None  # "relu", "gelu" or "swish", and the point on it
    remark: str = ""  # see `Declaration`
    readers: tuple[str, ...] = ()  # of a gradient: the operations that hand it back


def bind(declaration: Declaration, operation: Operation) -> dict[str, str]:
    """The full name of everything that a declaration reads, by the name that it has there.

    Inputs are distinguished by the order in which they ran, parameters by the last part of their names. Raises
    ValueError where what was recorded does not fit what was declared.
    """
    inputs, parameters = axes(declaration.inputs), axes(declaration.parameters)
    last = {name.rpartition(".")[2]: name for name in operation.parameters}
    if len(inputs) != len(operation.inputs) or not parameters.keys() <= last.keys():
        seen = ", ".join([*operation.inputs, *operation.parameters]) or "nothing"
        raise ValueError(f"{operation.name} was made from {seen}, not from {', '.join([*inputs, *parameters])}.")
    return {
        **dict(zip(inputs, operation.inputs, strict=True)),
        **{role: last[role] for role in parameters},
        **{role: role for role in axes(declaration.given)},
    }


def cell(
    declaration: Declaration,
    operation: Operation,
    index: tuple[int, ...],
    config: ModelConfig,
    tensor: Callable[[str], torch.Tensor],
    dims: Callable[[str], tuple[str, ...]],
) -> Cell:
    """The cell at `index` of a recorded operation.

    `tensor` gives a tensor by its full name, `dims` its letters where they are known: an axis called "1" serves all
    indices. Raises IndexError for an index outside the tensor.
    """
    tensors = {
        role: _operand(name, tensor(name), declaration.axes[role], dims(name))
        for role, name in bind(declaration, operation).items()
    }
    return worked_out(declaration, operation.name, tuple(operation.value.shape), index, tensors, _sizes(config))


@dataclass(frozen=True)
class Reader:
    """An operation that reads a tensor, and hands a gradient back to it."""

    title: str
    declaration: Declaration  # of its own cells
    operation: Operation
    rules: Mapping[str, str]  # `Rule.cells` for what it reads of this tensor, by its name there


def gradient_cell(
    name: str,
    index: tuple[int, ...],
    readers: Sequence[Reader],
    config: ModelConfig,
    tensor: Callable[[str], torch.Tensor],
    gradient: Callable[[str], torch.Tensor],
    dims: Callable[[str], tuple[str, ...]],
) -> Cell:
    """The gradient of the loss at one cell of a tap: the sum of what each of its readers hands back.

    `gradient` gives the gradient at a tap by its full name; for the others see `cell`. The loss itself has no readers.
    """
    shape, parts = tuple(gradient(name).shape), []
    for reader in readers:
        own, names = reader.declaration.formula.name, bind(reader.declaration, reader.operation)
        names |= {own: reader.operation.name, "gradient": reader.operation.name}
        for role, rule in reader.rules.items():
            backward = reader.declaration.backward(role, rule)
            tensors = {}
            for read, letters in backward.axes.items():
                source = names[read]
                numbers = gradient(source) if read == "gradient" else tensor(source)
                tensors[read] = _operand(source, numbers, letters, dims(source))
            parts.append((reader.title, worked_out(backward, name, shape, index, tensors, _sizes(config))))
    return replace(_summed(parts), readers=tuple(reader.operation.name for reader in readers))


def _summed(parts: Sequence[tuple[str, Cell]]) -> Cell:
    if not parts:
        return Cell(1.0, (Line("", f"{d('L')}=1", "1", 1.0),), ())
    if len(parts) == 1:
        return parts[0][1]
    lines, left = list[Line](), ""
    for title, cell in parts:
        *before, last = cell.lines
        left, _, right = last.symbolic.partition("=")
        lines += [*before, replace(last, name=f"from {title}", symbolic=right)]
    lines.append(sum_line(left, [cell.value for _, cell in parts], "reader"))
    return Cell(lines[-1].value, tuple(lines), tuple(dict.fromkeys(read for _, cell in parts for read in cell.reads)))


def sum_line(symbolic: str, values: Sequence[float], over: str = "") -> Line:
    """The last line of a cell that is a sum of others, which lines before it explain."""
    total = sum(values)
    added = "+".join(number(value) if value >= 0 else f"({number(value)})" for value in values)
    terms = tuple(Term((value,), value, at) for at, value in enumerate(values, 1))
    return Line("", symbolic, f"{added}{equals(total, *values)}{number(total, 4)}", total, terms, over)


def _operand(name: str, numbers: torch.Tensor, letters: tuple[str, ...], dims: tuple[str, ...]) -> Operand:
    numbers = numbers.detach().reshape(numbers.shape or (1,))  # a single number is read with the index 0
    spread = tuple(letter == "1" for letter in dims) or (False,) * numbers.dim()
    return Operand(name, numbers.numpy(), letters, spread)


def _sizes(config: ModelConfig) -> dict[str, float]:
    heads = {"H": config.n_heads, "G": config.n_kv_heads}
    return {"D": config.d_model, "K": config.d_head, "P": config.d_rope, **heads}


def worked_out(
    declaration: Declaration,
    name: str,
    shape: tuple[int, ...],
    index: tuple[int, ...],
    tensors: Mapping[str, Operand],
    sizes: Mapping[str, float] = MappingProxyType({}),
) -> Cell:
    """The cell at `index` of the tensor `name`, of this shape, from what the declaration reads.

    `sizes` are names that it may use beside the sizes of these tensors. Raises IndexError for an index outside.
    """
    if len(index) != len(shape) or not all(0 <= position < size for position, size in zip(index, shape, strict=True)):
        raise IndexError(f"{name} {shape} has no cell {tuple(index)}.")
    alone = {letter.upper(): 1 for tensor in tensors.values() for letter in tensor.axes}  # unless another axis has more
    names = {**alone, **CONSTANTS, **sizes}
    for tensor in tensors.values():
        of_axes = zip(tensor.axes, tensor.numbers.shape, tensor.spread, strict=True)
        names |= {letter.upper(): size for letter, size, one in of_axes if not one}
    formula = declaration.formula
    indices = {letter: int(position) + first(letter) for letter, position in zip(formula.cell, index, strict=True)}
    scope = Scope(formula, tensors, {**names, **indices})
    value = scope.value(formula.result)
    reads = tuple(
        ReadRegion(tensors[role].name, region if tensors[role].axes != ("0",) else (), role == "gradient")
        for role, region in scope.regions()
    )
    lines = [
        _line(declaration, scope, name, node, scope.values[name])
        for name, node in formula.lines.items()
        if name in scope.values
    ]
    lines.append(_line(declaration, scope, "", formula.result, value))
    curve = (declaration.curve[0], float(scope.values[declaration.curve[1]])) if declaration.curve else None
    return Cell(float(value), tuple(lines), reads, curve, declaration.remark)


def _line(declaration: Declaration, scope: Scope, name: str, node: ast.expr, value: Value) -> Line:
    symbols = declaration.symbols
    symbolic, plugged = (
        Writer(scope, symbols, declaration.transposed, plugged).write(node) for plugged in (False, True)
    )
    indices = [] if name else [number(scope.names[axis]) for axis in scope.formula.cell if axis not in ("b", "0")]
    left = symbol(name or scope.formula.name, symbols, indices)
    result = number(value, 4)  # as words.ts writes the cell
    over, terms = _terms(scope, node)
    sign = equals(float(value), *(factor for term in terms for factor in term.factors), *_alone(node, scope))
    numbers = result if plugged == number(value) else f"{plugged}{sign}{result}"
    return Line(name, f"{left}={symbolic}", numbers, float(value), terms, over)


def _terms(scope: Scope, node: ast.expr) -> tuple[str, tuple[Term, ...]]:
    """Index and terms of the first sum (or mean, or maximum) in an expression."""
    if isinstance(node, ast.IfExp):
        return _terms(scope, scope.side(node))
    reduction = next((candidate for part in ast.walk(node) if (candidate := Reduction.of(part))), None)
    if reduction is None:
        return "", ()
    inner, indices = scope.over(reduction)
    columns = [inner.value(leaf) for leaf in _leaves(reduction.body, scope)]
    rows = [np.broadcast_to(values, indices.shape).tolist() for values in [inner.value(reduction.body), *columns]]
    return reduction.index, tuple(
        Term(tuple(map(float, factors)), float(value), position)
        for position, value, *factors in zip(indices.tolist(), *rows, strict=True)
    )


def _alone(node: ast.expr, scope: Scope) -> Iterator[float]:
    """The numbers that are shown beside those of `_terms`; none of an expression with conditions."""
    if not any(isinstance(part, ast.IfExp) for part in ast.walk(node)):
        for leaf in _leaves(node, scope):
            if not Reduction.of(leaf):
                yield float(scope.value(leaf))


def _leaves(node: ast.expr, scope: Scope) -> Iterator[ast.expr]:
    """The parts of an expression whose numbers are shown: what is read, what has a name, what is summed up in it."""
    if isinstance(node, ast.Subscript) or Reduction.of(node):
        yield node
    elif isinstance(node, ast.Call):
        for argument in node.args:
            yield from _leaves(argument, scope)
    elif isinstance(node, ast.Name):
        if node.id in scope.formula.lines or node.id.islower():
            yield node
    else:
        for part in ast.iter_child_nodes(node):
            if isinstance(part, ast.expr):
                yield from _leaves(part, scope)
