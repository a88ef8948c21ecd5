"""Exercises of lessons: runs that one click trains, and values computed from them."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from playground.lessons.mistakes.pitfall import BASE as SMALL
from playground.model.task_model import TaskModel
from playground.settings.config import RunConfig

BASE = SMALL.updated({"training.steps": 300, "training.eval_every": 10, "training.stop_when_solved": True})
"""The settings of an exercise, besides what each of its runs changes: trained in seconds."""


@dataclass(frozen=True)
class ExerciseRun:
    """The result of a run: its records, and its model at the first and the last step."""

    records: Sequence[Mapping[str, Any]]
    first: TaskModel
    last: TaskModel

    @property
    def steps(self) -> int:
        """Steps that were taken; fewer than planned if it was solved."""
        return int(self.records[-1]["step"])

    def measured(self, name: str) -> float:
        """The newest value of a measure, such as "exact_match"."""
        return float(next(record[name] for record in reversed(self.records) if name in record))

    @property
    def exact_match(self) -> float:
        """Fraction of held-out answers that are right in every token, at the last evaluation."""
        return self.measured("exact_match")


@dataclass(frozen=True)
class Exercise:
    """Runs by label, as settings that differ from `BASE`; `facts` makes values of the text from their outcomes."""

    runs: Mapping[str, Mapping[str, Any]]
    facts: Callable[[Mapping[str, ExerciseRun]], Mapping[str, object]]

    def configs(self, seed: int) -> dict[str, RunConfig]:
        """The settings of each run."""
        return {label: BASE.updated({**settings, "seed": seed}) for label, settings in self.runs.items()}
