"""Heatmaps: 2-D slices of tensors as small multiples, all drawn by one component on the page.

Python checks and packs the values; heatmap.js decides sizes and colours, because only the browser knows the
width, the theme and the sharpness of the screen.
"""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
import streamlit as st

from playground.ui.assets import loader

Kind = Literal["signed", "probability", "mask", "tokens"]


@dataclass(frozen=True, eq=False)
class Grid:
    """One 2-D slice of a tensor: what the heatmap draws.

    `values` is (rows, columns) of numbers or booleans; minus infinity marks a masked score and is hatched.
    How a cell looks depends on `kind`:

    - "signed": two colours around zero, on one scale shared by all grids of a call;
    - "probability": one colour from 0 to 1;
    - "mask": True (or not 0) is allowed and filled, False is blocked and hatched;
    - "tokens": no colour but text: the column labels of a single row, the row labels of a single column, and
      otherwise the values (token ids).

    Raises ValueError, naming the grid, if `values` is not a 2-D array of real numbers with at least one cell,
    holds NaN, plus infinity or a number too large for 32 bits, or if a side has not one label per index.
    """

    title: str
    values: np.ndarray  # (rows, columns)
    row_labels: tuple[str, ...]  # token or index per row
    column_labels: tuple[str, ...]  # token or index per column
    row_axis: str  # dimension letter or word, e.g. "T"
    column_axis: str
    kind: Kind = "signed"

    def __post_init__(self) -> None:
        name = f'Heatmap "{self.title}"' if self.title else "Heatmap without a title"
        values = np.asarray(self.values)
        if self.kind not in get_args(Kind):
            raise ValueError(f"{name}: kind {self.kind!r} is not one of {', '.join(get_args(Kind))}.")
        if values.ndim != 2 or values.size == 0 or values.dtype.kind not in "biuf":
            raise ValueError(
                f"{name}: values must be a 2-D array of real numbers with at least one cell, "
                f"not {values.dtype} of shape {values.shape}."
            )
        for side, labels, count in zip(
            ("row", "column"), (self.row_labels, self.column_labels), values.shape, strict=True
        ):
            if len(labels) != count:
                raise ValueError(f"{name}: {len(labels)} {side} labels for {count} {side}s.")
        packed = _float32(values)
        bad = np.isnan(packed) | (np.isinf(packed) & (values != -np.inf))
        if bad.any():
            row, column = np.argwhere(bad)[0]
            raise ValueError(
                f"{name}: {values[row, column]} at row {row}, column {column} cannot be drawn; "
                "only numbers within 32-bit range and -inf (masked) can."
            )


def heatmaps(grids: Sequence[Grid], *, key: str, height: int | None = None) -> None:
    """Draw all `grids` side by side, wrapping to the width there is, in one mount.

    One mount for many grids is what keeps a click fast, so pass the heads of a layer together. `key` must stay
    the same from run to run: then new values repaint in place. With `height` (pixels) the component is exactly
    that high and scrolls inside; without it, it is as high as its content.

    Raises ValueError if there is no grid.
    """
    _component(key=key, data=encode(grids, height), height="content" if height is None else height)


def encode(grids: Sequence[Grid], height: int | None = None) -> bytes:
    """Pack grids for the browser: header length (uint32), header (JSON), then every grid's values (float32).

    All little-endian, the header padded to a multiple of 4 bytes; values follow row by row, grid by grid.
    Raises ValueError if there is no grid.
    """
    if not grids:
        raise ValueError("There is nothing to draw: heatmaps() needs at least one grid.")
    arrays = [_float32(grid.values) for grid in grids]
    header = {
        "height": height,
        "scale": _largest(array for grid, array in zip(grids, arrays, strict=True) if grid.kind == "signed"),
        "grids": [
            {
                "title": grid.title,
                "kind": grid.kind,
                "whole": np.asarray(grid.values).dtype.kind in "biu",  # read out without decimals
                "rowLabels": grid.row_labels,
                "columnLabels": grid.column_labels,
                "rowAxis": grid.row_axis,
                "columnAxis": grid.column_axis,
            }
            for grid in grids
        ],
    }
    text = json.dumps(header, ensure_ascii=False, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 4)
    return b"".join([len(text).to_bytes(4, "little"), text, *(array.tobytes() for array in arrays)])


def _float32(values: np.ndarray) -> np.ndarray:
    with np.errstate(over="ignore"):  # too large becomes infinite, which Grid refuses in words
        return np.ascontiguousarray(values, dtype="<f4")


def _largest(arrays: Iterable[np.ndarray]) -> float:
    """The largest finite absolute value, or 1 where all are zero (a scale needs a width)."""
    finite = (np.abs(array[np.isfinite(array)]).max(initial=0.0) for array in arrays)
    return float(max(finite, default=0.0)) or 1.0


_component = st.components.v2.component(
    "playground_heatmaps",
    html='<div class="heatmap"><div class="grids"></div>'
    '<div class="readout" aria-live="polite"></div><div class="legend"></div></div>',
    js=loader("heatmap.js"),
)
