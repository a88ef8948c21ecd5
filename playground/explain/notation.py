"""The notation in which it is declared how a cell is computed, and what a declaration comes to.

It is text that reads like the maths and parses as Python, which it never runs as:

    largest = max(scores[b, h, t, j] for j in S)
    total = sum(exp(scores[b, h, t, j] - largest) for j in S)
    weights[b, h, t, s] = exp(scores[b, h, t, s] - largest) / total

Lines with a name come first, the cell itself last. Small letters count along axes, from 1 as in the formulas, only b
and v from 0: v is a token id. The capital of a letter is the size of its axis. `sum`, `mean`, `max`, `min`, `any` and
`logsumexp` run over an index, with `if` over some of its values; `x if c else y` takes one side and leaves the other
alone. All else is refused by `parse`.
"""

import ast
import inspect
import math
from collections.abc import Callable, Iterator, Mapping, Set
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import product
from typing import Any

import numpy as np

Value = Any  # a Python number or, while indices are being run over, an array with an axis for each of them
Region = tuple[tuple[int, int], ...]  # first and end of each axis

FROM_ZERO = ("b", "v", "0")
"""Axes whose index counts from 0; all others count from 1."""

FUNCTIONS: dict[str, Callable[[Value], Value]] = {
    "exp": np.errstate(over="ignore")(np.exp),  # what is divided by infinity is 0
    "log": np.log,
    "sqrt": np.sqrt,
    "tanh": np.tanh,
    "sin": np.sin,
    "cos": np.cos,
    "Phi": np.vectorize(lambda x: (1 + math.erf(x / math.sqrt(2))) / 2, otypes=[float]),
}
REDUCTIONS: dict[str, Callable[..., Value]] = {
    "sum": np.sum,
    "mean": np.mean,
    "max": np.max,
    "min": np.min,
    "any": np.any,
    "logsumexp": np.logaddexp.reduce,
}
PAIRS: dict[str, Callable[[Value, Value], Value]] = {"max": np.maximum, "min": np.minimum}
OPERATORS: dict[type[ast.AST], Callable[[Value, Value], Value]] = {
    ast.Add: lambda a, b: a + b,
    ast.Sub: lambda a, b: a - b,
    ast.Mult: lambda a, b: a * b,
    ast.Div: lambda a, b: a / b if not isinstance(b, (int, float)) or b else math.nan,  # 0 / 0, as of arrays
    ast.FloorDiv: lambda a, b: a // b,
    ast.Mod: lambda a, b: a % b,
    ast.Pow: lambda a, b: power if not isinstance(power := a**b, complex) else math.nan,  # as of arrays
    ast.Eq: lambda a, b: a == b,
    ast.NotEq: lambda a, b: a != b,
    ast.Lt: lambda a, b: a < b,
    ast.LtE: lambda a, b: a <= b,
    ast.Gt: lambda a, b: a > b,
    ast.GtE: lambda a, b: a >= b,
}


class NotationError(ValueError):
    """A declaration that is none; the message is one sentence."""


# --- reading --------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Reduction:
    """`kind(body for index in size if only)`, taken apart."""

    kind: str
    body: ast.expr
    index: str
    size: str
    only: ast.expr | None

    @classmethod
    def of(cls, node: ast.AST) -> "Reduction | None":
        """The reduction that this node is, if it is one."""
        match node:
            case ast.Call(
                func=ast.Name(id=kind),
                args=[
                    ast.GeneratorExp(
                        elt=body,
                        generators=[ast.comprehension(target=ast.Name(id=index), iter=ast.Name(id=size), ifs=ifs)],
                    )
                ],
                keywords=[],
            ) if kind in REDUCTIONS and len(ifs) <= 1:
                return cls(kind, body, index, size, ifs[0] if ifs else None)
        return None


@dataclass(frozen=True)
class Formula:
    """A declaration that has been read."""

    name: str  # of the tensor that has the cell
    lines: Mapping[str, ast.expr]  # intermediate values by name, in order
    cell: tuple[str, ...]  # the letter of each axis, "0" for an axis that always has size 1
    result: ast.expr


def statements(text: str) -> list[ast.Assign]:
    """The lines of a declaration; raises NotationError where it is made of anything else."""
    try:
        body = ast.parse(inspect.cleandoc(text)).body
    except SyntaxError as error:
        raise NotationError(f"{text.strip()} cannot be read: {error.msg}.") from None
    statements = [statement for statement in body if isinstance(statement, ast.Assign) and len(statement.targets) == 1]
    if not statements or len(statements) < len(body):
        raise NotationError(f"{text.strip()} is not made of lines like name = expression.")
    return statements


def first(axis: str) -> int:
    """The lowest index along an axis."""
    return int(axis not in FROM_ZERO)


@lru_cache(maxsize=512)
def axes(text: str) -> dict[str, tuple[str, ...]]:
    """The letters of the axes by name, from "query[b, h, t, k] key[b, h, s, k]"."""
    parts = [part.strip() for part in text.replace("]", "]\n").splitlines()]
    return {name: letters for part in parts if part for name, letters in [_target(statements(f"{part} = 0")[0])]}


@lru_cache(maxsize=512)
def parse(text: str, tensors: tuple[tuple[str, int], ...], constants: frozenset[str]) -> Formula:
    """Reads a declaration that may use `tensors` (a name and how many axes it has) and `constants`.

    Raises NotationError for whatever is not part of the notation, and where one of the tensors is not used.
    """
    *before, last = statements(text)
    own, cell = _target(last)
    reader = _Reader(dict(tensors), {*constants, *cell} - {"0"})
    lines: dict[str, ast.expr] = {}
    for statement in before:
        name, letters = _target(statement)
        if letters or name in reader.known:
            raise NotationError(f"{ast.unparse(statement)} needs a name of its own, without letters.")
        reader.check(statement.value)
        lines[name] = statement.value
        reader.known.add(name)
    reader.check(last.value)
    if idle := dict(tensors).keys() - reader.used:
        raise NotationError(f"{', '.join(sorted(idle))}: named, but not used in {ast.unparse(last)}.")
    return Formula(own, lines, cell, last.value)


def subscripts(node: ast.Subscript) -> list[ast.expr]:
    """The index along each axis."""
    return node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]


def _target(statement: ast.Assign) -> tuple[str, tuple[str, ...]]:
    match statement.targets[0]:
        case ast.Name(id=name):
            return name, ()
        case ast.Subscript(value=ast.Name(id=name)) as node:
            letters = tuple(ast.unparse(part) for part in subscripts(node))
            if all(letter == "0" or (len(letter) == 1 and letter.islower()) for letter in letters):
                return name, letters
    raise NotationError(f"{ast.unparse(statement)} gives its value to no name with a letter an axis.")


@dataclass
class _Reader:
    """Goes through expressions and refuses what is not part of the notation."""

    tensors: Mapping[str, int]
    known: set[str]
    used: set[str] = field(default_factory=set)

    def check(self, node: ast.expr, inside: Set[str] = frozenset()) -> None:
        """`inside` are the indices that are being run over."""
        parts: list[ast.expr] = []
        match node:
            case ast.Constant(value=value) if type(value) in (int, float):
                pass
            case ast.Name(id=name) if name in self.known or name in inside:
                pass
            case ast.Subscript(value=ast.Name(id=name)) if len(subscripts(node)) == self.tensors.get(name):
                self.used.add(name)
                parts = subscripts(node)
            case ast.BinOp(left=left, op=op, right=right) if type(op) in OPERATORS:
                parts = [left, right]
            case ast.UnaryOp(op=ast.USub(), operand=operand):
                parts = [operand]
            case ast.BoolOp(op=ast.And(), values=values):
                parts = values
            case ast.Compare(left=left, ops=[op], comparators=[right]) if type(op) in OPERATORS:
                parts = [left, right]
            case ast.IfExp(test=test, body=body, orelse=other) if not inside:
                parts = [test, body, other]
            case ast.Call() if over := Reduction.of(node):
                if over.size not in self.known or over.index in self.known or (inside and over.only):
                    raise NotationError(f"{ast.unparse(node)} does not run over an index of its own.")
                inside = inside | {over.index}
                parts = [over.body] + ([over.only] if over.only else [])
            case ast.Call(func=ast.Name(id=name), args=[argument], keywords=[]) if name in FUNCTIONS:
                parts = [argument]
            case ast.Call(func=ast.Name(id=name), args=[one, other], keywords=[]) if name in PAIRS:
                parts = [one, other]
            case _:
                raise NotationError(f"{ast.unparse(node)} is not part of the notation.")
        for part in parts:
            self.check(part, inside)


# --- working out ----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Operand:
    """Numbers that a declaration reads from."""

    name: str  # in the model
    numbers: np.ndarray
    axes: tuple[str, ...]  # the letter of each axis in the declaration
    spread: tuple[bool, ...]  # axes of size 1 that serve every value of their index, as those of a mask do


@dataclass(frozen=True)
class Scope:
    """Values of the names in a formula for one cell, and a record of all reads."""

    formula: Formula
    tensors: Mapping[str, Operand]
    names: Mapping[str, Value]  # indices, sizes and constants
    running: tuple[str, ...] = ()  # indices that are being run over, outermost first
    values: dict[str, Value] = field(default_factory=dict)  # of the lines that were needed, in order
    reads: list[tuple[str, tuple[Value, ...]]] = field(default_factory=list)

    def at(self, index: str, value: Value) -> "Scope":
        """This scope with one index more."""
        return replace(self, names={**self.names, index: value})

    def over(self, reduction: Reduction) -> tuple["Scope", np.ndarray]:
        """The scope for the body of a reduction, all values of its index at once, and these values."""
        values = np.arange(self.names[reduction.size]) + first(reduction.size.lower())
        inner = replace(self, running=(*self.running, reduction.index))
        if reduction.only:
            only = np.asarray(inner.at(reduction.index, values).value(reduction.only), dtype=bool)
            values = values[np.broadcast_to(only, values.shape)]  # a condition may depend on other indices alone
        return inner.at(reduction.index, values.reshape(-1, *[1] * len(self.running))), values

    def value(self, node: ast.expr) -> Value:
        """The value of an expression; reads only the cells that it needs."""
        match node:
            case ast.Constant(value=value):
                return value
            case ast.Name(id=name):
                return self._named(name)
            case ast.Subscript():
                return self._read(node)
            case ast.UnaryOp(operand=operand):
                return -self.value(operand)
            case ast.BinOp(left=left, op=op, right=right) | ast.Compare(left=left, ops=[op], comparators=[right]):
                return _plain(OPERATORS[type(op)](self.value(left), self.value(right)))
            case ast.BoolOp(values=parts):
                return _plain(np.all(np.broadcast_arrays(*map(self.value, parts)), axis=0))
            case ast.IfExp():
                return self.value(self.side(node))
            case ast.Call() if reduction := Reduction.of(node):
                return self._reduced(reduction)
            case ast.Call(func=ast.Name(id=name), args=[argument]):
                return _plain(FUNCTIONS[name](self.value(argument)))
            case ast.Call(func=ast.Name(id=name), args=[one, other]):
                return _plain(PAIRS[name](self.value(one), self.value(other)))
        raise NotationError(f"{ast.unparse(node)} is not part of the notation.")

    def side(self, choice: ast.IfExp) -> ast.expr:
        """The side of `x if c else y` that is taken."""
        return choice.body if self.value(choice.test) else choice.orelse

    def regions(self) -> Iterator[tuple[str, Region]]:
        """All that was read so far, as few boxes as its shape allows."""
        for role in self.tensors:
            boxes = {box for name, index in self.reads if name == role for box in _boxes(index)}
            yield from ((role, box) for box in sorted(boxes) if not any(_holds(other, box) for other in boxes))

    def _named(self, name: str) -> Value:
        if name in self.names:
            return self.names[name]
        if name not in self.values:
            self.values[name] = replace(self, running=()).value(self.formula.lines[name])
        return self.values[name]

    def _read(self, node: ast.Subscript) -> Value:
        role = ast.unparse(node.value)
        tensor = self.tensors[role]
        index = tuple(
            0 if spread else self.value(part) - first(axis)
            for part, axis, spread in zip(subscripts(node), tensor.axes, tensor.spread, strict=True)
        )
        if any((position if isinstance(position, int) else position.min(initial=0)) < 0 for position in index):
            raise IndexError(f"{ast.unparse(node)} lies before the start of {tensor.name}.")
        self.reads.append((role, index))
        return _plain(tensor.numbers[index])

    def _reduced(self, reduction: Reduction) -> Value:
        inner, values = self.over(reduction)
        body = inner.value(reduction.body)
        shape = np.broadcast_shapes(np.shape(body), (len(values), *[1] * len(self.running)))
        return _plain(REDUCTIONS[reduction.kind](np.broadcast_to(body, shape), axis=0))


def _plain(value: Value) -> Value:
    """Full precision, and true as 1: float64 or int64 arrays, Python numbers."""
    if type(value) in (int, float):
        return value
    array = np.asarray(value)
    array = array.astype(np.float64 if array.dtype.kind == "f" else np.int64, copy=False)
    return array if array.ndim else array.item()


def _boxes(index: tuple[Value, ...]) -> Iterator[Region]:
    """Boxes that together hold the cells at `index` and no others."""
    runs = [position for position in index if isinstance(position, np.ndarray)]
    alone = all(run.size == len(run) for run in runs) and len({run.ndim for run in runs}) == len(runs)
    if alone or len(runs) == 1:  # a grid
        yield from product(*map(_stretches, index))
    else:
        for cell in {*zip(*(part.ravel().tolist() for part in np.broadcast_arrays(*index)))}:
            yield tuple((position, position + 1) for position in cell)


def _stretches(indices: Value) -> list[tuple[int, int]]:
    """Unbroken stretches of whole numbers, as first and end."""
    if isinstance(indices, int):
        return [(indices, indices + 1)]
    rising = np.unique(indices)
    parts = np.split(rising, np.flatnonzero(np.diff(rising) > 1) + 1)
    return [(int(part[0]), int(part[-1]) + 1) for part in parts if len(part)]


def _holds(outer: Region, inner: Region) -> bool:
    return outer != inner and all(a <= c and d <= b for (a, b), (c, d) in zip(outer, inner, strict=True))
