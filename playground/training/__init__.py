"""Training as a generator, and the tests that go with it."""

from playground.training.evaluation import (
    FIRST_SEQUENCES,
    SHOWN_EXAMPLES,
    SOLVED_AT,
    Evaluation,
    Example,
    answered_right,
    evaluate,
    evaluate_all,
    examples,
    head_entropy,
    is_solved,
    right_answers,
)
from playground.training.loop import Progress, Training, TrainingError, train
from playground.training.recipe import USUAL, Recipe
from playground.training.schedules import learning_rate

__all__ = [
    "FIRST_SEQUENCES",
    "SHOWN_EXAMPLES",
    "SOLVED_AT",
    "USUAL",
    "Evaluation",
    "Example",
    "Progress",
    "Recipe",
    "Training",
    "TrainingError",
    "answered_right",
    "evaluate",
    "evaluate_all",
    "examples",
    "head_entropy",
    "is_solved",
    "learning_rate",
    "right_answers",
    "train",
]
