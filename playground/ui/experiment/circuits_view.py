"""The algorithm in the weights: circuits, embeddings, and a program for each head."""

from playground.ui.parts import style
from playground.ui.session.pages import EXPERIMENT
from playground.ui.session.view import View
from playground.ui.shell.forward_page import Pass, frame
from playground.ui.step import subject

VIEW = View("circuits_view", *subject.READING)


def show() -> None:
    """Draws the model's choice and the view."""
    frame(EXPERIMENT, _draw, heading=False)


def _draw(shown: Pass) -> None:
    style.caption("")
