"""The view of pitfalls: a classic mistake trained beside the right model, and the measure that shows it."""

from playground.ui.session.view import View

VIEW = View("pitfalls")


def show() -> None:
    """Draws the view."""
