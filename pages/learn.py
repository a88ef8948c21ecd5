"""Learn: lessons, formulas beside code and tensors, pitfalls, a bug hunt, and a check of the visitor's code."""

from playground.ui.session.pages import LEARN
from playground.ui.shell import views

shown, _ = views.choose(LEARN)
views.show(LEARN, shown)
