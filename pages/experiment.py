"""Experiment: what each part of a model does. Heads, interventions, logits, circuits, counterfactual training."""

from playground.ui.parts import style
from playground.ui.session import session_keys as keys
from playground.ui.session.pages import EXPERIMENT
from playground.ui.shell import views

shown, _ = views.choose(EXPERIMENT)
if keys.CHANGES.get() and shown.name != "change":
    style.caption("This view shows the unchanged model. Your changes are under Interventions.")
views.show(EXPERIMENT, shown)
