"""Tables of positions: sines and cosines by the formula (Vaswani et al. 2017, section 3.5), or by a mistake in it."""

from collections.abc import Callable, Iterator
from typing import NamedTuple

import torch
from torch import Tensor

from playground.lessons.check.graph.traced_attention import UnclearError

Exponent = Callable[[Tensor, int], Tensor]
"""Of 1/10000 in the columns 0, 1, ... of a table of so many columns."""


class KnownTable(NamedTuple):
    """A table (positions, columns)."""

    cause: str | None  # the mistake in it
    words: str
    rows: Tensor
    right: Tensor  # without the mistake


def _right(i: Tensor, d: int) -> Tensor:
    return (i - i % 2) / d


_LAST = "wave lengths up to 10000 * 2 pi, as in Tensor2Tensor"
_HALVES = "sines in the first half of the columns, cosines in the second"

_TABLES: list[tuple[str | None, str, Exponent, int, bool]] = [
    (None, "", _right, 0, False),
    (None, _LAST, lambda i, d: i.div(2, rounding_mode="floor") / max(1, d // 2 - 1), 0, False),
    ("positions-from-one", "", _right, 1, False),
    ("sin-cos-swapped", "", _right, 0, True),
    ("wrong-frequency", "", lambda i, d: i / d, 0, False),
    ("wrong-frequency", "", lambda i, d: 2 * i / d, 0, False),
    ("wrong-frequency", "", lambda i, d: 2 * _right(i, d), 0, False),
    ("wrong-frequency", "", lambda i, d: _right(i, d) / 2, 0, False),
    ("wrong-frequency", "", lambda i, d: -_right(i, d), 0, False),
    ("wrong-frequency", "", lambda i, d: 0.75 * _right(i, d), 0, False),  # 1000 in place of 10000
]
"""The mistake, words, exponent, first position, and whether sines and cosines are swapped."""


def known_tables(positions: int, columns: int) -> Iterator[KnownTable]:
    """All tables of this shape, in float64: right ones first."""
    for cause, words, exponent, first, swapped in _TABLES:
        rows = _table(positions, columns, exponent, first, swapped)
        right = _table(positions, columns, _right)
        yield KnownTable(cause, words or "sinusoidal positions", rows, right)
        yield KnownTable(cause, ", ".join(filter(None, (_HALVES, words))), _in_halves(rows), _in_halves(right))


def cause_of_table(table: Tensor) -> str | None:
    """The mistake in a table (T, D) of positions; None if it is right, UnclearError if it is no such table."""
    for known in known_tables(*table.shape):
        if torch.allclose(table.double(), known.rows, atol=2e-3):
            return known.cause
    raise UnclearError("The positions are neither weights nor the sines and cosines of the paper.")


def _table(positions: int, columns: int, exponent: Exponent, first: int = 0, swapped: bool = False) -> Tensor:
    column = torch.arange(columns, dtype=torch.float64)
    at = torch.arange(first, first + positions, dtype=torch.float64)
    angles = at[:, None] * 10_000 ** -exponent(column, columns)
    return torch.where((column % 2 == 0) != swapped, angles.sin(), angles.cos())


def _in_halves(table: Tensor) -> Tensor:
    return torch.cat([table[:, 0::2], table[:, 1::2]], -1)
