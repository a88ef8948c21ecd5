"""Inputs longer than those of training, as far as the positions of a model allow."""

from bisect import bisect_left
from collections.abc import Sequence
from functools import lru_cache

from playground.common.bounded_cache import KEPT_SETTINGS
from playground.common.numbers import counted
from playground.model.task_model import TaskModel
from playground.settings.config import RunConfig, parameter_counts
from playground.tasks import InputError, encode, task_of

MAX_FACTOR = 8
"""Longest input, as a multiple of `max_length`, up to `MAX_LENGTH`."""

MAX_LENGTH = 512
"""Longest input of a model that was not trained on it."""


@lru_cache(maxsize=KEPT_SETTINGS)
def longest(config: RunConfig) -> int:
    """The longest input that a model with these settings can read, at most `MAX_FACTOR` times `max_length`.

    A trained table of positions ends with training's longest input.
    """
    most = config.task.max_length
    while most < _limit(config) and not _obstacle(config, most + 1):
        most += 1
    return most


def end_of(config: RunConfig) -> str:
    """Why no longer inputs than `longest` are possible, in a sentence; empty at the general limit."""
    most = longest(config)
    return "" if most == _limit(config) else _obstacle(config, most + 1)


def why_too_long(config: RunConfig, text: str) -> str:
    """Why the model can't read a typed input that is wrong in its length alone, as `end_of`; else empty."""
    try:
        encode(text, with_length(config, _limit(config)).task)
    except InputError:
        return ""
    return end_of(config)


def untrained(config: RunConfig, source: Sequence[int]) -> str:
    """A note on a source whose length training with these settings never had; else empty."""
    task = task_of(config.task)
    if not (length := task.untrained_length(source)):
        return ""
    return f"This model was trained on inputs of {task.lengths}. Its answer for {length} is unreliable."


def untrained_input(config: RunConfig, text: str) -> str:
    """The same for a typed input; empty for one that the model can't read."""
    try:
        return untrained(config, encode(text, settings_for(config, text).task))
    except InputError:
        return ""


def with_length(config: RunConfig, length: int) -> RunConfig:
    """The settings with longer inputs, also beyond the bounds of `max_length`, which are for training."""
    task = config.task.model_copy(update={"max_length": length})
    return config.model_copy(update={"task": task})


def settings_for(config: RunConfig, text: str) -> RunConfig:
    """The settings with the smallest `max_length` that reads a typed input; unchanged if there is none."""

    def reads(length: int) -> bool:
        try:
            encode(text, config.task if length == low else with_length(config, length).task)
        except InputError:
            return False
        return True

    low = config.task.max_length
    if reads(low) or not reads(high := longest(config)):
        return config
    return with_length(config, bisect_left(range(high), True, lo=low, key=reads))


def stretched(model: TaskModel, config: RunConfig) -> TaskModel:
    """The same weights in a model with these settings, in evaluation mode; the model itself if they are its own."""
    if config == model.config:
        return model
    longer = TaskModel(config)
    longer.load_state_dict(model.state_dict())
    return longer.eval()


def _limit(config: RunConfig) -> int:
    high = config.task.max_length
    return max(high, min(MAX_LENGTH, MAX_FACTOR * high))


def _obstacle(config: RunConfig, length: int) -> str:
    """Why a model with these settings can't read inputs of this length, in a sentence."""
    longer = with_length(config, length)
    # The task's longest input grows with max_length, unless the task runs out of symbols.
    if task_of(longer.task).max_source_length == task_of(with_length(config, length - 1).task).max_source_length:
        return f"With {counted(config.task.vocab_size, 'symbol')}, the task {config.task.name} has no longer inputs."
    if parameter_counts(longer) != parameter_counts(config):
        return "The trained position table ends there. Sinusoidal, rotary or no positions allow longer inputs."
    return ""
