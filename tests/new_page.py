"""Tokens: how long the vector of each token is as it enters the model.

An example of a page in one file, with a control of its own. Its row is `ROW` in `tests/pages.py`.
"""

from html import escape

import streamlit as st

from playground.explain.inspection import Walk
from playground.ui.parts import style
from playground.ui.passes.frame import Pass, frame
from playground.ui.session.address import QueryParam, one_of
from playground.ui.session.pages import TOKENS
from playground.ui.session.session_keys import Key

VECTORS = {"token_embedding": "Token embedding", "sum": "With its position"}
VECTOR = Key[str]("tokens vector", "token_embedding", "Widget: tap of the vectors that are measured")


def draw(shown: Pass) -> None:
    st.segmented_control("Vector", list(VECTORS), format_func=VECTORS.get, required=True, **VECTOR.widget)
    rows = []
    for step in shown.walk.steps:
        if step.operation.owner == "Embeddings" and step.operation.tap == VECTOR.get():
            tokens, lengths = shown.walk.tokens[step.dims[1]], step.value[0].norm(dim=-1).tolist()
            for position, (token, length) in enumerate(zip(tokens, lengths, strict=True), start=1):
                rows.append((step.name.partition(".")[0], str(position), escape(token), f"{length:.3f}"))
    with st.container(key="token-lengths"):
        st.html(style.table(("stack", "position", "token", "length"), rows))


def beside(walk: Walk) -> None:
    style.caption(f"{len(walk.steps)} operations")


frame(TOKENS, draw, beside, QueryParam("vector", VECTOR, one_of(VECTORS)))
