"""Checkpoints: what was kept, here in the library and on the Hub."""

import streamlit as st

from playground.ui import library, views

VIEWS = {"library": library.show}

views.CHECKPOINTS.open_view()
with st.container(horizontal=True, vertical_alignment="center", key="head"):
    st.title("Checkpoints", width="content")
    views.CHECKPOINTS.switch()
VIEWS[views.CHECKPOINTS.shown()]()
