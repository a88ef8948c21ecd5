"""Learning rates: a linear warm-up to the peak, then one of these schedules. To add one: its function and its row here.

A schedule is a function of the settings and the step, counted from 1, that gives the fraction of the peak.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol


class ScheduleSettings(Protocol):
    """The settings that a schedule reads; `config.TrainingConfig` has them."""

    @property
    def steps(self) -> int: ...
    @property
    def warmup_steps(self) -> int: ...
    @property
    def learning_rate(self) -> float: ...
    @property
    def schedule(self) -> str: ...


@dataclass(frozen=True)
class ScheduleRow:
    """A schedule; its function's name is the setting's value."""

    function: Callable[[ScheduleSettings, int], float]
    label: str
    help: str = ""  # in the setting's help text
    reads_steps: bool = True  # more steps in all change the learning rate of each
    needs_warmup: bool = False


def constant(settings: ScheduleSettings, step: int) -> float:
    """Stays at the peak."""
    return 1.0


def cosine(settings: ScheduleSettings, step: int) -> float:
    """Half a cosine from the peak down; it would reach 0 one step after the last."""
    peak = max(1, settings.warmup_steps)  # the step that has the peak
    return (1 + math.cos(math.pi * (step - peak) / (settings.steps - peak + 1))) / 2


def noam(settings: ScheduleSettings, step: int) -> float:
    """Equation (3) of "Attention Is All You Need", scaled so that its peak is 1."""
    return math.sqrt(settings.warmup_steps / step)


def exponential(settings: ScheduleSettings, step: int) -> float:
    """Falls by the same factor each step, to 1 % at the last."""
    return 0.01 ** ((step - settings.warmup_steps) / max(1, settings.steps - settings.warmup_steps))


SCHEDULES = {
    row.function.__name__: row
    for row in (
        ScheduleRow(constant, "constant", reads_steps=False),
        ScheduleRow(cosine, "cosine"),
        ScheduleRow(noam, "noam", "The paper uses noam.", reads_steps=False, needs_warmup=True),
        ScheduleRow(exponential, "exponential"),
    )
}


def learning_rate(settings: ScheduleSettings, step: int) -> float:
    """The learning rate of optimizer step `step`, counted from 1."""
    if step < settings.warmup_steps:
        return settings.learning_rate * step / settings.warmup_steps
    return settings.learning_rate * SCHEDULES[settings.schedule].function(settings, step)
