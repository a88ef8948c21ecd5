"""Which position of the input each number of a traced pass belongs to, whatever its layout.

Nothing is known by name: what only moves is followed cell by cell (`explain.traced_moves.moved`), products by what they
sum up, other functions by their axes.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import torch
from torch import Tensor

from playground.explain.traced_moves import moved
from playground.recording import Node, TracedTensor

SEQUENCE = 10_000
"""A position is SEQUENCE x row of the batch + index in the row."""

MIXED = -1
"""Made from several positions."""

UNKNOWN = -2

_ANY = -3

MAX_CELLS = 10_000_000
"""Of a product whose operands and result are indexed, in each of them."""

ELEMENTWISE = frozenset(
    name
    for names in (
        "relu gelu silu tanh sigmoid dropout exp sqrt rsqrt neg square pow clamp leaky_relu elu softplus mish erf",
        "relu6 selu celu hardtanh hardswish clamp_min clamp_max clip maximum minimum reciprocal rpow abs",
        "mul div rdiv add sub rsub float double to type_as masked_fill where clone contiguous complex",
    )
    for name in names.split()
)
"""Functions of each cell, or of cells at the same place."""

REDUCTIONS = frozenset(["mean", "sum", "var", "std", "var_mean", "std_mean"])
"""Functions that make one number of those along some axes."""

_OF_LAST_AXIS = frozenset({"layer_norm", "rms_norm", "view_as_complex"})


@dataclass(frozen=True)
class Side:
    """One operand of a product, and what each cell of the result sums up of it."""

    value: TracedTensor
    rows: Tensor
    """(R, k): flat indices in the value, a row for each set of numbers that are summed up together."""
    of: Tensor
    """In the shape of the result: the row of each cell."""


def product(node: Node) -> tuple[Side, Side] | None:
    """Both operands of a matrix product; None for any other function."""
    operands = _operands(node)
    if operands is None:
        return None
    (one, letters_one), (other, letters_other), result = operands
    if (
        not 0 < math.prod(node.output.shape) <= MAX_CELLS
        or max(math.prod(each.shape) for each in (one, other)) > MAX_CELLS
    ):
        return None
    return _side(one, letters_one, result, node.output.shape), _side(other, letters_other, result, node.output.shape)


def _operands(node: Node) -> tuple[tuple[TracedTensor, str], tuple[TracedTensor, str], str] | None:
    """Two operands and the result of a product with a letter for each axis; one that the result lacks is summed.

    A capital stands for an axis that is broadcast, so all of its indices are one.
    """
    arguments = list(node.arguments)
    if node.function == "linear":
        x, weight = node.argument(0, "input"), node.argument(1, "weight")
        before = "abcdefg"[: len(x.shape) - 1]
        return (x, before + "k"), (weight, "jk"), before + "j"
    if node.function == "einsum":
        equation = arguments[0]
        values = list(arguments[1]) if isinstance(arguments[1], (list, tuple)) else arguments[1:]
        if not isinstance(equation, str) or "." in equation or len(values) != 2:
            return None
        before, arrow, after = equation.replace(" ", "").partition("->")
        one, other = before.split(",")
        return ((values[0], one), (values[1], other), after) if arrow else None
    if node.function in ("matmul", "bmm", "mm", "rmatmul"):
        one, other = arguments[:2] if node.function != "rmatmul" else arguments[1::-1]
        if not (isinstance(one, TracedTensor) and isinstance(other, TracedTensor)):
            return None
        if len(one.shape) < 2 or len(other.shape) < 2:
            return None
        batch = "abcdefg"[: len(node.output.shape) - 2]

        def letters(value: TracedTensor, last: str) -> str:
            mine = batch[len(batch) - len(value.shape) + 2 :]
            spread = [
                letter.upper() if size == 1 and whole != 1 else letter
                for letter, size, whole in zip(mine, value.shape, node.output.shape[len(batch) - len(mine) :])
            ]
            return "".join(spread) + last

        return (one, letters(one, "ik")), (other, letters(other, "kj")), batch + "ij"
    return None


def _side(value: TracedTensor, letters: str, result: str, shape: tuple[int, ...]) -> Side:
    kept = [letter for letter in result if letter in letters]
    summed = [letter for letter in letters if letter not in result and not letter.isupper()]
    index = numbered(value.shape)
    for axis in reversed([axis for axis, letter in enumerate(letters) if letter.isupper()]):
        index = index.squeeze(axis)
    present = [letter for letter in letters if not letter.isupper()]
    ordered = index.permute([present.index(letter) for letter in (*kept, *summed)])
    sizes = ordered.shape[: len(kept)]
    numbers = numbered(sizes)
    for axis, letter in enumerate(result):
        if letter not in kept:
            numbers = numbers.unsqueeze(axis)
    return Side(value, ordered.reshape(numbers.numel(), -1), numbers.expand(shape))


@dataclass(frozen=True)
class Cells:
    """The cells of a value as cells of others, which are computed or given."""

    bases: tuple[TracedTensor, ...]
    base: Tensor  # in the shape of the value: the index in `bases`
    at: Tensor  # and the flat index in it


def constant(thing: Any) -> bool:
    """True for what doesn't depend on an input."""
    return not isinstance(thing, TracedTensor) or not thing.inputs


def scaled(node: Node) -> tuple[TracedTensor, float] | None:
    """What a node multiplies by one number, and this number; None if it does anything else."""
    if node.function not in ("mul", "div") or len(node.arguments) != 2 or node.named:
        return None
    one, other = node.arguments
    if constant(one) and node.function == "mul":
        one, other = other, one
    if constant(one) or not constant(other):
        return None
    factor = _number(other)
    if factor is None or not factor:
        return None
    return one, factor if node.function == "mul" else 1 / factor


def looked_up(node: Node) -> TracedTensor | None:
    """The indices whose rows of a table a node gives; None if it does anything else."""
    return node.argument(0, "input") if node.function == "embedding" and not constant(node.output) else None


def shifted(node: Node) -> TracedTensor | None:
    """What a node adds something constant to, such as a bias; None if it does anything else."""
    if node.function not in ("add", "sub") or len(node.arguments) != 2:
        return None
    one, other = node.arguments
    if constant(other) and not constant(one):
        return one if isinstance(one, TracedTensor) else None
    return other if node.function == "add" and constant(one) and isinstance(other, TracedTensor) else None


def bare(value: TracedTensor) -> TracedTensor:
    """The value that has the same numbers, each once, before they were moved."""
    while value.node is not None and value.origin == "operation":
        moves = moved(value.node, value.node.outputs.index(value))
        if moves is None or len(moves.sources) != 1:
            return value
        origins = moves.origins.flatten()
        if not torch.equal(origins.sort().values, torch.arange(math.prod(moves.sources[0].shape))):
            return value
        value = moves.sources[0]
    return value


def levels(value: TracedTensor) -> Iterator[tuple[TracedTensor, float]]:
    """A value and those that it is only a moved part of, the last first, with the number they were multiplied by since.

    What is constant beside a part, such as the empty rows of a cache, doesn't count.
    """
    factor = 1.0
    while True:
        yield value, factor
        node = value.node
        if node is None or value.origin != "operation":
            return
        if found := scaled(node):
            value, factor = found[0], factor * found[1]
            continue
        moves = moved(node, node.outputs.index(value))
        sources = [each for each in moves.sources if not constant(each)] if moves else []
        if len(sources) != 1:
            return
        value = sources[0]


def _number(thing: Any) -> float | None:
    if isinstance(thing, (int, float)):
        return float(thing)
    if isinstance(thing, TracedTensor) and thing.tensor is not None and thing.tensor.numel():
        first = thing.tensor.flatten()[0]
        return float(first) if bool((thing.tensor == first).all()) and thing.dtype != "bool" else None
    return None


def cells(value: TracedTensor) -> Cells:
    """Where the cells of a value come from: through moves, constant factors and constant summands."""
    node = value.node
    identity = Cells((value,), torch.zeros(value.shape, dtype=torch.long), numbered(value.shape))
    if value.origin != "operation" or node is None:
        return identity
    moves = moved(node, node.outputs.index(value))
    if moves is not None:
        return identity if bool((moves.origins < 0).any()) else _composed(moves.sources, moves.origins)
    inner = shifted(node)
    if inner is None and (found := scaled(node)):
        inner = found[0]
    if inner is None:
        return identity
    return _composed((inner,), numbered(inner.shape).broadcast_to(value.shape))


def _composed(sources: tuple[TracedTensor, ...], origins: Tensor) -> Cells:
    bases: dict[TracedTensor, int] = {}
    base, at = [], []
    for source in sources:
        inner = cells(source)
        numbers = torch.tensor([bases.setdefault(each, len(bases)) for each in inner.bases], dtype=torch.long)
        base.append(numbers[inner.base].flatten())
        at.append(inner.at.flatten())
    every_base, every_at = torch.cat(base)[origins], torch.cat(at)[origins]
    used, renumbered = every_base.unique(return_inverse=True)
    names = list(bases)
    return Cells(tuple(names[old] for old in used.tolist()), renumbered, every_at)


def numbered(shape: Sequence[int]) -> Tensor:
    """The flat index of each cell, in this shape."""
    return torch.arange(math.prod(shape)).reshape(tuple(shape))


@dataclass
class Positions:
    """Positions of the numbers of a pass. A position is a number that means one token of one sequence of the batch."""

    given: Mapping[TracedTensor, Tensor]
    """Those of the inputs, in their shapes."""
    known: dict[TracedTensor, Tensor] = field(default_factory=dict)

    def of(self, value: TracedTensor) -> Tensor:
        """In the shape of the value: the position of each number, `MIXED` or `UNKNOWN`."""
        if value in self.given:
            return self.given[value]
        if value not in self.known:
            self.known[value] = self._found(value)
        return self.known[value]

    def _found(self, value: TracedTensor) -> Tensor:
        unknown = torch.full(value.shape, UNKNOWN)
        node = value.node
        if node is None or value.origin != "operation" or constant(value) or 0 in value.shape:
            return unknown
        if (indices := looked_up(node)) is not None:
            return self.of(indices)[..., None].expand(value.shape)
        moves = moved(node, node.outputs.index(value))
        if moves is not None:
            every = torch.cat([self.of(source).flatten() for source in moves.sources])
            return torch.where(moves.origins < 0, UNKNOWN, every[moves.origins])
        if (inner := shifted(node) or (scaled(node) or (None,))[0]) is not None:
            return self.of(inner).broadcast_to(value.shape)
        if sides := product(node):
            varying = [side for side in sides if not constant(side.value)]
            return self.of_rows(varying[0])[varying[0].of] if len(varying) == 1 else unknown
        if node.function == "view_as_real":
            return self.of(node.arguments[0])[..., None].expand(value.shape)
        if node.function in _OF_LAST_AXIS:
            rows = self.of(node.arguments[0])
            every = _agreed(rows.reshape(-1, rows.shape[-1])).reshape(rows.shape[:-1])
            return every if node.function == "view_as_complex" else every[..., None].expand(value.shape)
        if node.function in REDUCTIONS:
            return self._reduced(node, value)
        if node.function in ELEMENTWISE and (node.function, len(node.arguments)) != ("where", 1):
            parts = [self._beside(each).broadcast_to(value.shape) for each in node.inputs if not constant(each)]
            return (
                _agreed(_filled(torch.stack(parts, -1).reshape(-1, len(parts)))).reshape(value.shape)
                if parts
                else unknown
            )
        return unknown

    def _beside(self, value: TracedTensor) -> Tensor:
        """`of` a value, with `_ANY` for its constant cells, such as the zeros that experts add to."""
        here = self.of(value)
        if not bool((here == UNKNOWN).any()):
            return here
        behind = cells(value)
        return torch.where(torch.tensor([constant(base) for base in behind.bases])[behind.base], _ANY, here)

    def _reduced(self, node: Node, value: TracedTensor) -> Tensor:
        source, axes = node.arguments[0], node.argument(1, "dim")
        here = self.of(source)
        axes = [axis % here.ndim for axis in ([axes] if isinstance(axes, int) else axes or range(here.ndim))]
        kept = [axis for axis in range(here.ndim) if axis not in axes]
        rows = here.permute([*kept, *axes]).reshape(math.prod(here.shape[axis] for axis in kept), -1)
        return _agreed(rows).reshape(value.shape)

    def of_rows(self, side: Side) -> Tensor:
        """(R,) the position of each row of a product."""
        return _agreed(self.of(side.value).flatten()[side.rows])


def _filled(rows: Tensor) -> Tensor:
    """Rows in which `_ANY` is what another one of the row is, or `UNKNOWN`."""
    anywhere = rows == _ANY
    others = rows.amax(1, keepdim=True)
    return torch.where(anywhere, torch.where(others == _ANY, UNKNOWN, others), rows)


def _agreed(rows: Tensor) -> Tensor:
    """(R,) the position that all of a row have."""
    first = rows[:, 0]
    same = (rows == rows[:, :1]).all(1)
    return torch.where((rows == UNKNOWN).any(1), UNKNOWN, torch.where(same, first, MIXED))


def behind(value: TracedTensor) -> list[Node]:
    """All nodes that a value was computed by, the last first."""
    found, open_ = dict[int, Node](), [value]
    while open_:
        node = open_.pop().node
        if node is not None and node.index not in found:
            found[node.index] = node
            open_ += node.inputs
    return [found[index] for index in sorted(found, reverse=True)]
