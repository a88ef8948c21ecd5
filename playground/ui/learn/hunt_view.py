"""The bug hunt: a model with a hidden mistake, to be found from its numbers."""

from playground.ui.session.view import View

VIEW = View("hunt")


def show() -> None:
    """Draws the view."""
