"""Rotary embeddings in a traced pass (Su et al. 2021): pairs of features that are turned by an angle of their position.

They are found by the numbers themselves, however they are written: with sines and cosines or with complex numbers, of
neighbours or of halves, of all features or of the first or last ones.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product

import torch
from torch import Tensor

from playground.explain.traced_moves import MOVES
from playground.lessons.check.graph.traced_norms import TOLERANCE, Region, regions
from playground.lessons.check.graph.traced_positions import ELEMENTWISE, SEQUENCE, Positions
from playground.recording import Node, TracedTensor

_TURNS = ELEMENTWISE | MOVES | {"view_as_complex", "view_as_real", "complex", "empty_like", "zeros_like"}
_MIN_ROWS = 3
"""Vectors at one position, to tell apart what turns the two features of a pair."""


@dataclass(frozen=True)
class Rotation:
    """A value that is another one, turned."""

    source: TracedTensor
    node: Node
    turns: dict[int, Tensor]  # by position: a complex number of length 1 for each pair
    by_position: bool  # False: the angle depends on something else, such as the head
    mixed: bool  # the two features of a pair are turned by different angles

    def like(self, other: "Rotation") -> bool:
        """True if both turn by the same angle at the same position."""
        return all(
            turn.shape == other.turns[at].shape and torch.allclose(turn, other.turns[at], atol=1e-3)
            for at, turn in self.turns.items()
            if at in other.turns
        )


class Rotations:
    """The rotations of a pass, found once."""

    def __init__(self, positions: Positions) -> None:
        self._positions = positions
        self._found: dict[TracedTensor, Rotation | None] = {}

    def of(self, value: TracedTensor) -> Rotation | None:
        """The rotation whose result a value with features last is."""
        if value not in self._found:
            self._found[value] = self._of(value)
        return self._found[value]

    def _of(self, value: TracedTensor) -> Rotation | None:
        for region in regions(value, _TURNS):
            if region.source.shape == value.shape and any(node.function == "mul" for node in region.nodes):
                return _rotation(region, value, self._positions.of(value))
        return None


def _rotation(region: Region, value: TracedTensor, positions: Tensor) -> Rotation | None:
    x, y = region.source.tensor, value.tensor
    if x is None or y is None or len(x.shape) < 2:
        return None
    features = (x != y).flatten(0, -2).any(0).nonzero().flatten()
    if not len(features) or len(features) % 2:
        return None
    rows, turned = (each[..., features].double().flatten(0, -2) for each in (x, y))
    for angles_of in (_by_position, _by_row, _of_each_feature):
        for at, before, after in product(_numbers(positions), *[[*_pairs(len(features))]] * 2):
            if (turns := angles_of(rows[:, before], turned[:, after], at)) is not None:
                by_position, mixed = angles_of is not _by_row, angles_of is _of_each_feature
                return Rotation(region.source, region.nodes[0], turns, by_position, mixed)
    return None


def _numbers(positions: Tensor) -> list[Tensor]:
    """(R,): the position of each vector; where a mistake has mixed them, its index along each axis."""
    if not bool((positions < 0).any()):
        return [positions[..., 0].flatten() % SEQUENCE]
    shape = positions.shape[:-1]
    axes = [[-1 if other == axis else 1 for other in range(len(shape))] for axis in range(len(shape))]
    return [torch.arange(size).reshape(axis).expand(shape).flatten() for size, axis in zip(shape, axes)]


def _pairs(count: int) -> Iterator[Tensor]:
    """(2, count / 2): both features of each pair, neighbours or halves."""
    index = torch.arange(count)
    yield index.reshape(-1, 2).T
    if count > 2:
        yield index.reshape(2, -1)


def _by_position(x: Tensor, y: Tensor, at: Tensor) -> dict[int, Tensor] | None:
    """The turn of each pair at each position, where y (R, 2, P) is x turned by it; None if it is not."""
    before, after, turns = torch.complex(x[:, 0], x[:, 1]), torch.complex(y[:, 0], y[:, 1]), dict[int, Tensor]()
    for position in at.unique().tolist():
        one, other = before[at == position], after[at == position]
        turn = (other * one.conj()).sum(0) / one.abs().pow(2).sum(0).clamp(min=1e-12)
        if not _is_close(one * turn, other) or not _is_close(turn.abs(), torch.ones(())):
            return None
        turns[position] = turn
    return turns


def _by_row(x: Tensor, y: Tensor, _: Tensor) -> dict[int, Tensor] | None:
    """No turns, where each pair keeps its length but positions have several turns; None if some don't."""
    return {} if _is_close(x.norm(dim=1), y.norm(dim=1)) else None


def _of_each_feature(x: Tensor, y: Tensor, at: Tensor) -> dict[int, Tensor] | None:
    """No turns, where the two features of a pair are turned by different angles; None if they are not turned."""
    for position in at.unique().tolist():
        one, other = x[at == position].permute(2, 0, 1), y[at == position].permute(2, 0, 1)
        if one.size(1) < _MIN_ROWS:
            return None
        found = torch.linalg.lstsq(one, other).solution  # (P, 2, 2)
        if not _is_close(one @ found, other) or not _is_close(found.norm(dim=1), torch.ones(())):
            return None
    return {}


def _is_close(yours: Tensor, right: Tensor) -> bool:
    return bool((yours - right).abs().max() <= TOLERANCE * max(1.0, float(right.abs().max())))
