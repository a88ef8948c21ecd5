"""The section of the Compare view with the costs of each model, part by part."""

from collections.abc import Sequence
from html import escape

import streamlit as st

from playground.experiments import comparison
from playground.experiments.costs import CostRow, cost_of, cost_rows
from playground.runs import Run
from playground.ui.parts import style


def show(chosen: Sequence[Run]) -> None:
    """Draw a table with a column for each run."""
    st.markdown("**Cost by part**")
    rows = cost_rows([cost_of(run.config) for run in chosen])
    with st.container(key="compared-costs"):
        st.html(style.table(["", *comparison.labels(chosen)], list(map(_cells, rows)), "Cost by part", explains=False))
    style.caption(
        "Multiplications of matrices: one forward pass over the longest sequence. A mixture computes all its experts. "
        "Bytes of the KV cache are measured: what a cached decoder keeps for one token, in all layers."
    )


def _cells(row: CostRow) -> list[str]:
    name = escape(row.name)
    cells = [f"<b>{name}</b>" if row.total else f"&ensp;{name}"]
    for number in row.numbers:
        shown = f"{number:,}" if number or not row.name.startswith("KV") else "no cache"
        cells.append(f"<b>{shown}</b>" if row.total else shown)
    return cells
