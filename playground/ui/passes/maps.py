"""Heatmaps of several tensors, with the heads of each side by side; the pointer marks a row in all of them.

Drawn by maps.ts.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import streamlit as st
from torch import Tensor

from playground.model.head_paths import token_taps
from playground.ui.parts.heatmaps.folding import Span
from playground.ui.parts.heatmaps.heatmap import Heatmap, HeatmapKind, Side, message, pack
from playground.ui.server.assets import loader
from playground.ui.session import at_step
from playground.ui.session import session_keys as keys

Note = tuple[str, str]
"""Caption below a head, and its tooltip."""

HeadCell = tuple[int, int, int, int]
"""Index of a tensor, head, row and column, from 0."""

_maps = st.components.v2.component("playground_maps", html='<div class="maps"></div>', js=loader("passes/maps.ts"))


def letters(attention: str) -> tuple[str, str]:
    """Letters of the query and the key axis of the attention at this path: S source, T target."""
    query, key = ("S" if tap.startswith("encoder") else "T" for tap in token_taps(attention))
    return query, key


def heatmap(
    name: str,
    title: str,
    values: Tensor,
    axes: tuple[str, str],
    labels: tuple[str, str] = ("", ""),
    *,
    kind: HeatmapKind = "signed",
    hidden: Tensor | None = None,
) -> Heatmap:
    """A tensor (rows, columns) or (heads, rows, columns) with the letters of its `axes`.

    `labels` are keys of the names beside the cells, see `show`; without them, rows and columns are numbered from 1.
    """
    heads = values.size(0) if values.ndim == 3 else None
    rows, columns = values.shape[-2:]
    return Heatmap(
        name=name,
        title=title,
        values=values.reshape(-1, rows, columns).numpy(),
        axes=("head", "row", "column")[heads is None :],
        heads=None if heads is None else Span(0, heads, heads),
        rows=Side(axes[0], Span(0, rows, rows), labels[0]),
        columns=Side(axes[1], Span(0, columns, columns), labels[1]),
        kind=kind,
        hidden=None if hidden is None else hidden.numpy(),
    )


def show(
    where: str,
    pictures: Sequence[Heatmap],
    labels: Mapping[str, Sequence[str]],
    *,
    words: tuple[str, str, str] = ("row", "column", ""),
    notes: Sequence[Sequence[Note]] = (),
    opens: bool = False,
    follows: bool = False,
    chosen: HeadCell | None = None,
    on_pair: Callable[[], None] | None = None,
) -> Any:
    """Draw heatmaps; returns what the browser reports in `open`: the name of a tensor and a head from 0.

    `where` is unique on the page. `words` name a row, a column and a value. With `opens`, each head has
    a button. With `follows`, the last column is in sight whenever the number of columns changes. `on_pair` is called
    when a cell is chosen: `pair` in the component's value has the tensor's name, the head, the row and the column.
    """
    more = {
        "words": words,
        "notes": [[{"text": text, "help": help} for text, help in picture_notes] for picture_notes in notes],
        "opens": opens,
        "follows": follows,
        "chooses": on_pair is not None,
        "chosen": chosen,
        "held": at_step.is_playing(),
    }
    data = message(pack(pictures, {key: (0, names) for key, names in labels.items()}), more)
    shown = _maps(
        data=data,
        key=keys.MAPS.of(where).name,
        height="content",
        on_open_change=lambda: None,
        on_pair_change=on_pair or (lambda: None),
    )
    return shown.open
