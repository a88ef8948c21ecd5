"""Tables of positions: sines and cosines by the formula, or by a known mistake in it."""

from collections.abc import Callable

import torch
from torch import Tensor

from playground.lessons.check.graph.traced_attention import UnclearError

Frequency = Callable[[Tensor, int], Tensor]
"""Of the pairs 0, 1, ... of columns of a table of so many columns."""


def _angles(rows: int, columns: int, frequency: Frequency, first: int = 0) -> Tensor:
    pair = torch.arange((columns + 1) // 2, dtype=torch.float64)
    return torch.arange(first, first + rows, dtype=torch.float64)[:, None] * frequency(pair, columns)


def _right(pair: Tensor, d: int) -> Tensor:
    return 10000 ** (-2 * pair / d)


def _interleaved(even: Tensor, odd: Tensor, columns: int) -> Tensor:
    return torch.stack([even, odd], -1).flatten(-2)[..., :columns]


def _halves(even: Tensor, odd: Tensor, columns: int) -> Tensor:
    return torch.cat([even, odd], -1)[..., :columns]


LAYOUTS = (_interleaved, _halves)

FREQUENCIES: list[tuple[str | None, Frequency]] = [
    (None, _right),
    (None, lambda pair, d: 10000 ** (-pair / max(d // 2 - 1, 1))),  # both ends are reached
    ("wrong-frequency", lambda pair, d: 10000 ** (-4 * pair / d)),
    ("wrong-frequency", lambda pair, d: 10000 ** (-pair / d)),
    ("wrong-frequency", lambda pair, d: 1000 ** (-2 * pair / d)),
    ("wrong-frequency", lambda pair, d: 10000 ** (2 * pair / d)),
]


def cause_of_table(table: Tensor) -> str | None:
    """The mistake in a table (T, D) of positions; None if it is right, UnclearError if it is no such table."""
    table = table.double()
    rows, columns = table.shape
    for cause, expected in _expected(rows, columns):
        if expected.shape == table.shape and torch.allclose(table, expected, atol=2e-3):
            return cause
    raise UnclearError("The positions are neither weights nor the sines and cosines of the paper.")


def _expected(rows: int, columns: int) -> list[tuple[str | None, Tensor]]:
    tables: list[tuple[str | None, Tensor]] = []
    for layout in LAYOUTS:
        for cause, frequency in FREQUENCIES:
            angles = _angles(rows, columns, frequency)
            tables.append((cause, layout(angles.sin(), angles.cos(), columns)))
        angles = _angles(rows, columns, _right)
        tables.append(("sin-cos-swapped", layout(angles.cos(), angles.sin(), columns)))
        angles = _angles(rows, columns, _right, 1)
        tables.append(("positions-from-one", layout(angles.sin(), angles.cos(), columns)))
    column = torch.arange(columns, dtype=torch.float64)
    for exponent in (column / columns, 2 * column / columns):  # a frequency of its own for each column
        angles = torch.arange(rows, dtype=torch.float64)[:, None] * 10000**-exponent
        tables.append(("wrong-frequency", torch.where(column % 2 == 0, angles.sin(), angles.cos())))
    return tables
