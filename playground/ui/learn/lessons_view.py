"""The view of lessons: what there is to learn, and the lesson that is open."""

from playground.ui.session.view import View

VIEW = View("lessons")


def show() -> None:
    """Draws the view."""
