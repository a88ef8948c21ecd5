"""Checkpoints: saved models as cards, in the library and on the Hub."""

import streamlit as st

from playground.ui.checkpoints import cards
from playground.ui.hub import sign_in
from playground.ui.session.pages import CHECKPOINTS
from playground.ui.shell import views

for address in (views.switch_address(CHECKPOINTS), cards.ADDRESS):
    address.follow()
shown, head = views.choose(CHECKPOINTS)
with head, st.container(horizontal=True, horizontal_alignment="right", key="who"):
    sign_in.chip()
views.show(CHECKPOINTS, shown)
