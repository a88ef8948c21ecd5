"""The check of one's own code, on one's own machine; a shared host gives the command."""

from playground.ui.session.view import View

VIEW = View("check")


def show() -> None:
    """Draws the view."""
