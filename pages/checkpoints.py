"""Checkpoints: what was kept, here in the library and on the Hub."""

import streamlit as st

from playground.ui.checkpoints import cards, hub_models, sign_in
from playground.ui.parts import views
from playground.ui.session import view

VIEWS = {"library": cards, "hub": hub_models}

view.follow({"view": views.CHECKPOINTS.key} | cards.VIEW, {views.CHECKPOINTS.key: "library"})
views.CHECKPOINTS.open_view()
with st.container(horizontal=True, vertical_alignment="center", key="head"):
    st.title("Checkpoints", width="content")
    views.CHECKPOINTS.switch()
    with st.container(horizontal=True, horizontal_alignment="right", key="who"):
        sign_in.chip()
for name, other in VIEWS.items():
    if name != views.CHECKPOINTS.shown():
        view.drop_view(other.VIEW)
VIEWS[views.CHECKPOINTS.shown()].show()
