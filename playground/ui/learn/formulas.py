"""Formulas view: every formula of the current model beside the statement that ran and its tensor."""

import streamlit as st

from playground.explain import tap_path
from playground.explain.inspection import Walk
from playground.lessons import formula_table
from playground.ui.learn import formula_rows
from playground.ui.parts import style
from playground.ui.passes import tensors
from playground.ui.passes.frame import Pass
from playground.ui.session import session_keys as keys
from playground.ui.session.address import QueryParams
from playground.ui.session.pages import STEP_THROUGH
from playground.ui.session.session_keys import Key

LEARN_ATTENTION = Key[str | None]("learn attention", None, "Widget: attention whose head is shown")
LEARN_HEAD = Key[int]("learn head", 1, "Widget: head that is shown, from 1")

ADDRESS = QueryParams("formulas")


def draw(shown: Pass) -> None:
    """Draw the symbols, one head, and a row for each formula, which opens in Step through."""
    walk = shown.walk
    style.caption(
        "Each formula of this model, with the line of code that ran and the resulting tensor. Open one to see all its "
        "numbers on the page Step through."
    )
    with st.expander("Symbols of the papers in this model"):
        formula_rows.show_symbols(list(formula_table.symbols(walk)))
    with st.expander("One head and its slices of the weights"):
        _one_head(walk)
    rows = formula_table.rows(walk)
    pictures = [tensors.thumbnail(walk, row.step, *formula_rows.SMALL) for row in rows]
    if name := formula_rows.show_rows(rows, pictures):
        keys.OPERATION.set(name)
        st.switch_page(STEP_THROUGH.file)


def _one_head(walk: Walk) -> None:
    """Draw a head of the visitor's choice."""
    paths = formula_table.attentions(walk)
    left, right = st.columns(2)
    path = left.selectbox(
        "Attention",
        paths,
        index=len(paths) - 1,
        format_func=lambda path: ", ".join(tap_path(path)).capitalize(),
        **LEARN_ATTENTION.widget,
    )
    heads = range(1, walk.model.config.model.n_heads + 1)
    index = right.segmented_control("Head", heads, key=LEARN_HEAD.name, default=1, required=True)
    formula_rows.show_head(formula_table.head(walk, path, index - 1))
