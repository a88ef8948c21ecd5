"""How much of large tensors is shown at a time: what one message may hold."""

from collections.abc import Sequence
from dataclasses import dataclass

WIDEST = 128
"""Columns shown at a time at most."""


@dataclass(frozen=True)
class Extent:
    """The size of a tensor that is to be shown, and the bytes that one cell of it takes on its way."""

    heads: int  # 1 for a tensor without heads
    rows: int
    columns: int
    cell: int

    def bytes(self, heads: int, columns: int) -> int:
        """What it takes with at most so many heads and columns."""
        return min(self.heads, heads) * self.rows * min(self.columns, columns) * self.cell


@dataclass(frozen=True)
class Span:
    """The part of an axis that is shown."""

    first: int
    end: int
    size: int  # of the whole axis

    @property
    def part(self) -> slice:
        return slice(self.first, self.end)


def fold(extents: Sequence[Extent], room: int) -> tuple[int, int]:
    """How many heads and how many columns of each tensor fit into `room` bytes together.

    Heads give way first, in parts as even as can be, then columns are halved; one head and one column are shown even
    where they do not fit.
    """
    most = max((extent.heads for extent in extents), default=1)
    columns = WIDEST
    while columns > 1 and _bytes(extents, 1, columns) > room:
        columns //= 2
    heads = max((n for n in range(1, most + 1) if _bytes(extents, n, columns) <= room), default=1)
    parts = -(-most // heads)
    return -(-most // parts), columns


def _bytes(extents: Sequence[Extent], heads: int, columns: int) -> int:
    return sum(extent.bytes(heads, columns) for extent in extents)


def span(first: int, length: int, size: int) -> Span:
    """The part of an axis of `size` that holds `first`, or the nearest one, where parts are `length` long."""
    start = max(0, min(first, size - 1)) // length * length
    return Span(start, min(start + length, size), size)
