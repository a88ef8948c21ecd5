"""Table of formulas: formula, class, statement, shape and a thumbnail of each tensor."""

from collections.abc import Sequence
from html import escape
from typing import Any

import numpy as np
import streamlit as st

from playground.lessons.formula_table import HeadTensors, Row, Symbol
from playground.ui.parts import style
from playground.ui.parts.heatmaps.folding import Span
from playground.ui.parts.heatmaps.heatmap import Heatmap, Side, message, pack
from playground.ui.parts.mathml import mathml
from playground.ui.passes.statement import highlighted
from playground.ui.server.assets import loader
from playground.ui.session.session_keys import Key

FORMULAS = Key[Any]("formulas {}", None, "Component: the table of formulas")
SYMBOLS = Key[Any]("symbols", None, "Component: the paper's symbols")
ONE_HEAD = Key[Any]("one-head", None, "Component: one head of an attention")

SMALL = (16, 64)
"""Maximum rows and columns of a thumbnail."""

_rows = st.components.v2.component(
    "playground_formula_rows", html='<div class="formula-rows"></div>', js=loader("learn/formula_rows.ts")
)
_head = st.components.v2.component(
    "playground_one_head", html='<div class="one-head wrap"></div>', js=loader("learn/formula_rows.ts", "head")
)
# Streamlit's own HTML has no MathML.
_symbols = st.components.v2.component(
    "playground_symbols", html='<div class="symbols"></div>', js=loader("learn/formula_rows.ts", "symbols")
)


def show_rows(rows: Sequence[Row], pictures: Sequence[Heatmap], where: str = "all") -> str | None:
    """Draw a row for each formula; returns the tap whose row was just opened. `where` is unique on the page."""
    table = [
        {
            "name": row.step.name,
            "title": row.step.document.title,
            "formula": mathml(row.step.document.formula),
            "source": ", ".join(str(source) for source in row.step.document.sources),
            "owner": row.owner,
            "statement": highlighted(row.step.operation.source.code),
            "file": row.step.operation.source.where,
            "shape": style.shape(row.step.dims, tuple(row.step.value.shape)),
            "repeated": row.repeated,
        }
        for row in rows
    ]
    data = message(pack(pictures, {}), {"rows": table})
    return _rows(data=data, key=FORMULAS.of(where).name, height="content", on_open_change=lambda: None).open


def show_symbols(symbols: Sequence[Symbol]) -> None:
    """Draw the symbols of the paper as a table."""
    rows = [
        (
            mathml(symbol.formula),
            escape(symbol.meaning),
            _size(symbol),
            f"<code>{escape(symbol.where)}</code>",
        )
        for symbol in symbols
    ]
    table = style.table(("symbol", "meaning", "here", "in the code"), rows)
    _symbols(data={"table": table}, key=SYMBOLS.name, height="content")


def show_head(head: HeadTensors) -> None:
    """Draw one head: its formula, its slices of the weights, and its output."""
    key = head.projections.get("K")
    group = rf",\quad g = {key.of + 1:d}" if key and key.of is not None and key.index == "g" else ""
    st.latex(
        rf"{head.formula},\qquad i = {head.head + 1:d}{group},\quad "
        rf"W_i^Q = W^Q_{{:,\,{head.columns.start + 1:d} \ldots {head.columns.stop:d}}}"
    )
    shown = {each.formula: each for each in head.projections.values()}
    pictures = [_picture(name, each.weights.numpy(), (each.dims[0], each.dims[1])) for name, each in shown.items()]
    pictures.append(_picture("head", head.output.numpy(), ("T", "K")))
    names = [*map(mathml, shown), mathml(rf"\mathrm{{head}}_{{{head.head + 1}}}")]
    _head(data=message(pack(pictures, {}), {"names": names}), key=ONE_HEAD.name, height="content")


def _picture(title: str, values: np.ndarray, axes: tuple[str, str]) -> Heatmap:
    rows, columns = values.shape
    return Heatmap(
        name=title,
        title=title,
        values=values[None],
        axes=("row", "column"),
        heads=None,
        rows=Side(axes[0], Span(0, rows, rows)),
        columns=Side(axes[1], Span(0, columns, columns)),
    )


def _size(symbol: Symbol) -> str:
    sizes = ", ".join(f"{size:,}" for size in symbol.value)
    return f"({escape(symbol.dims.replace(' ', ', '))}) = ({sizes})" if symbol.dims else sizes
