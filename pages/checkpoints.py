"""Checkpoints: what was kept, here in the library and on the Hub."""

import streamlit as st

from playground.ui import account, gallery, library, views

VIEWS = {"library": library.show, "hub": gallery.show}

views.CHECKPOINTS.open_view()
with st.container(horizontal=True, vertical_alignment="center", key="head"):
    st.title("Checkpoints", width="content")
    views.CHECKPOINTS.switch()
    with st.container(horizontal=True, horizontal_alignment="right", key="who"):
        account.chip()
VIEWS[views.CHECKPOINTS.shown()]()
