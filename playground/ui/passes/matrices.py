"""Small matrices side by side, with their numbers."""

from collections.abc import Sequence
from typing import Any

import streamlit as st

from playground.lessons.live_parts import Numbers
from playground.ui.parts.heatmaps.folding import Span
from playground.ui.parts.heatmaps.heatmap import Heatmap, Side, message, pack
from playground.ui.server.assets import loader
from playground.ui.session.session_keys import Key

MATRICES = Key[Any]("matrices {}", None, "Component: matrices side by side")

_matrices = st.components.v2.component(
    "playground_matrices", html='<div class="matrices wrap"></div>', js=loader("passes/matrices.ts")
)


def show(matrices: Sequence[Numbers], name: str) -> None:
    """Draw matrices side by side. `name` is unique on the page."""
    labels: dict[str, tuple[int, Sequence[str]]] = {}
    pictures, styles = [], []
    for index, matrix in enumerate(matrices):
        values = matrix.values.detach().numpy()
        heads = values.shape[0] if values.ndim == 3 else None
        values = values.reshape(heads or 1, -1, values.shape[-1])
        sides = []
        for axis, letter, names in (
            ("rows", matrix.dims[-2], matrix.rows),
            ("columns", matrix.dims[-1], matrix.columns),
        ):
            size = values.shape[1 if axis == "rows" else 2]
            if names:
                labels[f"{axis} {index}"] = 0, list(names)
            sides.append(Side(letter, Span(0, size, size), f"{axis} {index}" if names else ""))
        pictures.append(
            Heatmap(
                name=matrix.title,
                title=matrix.title,
                values=values,
                axes=("head", "row", "column") if heads else ("row", "column"),
                heads=Span(0, heads, heads) if heads else None,
                rows=sides[0],
                columns=sides[1],
                kind=matrix.kind,
                undefined=True,
            )
        )
        letter = matrix.dims[0] if len(matrix.dims) == 3 else ""
        styles.append({"digits": matrix.digits, "names": list(matrix.names), "letter": letter})
    data = message(pack(pictures, labels), {"styles": styles})
    _matrices(data=data, key=MATRICES.of(name).name, height="content")
