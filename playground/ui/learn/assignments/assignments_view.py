"""Assignments view: take one, compose one, or grade receipts."""

import streamlit as st

from playground.ui.learn.assignments import compose_view, grade_view, take_view
from playground.ui.session import session_keys as keys
from playground.ui.session.address import QueryParam, QueryParams, one_of

SHOWS = {"take": "Take", "compose": "Compose", "grade": "Grade"}

ADDRESS = QueryParams(
    "assignments", QueryParam("do", keys.ASSIGNMENTS, one_of(SHOWS)), *take_view.PARAMS, *compose_view.PARAMS
)


def show() -> None:
    """Draw the view, which is drawn again by itself."""
    st.fragment(_draw)()


def _draw() -> None:
    st.segmented_control(
        "Assignments",
        list(SHOWS),
        required=True,
        format_func=SHOWS.__getitem__,
        label_visibility="collapsed",
        **keys.ASSIGNMENTS.widget,
    )
    {"take": take_view, "compose": compose_view, "grade": grade_view}[keys.ASSIGNMENTS.get()].show()
    ADDRESS.keep()
