"""Folding of large tensors: how many heads and columns fit into one message."""

from collections.abc import Sequence
from dataclasses import dataclass

WIDEST = 128
"""Maximum columns shown at a time."""


@dataclass(frozen=True)
class Extent:
    """Size of a tensor to show, and bytes per cell in the message."""

    heads: int  # 1 for a tensor without heads
    rows: int
    columns: int
    cell: int

    def bytes(self, heads: int, columns: int) -> int:
        """Bytes of at most so many heads and columns."""
        return min(self.heads, heads) * self.rows * min(self.columns, columns) * self.cell


@dataclass(frozen=True)
class Span:
    """The visible part of an axis."""

    first: int
    end: int
    size: int  # of the whole axis

    @property
    def part(self) -> slice:
        return slice(self.first, self.end)


def fold(extents: Sequence[Extent], room: int) -> tuple[int, int]:
    """Number of heads and columns of each tensor that fit into `room` bytes together.

    Heads are reduced first, in parts as even as possible, then columns are halved. One head and one column are always
    shown.
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
    """The part, `length` long, of an axis of `size` that contains `first`, or the nearest part."""
    start = max(0, min(first, size - 1)) // length * length
    return Span(start, min(start + length, size), size)
