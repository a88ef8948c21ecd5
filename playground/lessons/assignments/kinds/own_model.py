"""The model that a student trains with their own seed, trained again to compute the answer."""

from functools import lru_cache

from playground.lessons.assignments.kinds.part import AssignmentError
from playground.lessons.lesson import is_number
from playground.model.task_model import TaskModel
from playground.settings.config import RunConfig
from playground.training.loop import Training


@lru_cache(maxsize=8)
def own_model(config: RunConfig) -> TaskModel:
    """The model at the end of a run; not to be changed."""
    training = Training(config)
    for _ in training.progress():
        pass
    return training.model


def number_of(text: str) -> float:
    """A number as a person types it, with a decimal point or comma, or in percent. Raises `AssignmentError`."""
    plain = text.removesuffix("%").strip()
    if not is_number(plain):
        raise AssignmentError(f"{text!r:.60} is not a number.", "Type one, for example 0.25.")
    return float(plain.replace("−", "-").replace(",", "."))
