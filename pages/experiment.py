"""Experiment: what each part of a model does. Heads, interventions, logits, circuits, counterfactual training."""

import streamlit as st

from playground.ui.experiment import circuits_view, counterfactual_view, heads_view, intervention_view, logits_view
from playground.ui.parts import style, views
from playground.ui.session import session_keys as keys
from playground.ui.session.pages import EXPERIMENT
from playground.ui.step import subject

VIEWS = {
    "heads": heads_view,
    "change": intervention_view,
    "read": logits_view,
    "circuits": circuits_view,
    "training": counterfactual_view,
}

views.EXPERIMENT.view.open()
with st.container(horizontal=True, vertical_alignment="center", key="head"):
    st.title(EXPERIMENT.title, width="content")
    views.EXPERIMENT.switch()
for name, view in VIEWS.items():
    if name != views.EXPERIMENT.shown():
        view.ADDRESS.drop(but=subject.PASS_PARAMS)
shown = VIEWS[views.EXPERIMENT.shown()]
shown.ADDRESS.open()
if keys.CHANGES.get() and shown is not intervention_view:
    style.caption("This view shows the intact model. Your changes are under Interventions.")
shown.show()
