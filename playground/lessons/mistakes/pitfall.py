"""A pitfall: a mistake that a model is trained with beside the correct one, and the measure that shows it."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from playground.common.numbers import percent
from playground.lessons import measures
from playground.lessons.measures import MistakeMeasure
from playground.lessons.mistakes.classes import apply
from playground.model.task_model import TaskModel
from playground.settings.config import Change, RunConfig
from playground.training import Recipe, Training


@dataclass(frozen=True)
class Pitfall(Recipe):
    """A mistake, where it is made, and the measure that shows it; as a recipe, it makes what has the mistake."""

    mistake: type
    measure: MistakeMeasure
    symptom: str  # a sentence with the measured {right} and {wrong}
    operation: str  # name of the tap at which Step through shows it
    lower: bool = False  # whether the mistake makes the measure smaller
    settings: Mapping[str, Any] = field(default_factory=dict)  # besides those of `BASE`
    shows: float = 1.5  # the least ratio of the two measures that counts as seen
    hunted: bool = True  # whether its measure shows it with the settings of a bug hunt, too

    def model(self, config: RunConfig) -> TaskModel:
        """A model with the mistake and the same weights as the right one."""
        model = TaskModel(config)
        if not issubclass(self.mistake, Training):
            apply(self.mistake, model)
        model.decoding = "token_by_token"  # a mistake may let it read ahead: only this is a fair test
        return model

    def training(self, config: RunConfig, model: TaskModel, changes: Iterable[Change] = ()) -> Training:
        """A training with the mistake; its settings can't change mid-run."""
        if tuple(changes):
            raise ValueError("A run with a mistake can't change mid-run.")
        return self.mistake(config, model) if issubclass(self.mistake, Training) else Training(config, model)

    @property
    def right(self) -> type:
        """The class without the mistake."""
        return self.mistake.__mro__[1]

    @property
    def measured_as(self) -> str:
        """A sentence on the measure."""
        return (self.measure.__doc__ or "").splitlines()[0]

    def config(self, seed: int) -> RunConfig:
        """The settings with which both models train."""
        return BASE.updated({**self.settings, "seed": seed})

    def seen(self, right: float, wrong: float) -> bool:
        """True if the measure shows the mistake."""
        most, least = (right, wrong) if self.lower else (wrong, right)
        return most > 0.01 and most >= self.shows * least

    def tell(self, right: float, wrong: float) -> str:
        """The symptom in one sentence, from measured numbers."""
        return self.symptom.format(right=self.shown(right), wrong=self.shown(wrong))

    def shown(self, value: float) -> str:
        """A value of the measure as people read it."""
        return shown(self.measure, value)


BASE = RunConfig().updated(
    {
        "task.name": "reverse",
        "task.vocab_size": 6,
        "task.min_length": 1,
        "task.max_length": 6,
        "model.d_model": 32,
        "model.n_heads": 2,
        "model.d_ff": 64,
        "model.positions": "two_way",
        "training.steps": 120,
        "training.batch_size": 32,
        "training.learning_rate": 1e-2,
        "training.schedule": "constant",
        "training.warmup_steps": 0,
        "training.stop_when_solved": False,
        "training.eval_every": 1000,
    }
)
"""Small enough to train in a second, large enough to be solved."""


def shown(measure: MistakeMeasure, value: float) -> str:
    """A value of a measure as people read it: fractions in percent."""
    return percent(value) if measure in measures.FRACTIONS else number(value)


def number(value: float) -> str:
    """A measured number, short."""
    if 0 < abs(value) < 0.01:
        return f"{value:.1g}" if abs(value) >= 1e-4 else "less than 0.0001"
    return f"{value:.2f}" if abs(value) < 100 else f"{value:.0f}"
