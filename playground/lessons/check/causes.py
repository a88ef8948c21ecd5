"""Causes by name: what is wrong in a sentence, and the lesson that explains it."""

from playground.common.errors import sentences
from playground.lessons.lesson import Lesson
from playground.lessons.mistakes.table import MISTAKES

WHY = {cause: mistake.why for cause, mistake in MISTAKES.items()}


def explained(cause: str, problem: str = "") -> str:
    """The mistake by its title, then what shows it in a sentence, if there is one, and what is right."""
    return sentences(f"{MISTAKES[cause].title}.", problem, WHY[cause])


def lesson_of(cause: str | None) -> Lesson | None:
    """The lesson that explains a cause; None for none."""
    return MISTAKES[cause].lesson if cause in MISTAKES else None
