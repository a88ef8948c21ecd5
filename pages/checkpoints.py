"""Checkpoints: saved models as cards, in the library and on the Hub."""

import streamlit as st

from playground.ui.checkpoints import cards, hub_models, sign_in
from playground.ui.parts import views

VIEWS = {"library": cards, "hub": hub_models}

for view in (views.CHECKPOINTS.view, cards.ADDRESS):
    view.follow()
views.CHECKPOINTS.view.open()
with st.container(horizontal=True, vertical_alignment="center", key="head"):
    st.title("Checkpoints", anchor=False, width="content")
    views.CHECKPOINTS.switch()
    with st.container(horizontal=True, horizontal_alignment="right", key="who"):
        sign_in.chip()
for name, other in VIEWS.items():
    if name != views.CHECKPOINTS.shown():
        other.ADDRESS.drop()
VIEWS[views.CHECKPOINTS.shown()].show()
