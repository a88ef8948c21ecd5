"""Learning rates: a linear warm-up to the peak, then one of these schedules.

A schedule is a function of the settings and the step, counted from 1, that gives the share of the peak. To add one: its
function and its row here, its name in `config.Schedule`.
"""

import math
from collections.abc import Callable

from playground.config import TrainingConfig


def constant(settings: TrainingConfig, step: int) -> float:
    """Stays at the peak."""
    return 1.0


def cosine(settings: TrainingConfig, step: int) -> float:
    """Half a cosine from the peak down; it would reach 0 one step after the last."""
    peak = max(1, settings.warmup_steps)  # the step that has the peak
    return (1 + math.cos(math.pi * (step - peak) / (settings.steps - peak + 1))) / 2


def noam(settings: TrainingConfig, step: int) -> float:
    """Equation (3) of "Attention Is All You Need", scaled so that its peak is 1."""
    return math.sqrt(settings.warmup_steps / step)


def exponential(settings: TrainingConfig, step: int) -> float:
    """Falls by the same factor each step, to 1 % at the last."""
    return 0.01 ** ((step - settings.warmup_steps) / max(1, settings.steps - settings.warmup_steps))


SCHEDULES: dict[str, Callable[[TrainingConfig, int], float]] = {
    each.__name__: each for each in (constant, cosine, noam, exponential)
}


def learning_rate(settings: TrainingConfig, step: int) -> float:
    """The learning rate of optimizer step `step`, counted from 1."""
    if step < settings.warmup_steps:
        return settings.learning_rate * step / settings.warmup_steps
    return settings.learning_rate * SCHEDULES[settings.schedule](settings, step)
