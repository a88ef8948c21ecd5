"""Training as a generator, and the tests that go with it."""

from playground.optimization.schedules import learning_rate
from playground.training.evaluation import (
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
    with_interval,
)
from playground.training.loop import Progress, Training, TrainingError, history_of, train
from playground.training.recipe import USUAL, Recipe

__all__ = [
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
    "history_of",
    "is_solved",
    "learning_rate",
    "train",
    "with_interval",
]
