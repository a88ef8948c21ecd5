"""The tasks: a file for each, and a row in `TASKS`.

Everything else asks the task: the settings and their form, the picture, training, evaluation, decoding, the card.
"""

from collections.abc import Sequence
from functools import lru_cache

from playground.common.bounded_cache import KEPT_SETTINGS
from playground.tasks.addition import Addition
from playground.tasks.cleaning import changes
from playground.tasks.copying import Copy
from playground.tasks.dates import Dates
from playground.tasks.is_sorted import IsSorted
from playground.tasks.modular_addition import ModularAddition
from playground.tasks.recall import Recall
from playground.tasks.reversing import Reverse
from playground.tasks.sorting import Sort
from playground.tasks.task import Task, TaskPreset, TaskSettings
from playground.tasks.text import Text
from playground.tasks.tokens import BOS, EOS, PAD, SEP, SPECIALS, InputError, OutOfRangeError

__all__ = [
    "BOS",
    "EOS",
    "PAD",
    "SEP",
    "SPECIALS",
    "TASKS",
    "InputError",
    "OutOfRangeError",
    "Task",
    "TaskPreset",
    "answer",
    "changed_input",
    "decode",
    "encode",
    "example_text",
    "random_example",
    "task_of",
    "text_of",
    "token_names",
]

TASKS: dict[str, type[Task]] = {
    task.name: task
    for task in (
        Copy,
        Reverse,
        Sort,
        IsSorted,
        Recall,
        Addition,
        ModularAddition,
        Dates,
        Text,
    )
}
"""Every task by its name, in the order in which a person meets them."""


@lru_cache(maxsize=KEPT_SETTINGS)
def task_of(settings: TaskSettings) -> Task:
    """The task with these settings."""
    return TASKS[settings.name](settings)


def token_names(settings: TaskSettings) -> tuple[str, ...]:
    """A name for every token id, specials first."""
    return SPECIALS + task_of(settings).symbols


def encode(text: str, settings: TaskSettings, *, what: str = "input") -> list[int]:
    """Token ids of an "input" or a "target" as a person typed it; raises `InputError`."""
    return task_of(settings).encode(text, what)


def changed_input(text: str, settings: TaskSettings, *, what: str = "input") -> str:
    """The changes that `encode` makes to a text, in a sentence; empty for symbols, which spaces only separate.

    A text to learn is cleaned in the same way.
    """
    return "" if task_of(settings).spaced else changes(text, what)


def decode(tokens: Sequence[int], settings: TaskSettings) -> list[str]:
    """Names of token ids."""
    names = token_names(settings)
    return [names[token] for token in tokens]


def text_of(tokens: Sequence[int], settings: TaskSettings) -> str:
    """Token ids as a person would type them."""
    return task_of(settings).text(decode(tokens, settings))


def answer(source: Sequence[int], settings: TaskSettings) -> list[int]:
    """The right answer to one source, both as token ids without specials."""
    import torch

    (right,) = task_of(settings).answers(torch.tensor([source])).tolist()
    return [token for token in right if token != PAD]


def example_text(settings: TaskSettings) -> str:
    """An input that fits, as a person would type it."""
    return task_of(settings).example()


def random_example(settings: TaskSettings, seed: int) -> str:
    """A random input of the task, as a person would type it."""
    import torch

    (source,) = task_of(settings).sample(torch.Generator().manual_seed(seed), 1).tolist()
    return text_of([token for token in source if token != PAD], settings)
