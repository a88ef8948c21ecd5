"""Heatmaps: a tensor's heads as small multiples, and their message format.

Python checks and packs the values; tensors.ts chooses sizes and colours, because only the browser knows the width,
the theme and the resolution of the screen.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, get_args

import numpy as np

from playground.ui.parts.heatmaps.folding import Span

HeatmapKind = Literal["signed", "probability", "mask", "tokens"]
AXES = ("", "head", "row", "column")
SAME_SCALE = 3.0  # maximum ratio of two scales that are merged into one
LONGEST_LABEL = 17  # characters, of "1 cross-attention"


@dataclass(frozen=True)
class Side:
    """The rows or the columns of a heatmap."""

    axis: str  # dimension letter, e.g. "T", or empty
    span: Span
    labels: str = ""  # key of the names beside the cells, see `pack`; empty: their numbers


@dataclass(frozen=True, eq=False)
class Heatmap:
    """The visible part of a tensor.

    `values` is (heads, rows, columns) of numbers or booleans; minus infinity marks a masked score and is hatched.
    How a cell looks depends on `kind`:

    - "signed": two colours around zero;
    - "probability": one colour from 0 to 1;
    - "mask": True (or not 0) is allowed and filled, False is blocked and hatched;
    - "tokens": no colour but text: the column labels of a single row, and otherwise the values (token ids).

    `gradient` has the shape of `values`. `hidden`, (heads or 1, rows, columns), tells which mask hides a cell:
    0 none, 1 the causal mask, 2 padding, 3 both, 4 a window alone.

    Raises ValueError, naming the tensor, if `values` is not a 3-D array of real numbers with at least one cell, holds
    plus infinity or (unless `undefined`) NaN, or differs in size from `rows` and `columns`.
    """

    name: str  # full name of the tap
    title: str
    values: np.ndarray  # (heads, rows, columns)
    axes: tuple[str, ...]  # role of each axis of the recorded tensor: one of AXES
    heads: Span | None  # None for a tensor without heads
    rows: Side
    columns: Side
    kind: HeatmapKind = "signed"
    role: tuple[str, str] | None = None  # letter and colour
    output: bool = False
    marked: int | None = None  # the marked row of the answer
    gradient: np.ndarray | None = None
    hidden: np.ndarray | None = None
    head_axis: str = "H"  # dimension letter of the heads
    undefined: bool = False  # whether NaN is allowed, which has no colour

    def __post_init__(self) -> None:
        values = self.values
        if self.kind not in get_args(HeatmapKind):
            raise ValueError(f"{self.name}: kind {self.kind!r} is not one of {', '.join(get_args(HeatmapKind))}.")
        if values.ndim != 3 or values.size == 0 or values.dtype.kind not in "biuf":
            raise ValueError(
                f"{self.name}: values must be a 3-D array of real numbers with at least one cell, "
                f"not {values.dtype} of shape {values.shape}."
            )
        spans = (self.heads or Span(0, 1, 1), self.rows.span, self.columns.span)
        shape = tuple(span.end - span.first for span in spans)
        if shape != values.shape:
            raise ValueError(f"{self.name}: values of shape {values.shape}, not {shape}.")
        bad = np.isposinf(values) | (np.isnan(values) & (not self.undefined))
        if bad.any():
            index = tuple(map(int, np.argwhere(bad)[0]))
            raise ValueError(
                f"{self.name}: {values[index]} at {index} cannot be drawn; only finite numbers and -inf (masked) can."
            )


def pack(shown: Sequence[Heatmap], labels: Mapping[str, tuple[int, Sequence[str]]]) -> tuple[bytes, bytes]:
    """The constant part of a message: a JSON object without its braces, and the numbers of the tensors.

    `labels` has, by key, the first named index and the names from there on. The numbers follow tensor by tensor:
    values, gradient, hidden, each row by row, little-endian, float32 (masks and hidden: uint8) and padded to a multiple
    of 4 bytes. Raises ValueError if there is no tensor.
    """
    if not shown:
        raise ValueError("There is nothing to draw: at least one tensor is needed.")
    arrays = []
    for heatmap in shown:
        arrays.append(np.ascontiguousarray(heatmap.values, "<u1" if heatmap.kind == "mask" else "<f4"))
        if heatmap.gradient is not None:
            arrays.append(np.ascontiguousarray(heatmap.gradient, "<f4"))
        if heatmap.hidden is not None:
            arrays.append(np.ascontiguousarray(heatmap.hidden, "<u1"))
    scales = _scales([(heatmap.output, heatmap.values if heatmap.kind == "signed" else None) for heatmap in shown])
    slopes = _scales([(heatmap.output, heatmap.gradient) for heatmap in shown])
    header = {
        "labels": {
            key: {"first": first, "names": [name[:LONGEST_LABEL] for name in names]}
            for key, (first, names) in labels.items()
        },
        "tensors": [
            {**_fields(heatmap), "scale": scale, "slope": slope}
            for heatmap, scale, slope in zip(shown, scales, slopes, strict=True)
        ],
    }
    return _json(header)[1:-1], b"".join(_padded(array.tobytes(), b"\0") for array in arrays)


def message(packed: tuple[bytes, bytes], more: Mapping[str, Any]) -> bytes:
    """The message: length of the header (uint32), header (JSON: packed and `more`), numbers."""
    header, numbers = packed
    text = _padded(b"{" + b",".join(filter(None, [header, _json(more)[1:-1]])) + b"}", b" ")
    return len(text).to_bytes(4, "little") + text + numbers


def _fields(heatmap: Heatmap) -> dict[str, Any]:
    return {
        "name": heatmap.name,
        "title": heatmap.title,
        "kind": heatmap.kind,
        "whole": heatmap.values.dtype.kind in "biu",  # announced without decimals
        "role": heatmap.role,
        "output": heatmap.output,
        "axes": [AXES.index(axis) for axis in heatmap.axes],
        "heads": {"axis": heatmap.head_axis, **_bounds(heatmap.heads)} if heatmap.heads else None,
        "rows": {"axis": heatmap.rows.axis, "labels": heatmap.rows.labels, **_bounds(heatmap.rows.span)},
        "columns": {"axis": heatmap.columns.axis, "labels": heatmap.columns.labels, **_bounds(heatmap.columns.span)},
        "marked": heatmap.marked,
        "gradient": heatmap.gradient is not None,
        "hidden": 0 if heatmap.hidden is None else len(heatmap.hidden),
    }


def _bounds(span: Span) -> dict[str, int]:
    return {"first": span.first, "count": span.end - span.first, "size": span.size}


def _json(data: object) -> bytes:
    return json.dumps(data, ensure_ascii=False, separators=(",", ":")).encode()


def _padded(content: bytes, filler: bytes) -> bytes:
    return content + filler * (-len(content) % 4)


def _scales(parts: Sequence[tuple[bool, np.ndarray | None]]) -> list[float]:
    """End of the colour scale for each (whether it is the output, its numbers).

    Inputs share one scale; the output shares it too, unless one of them would look pale.
    """
    inputs, output = (
        _largest(array for is_output, array in parts if array is not None and is_output == side)
        for side in (False, True)
    )
    if max(inputs, output) <= SAME_SCALE * min(inputs, output):
        inputs = output = max(inputs, output)
    return [output if is_output else inputs for is_output, _ in parts]


def _largest(arrays: Iterable[np.ndarray]) -> float:
    """The largest finite absolute value, or 1 if all are zero (a scale needs a width)."""
    finite = (np.abs(array[np.isfinite(array)]).max(initial=0.0) for array in arrays)
    return float(max(finite, default=0.0)) or 1.0
