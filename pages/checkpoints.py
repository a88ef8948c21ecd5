"""Checkpoints: what was kept, here in the library and on the Hub."""

import streamlit as st

from playground.ui import account, gallery, library, view, views

VIEWS = {"library": library, "hub": gallery}

view.follow({"view": views.CHECKPOINTS.key} | library.VIEW, {views.CHECKPOINTS.key: "library"})
views.CHECKPOINTS.open_view()
with st.container(horizontal=True, vertical_alignment="center", key="head"):
    st.title("Checkpoints", width="content")
    views.CHECKPOINTS.switch()
    with st.container(horizontal=True, horizontal_alignment="right", key="who"):
        account.chip()
for name, other in VIEWS.items():
    if name != views.CHECKPOINTS.shown():
        view.drop_view(other.VIEW)
VIEWS[views.CHECKPOINTS.shown()].show()
