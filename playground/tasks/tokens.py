"""Token ids and their names, and how text that a person types becomes tokens."""

import random
from collections.abc import Sequence
from itertools import cycle, islice

from playground.config import SPECIALS, TaskConfig

PAD, BOS, EOS, SEP = range(len(SPECIALS))


class InputError(ValueError):
    """What a person typed is no input for this model; the message is one sentence."""


class OutOfRangeError(InputError):
    """A number of tokens that cannot be; `nearest` is the nearest that can, None where there is none."""

    def __init__(self, sentence: str, setting: str, nearest: int | None) -> None:
        super().__init__(sentence)
        self.setting = setting  # the name of the argument
        self.nearest = nearest


def symbol_names(config: TaskConfig) -> tuple[str, ...]:
    """What a person reads and types for each symbol."""
    return tuple(str(symbol) for symbol in range(config.vocab_size))


def token_names(config: TaskConfig) -> tuple[str, ...]:
    """A name for every token id, specials first."""
    return SPECIALS + symbol_names(config)


def encode(text: str, config: TaskConfig, *, what: str = "input") -> list[int]:
    """Token ids of symbols apart by spaces or commas; raises `InputError` for an unknown one or too many or none."""
    ids = {name: token for token, name in enumerate(token_names(config)) if token >= len(SPECIALS)}
    words = text.replace(",", " ").split()
    if not words:
        raise InputError(f"The {what} is empty; type at least one symbol, for example {example_text(config)}.")
    for place, word in enumerate(words, start=1):
        if word not in ids:
            shown = word if len(word) <= 20 else word[:19] + "…"
            apart = f": {' '.join(shown)}" if config.vocab_size <= 10 and all(sign in ids for sign in shown) else ""
            raise InputError(
                f"“{shown}” at place {place} of the {what} is not a symbol; use 0 to {config.vocab_size - 1}, "
                f"separated by spaces{apart}."
            )
    if len(words) > config.max_length:
        raise InputError(f"The {what} has {len(words)} symbols; this model holds at most {config.max_length}.")
    return [ids[word] for word in words]


def decode(tokens: Sequence[int], config: TaskConfig) -> list[str]:
    """Names of token ids."""
    names = token_names(config)
    return [names[token] for token in tokens]


def example_text(config: TaskConfig) -> str:
    """An input that fits, as a person would type it."""
    length = max(config.min_length, min(config.max_length, 5))
    return " ".join(str(symbol % config.vocab_size) for symbol in islice(cycle((3, 1, 4, 1, 5)), length))


def random_example(config: TaskConfig, seed: int) -> str:
    """A random input of the task, its length and its symbols uniform, as a person would type it."""
    drawn = random.Random(seed)
    names = symbol_names(config)
    return " ".join(drawn.choice(names) for _ in range(drawn.randint(config.min_length, config.max_length)))
