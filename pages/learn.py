"""Learn: lessons, formulas beside code and tensors, pitfalls, a bug hunt, and a check of the visitor's code."""

import streamlit as st

from playground.ui.learn import formulas, hunt_view, lessons_view, pitfalls_view
from playground.ui.learn.check import check_view
from playground.ui.parts import views
from playground.ui.session.pages import LEARN

VIEWS = {
    "lessons": lessons_view,
    "formulas": formulas,
    "pitfalls": pitfalls_view,
    "hunt": hunt_view,
    "check": check_view,
}

views.LEARN.view.open()
with st.container(horizontal=True, vertical_alignment="center", key="head"):
    st.title(LEARN.title, width="content")
    views.LEARN.switch()
for name, view in VIEWS.items():
    if name != views.LEARN.shown():
        view.ADDRESS.drop()
shown = VIEWS[views.LEARN.shown()]
shown.ADDRESS.open()
shown.show()
