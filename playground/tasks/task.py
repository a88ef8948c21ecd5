"""The protocol of a task, with the defaults of a task on symbols that are numbers."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import cycle, islice, product
from typing import TYPE_CHECKING, Any, ClassVar, Protocol

from playground.tasks.cleaning import SPACE, cleaned
from playground.tasks.tokens import PAD, SPECIALS, InputError

# The settings ask a task for names and lengths, and importing the settings must not import torch.
if TYPE_CHECKING:
    from torch import Generator, Tensor


class TaskSettings(Protocol):
    """The settings of a task; `config.TaskConfig` has them."""

    @property
    def name(self) -> str: ...
    @property
    def vocab_size(self) -> int: ...
    @property
    def min_length(self) -> int: ...
    @property
    def max_length(self) -> int: ...
    @property
    def digit_order(self) -> str: ...
    @property
    def text(self) -> str: ...
    @property
    def held_out(self) -> float: ...
    @property
    def commuted_together(self) -> bool: ...
    def __hash__(self) -> int: ...


@dataclass(frozen=True)
class TaskPreset:
    """Named settings that solve a task: the task's preset on the Build page."""

    name: str
    title: str
    sentence: str
    usual_steps: int  # to solved, fewer than `training.steps`; sets the default pace
    settings: Mapping[str, Any]  # by path; all others have their defaults


class Task(ABC):
    """A task to learn: the possible sources, and the one right answer to each.

    To add a task, write a subclass in a file of its own and add it to `TASKS`. Sources and answers are token ids
    without specials; in a batch, PAD follows the shorter ones. A prediction is right if all its tokens are and, where a
    decoder predicts it, EOS follows. The settings choose the number of symbols and the bounds of the length.
    """

    name: ClassVar[str]
    """As in the settings, in files and on the command line."""

    goal: ClassVar[str]
    """The task as a verb phrase: "reverse its input"."""

    preset: ClassVar[TaskPreset | None] = None

    more_presets: ClassVar[tuple[TaskPreset, ...]] = ()
    """Presets of the task for other values of its settings."""

    uses: ClassVar[Mapping[str, str]] = {"vocab_size": "", "min_length": "", "max_length": "", "held_out": ""}
    """The settings besides the name that the task reads, with their help text where the general one does not fit.

    The Build page shows no others, and they change nothing.
    """

    spaced: ClassVar[bool] = True
    """True if symbols are typed with spaces between them. If not, each typed character is one, and a space is `SPACE`.
    """

    answers_in_place: ClassVar[bool] = True
    """True if every answer is as long as its source, as an encoder-only model needs it."""

    continues: ClassVar[bool] = False
    """True if an answer goes on with its source and has no end of its own: no EOS follows it, a decoder-only model has
    no SEP between the two and is scored on both, and there are sources without a right answer.
    """

    modular: ClassVar[bool] = False
    """True if every source is two symbols, and symbols count modulo their number: a Fourier spectrum shows what their
    embeddings have learned.
    """

    splits: ClassVar[Mapping[str, Callable[[Any, "Tensor"], Sequence[int | str]]]] = {}
    """Groups of inputs on which scores can differ, by name: a function of the task and (N, S) sources, to N groups."""

    def __init__(self, settings: TaskSettings) -> None:
        self.settings = settings

    @abstractmethod
    def answers(self, source: "Tensor") -> "Tensor":
        """(B, S) sources padded with PAD -> (B, A) right answers, padded alike, A at most `max_answer_length`."""

    def conflict(self) -> tuple[str, str] | None:
        """The setting that the task can't have, by name, and why, in a sentence; None if it can have all of them."""
        return None

    def held_out(self, count: int, part: str = "validation") -> "Tensor | None":
        """(<= count, S) sources that `sample` never draws, from the "validation" or the "test" part.

        None for a task whose held-out sources are chosen by a hash (`batches.Sequences`), which is the usual way.
        """
        return None

    def canonical(self, source: "Tensor") -> "Tensor":
        """(B, S) sources -> the same or, of sources that must be on the same side of the split, one of them.

        The hash of the result decides whether a source is held out.
        """
        return source

    def copied_from(self, source: Sequence[int]) -> list[set[int]]:
        """For each token of the right answer, the source positions (from 0) it can be copied from.

        `source` is token ids without PAD. Empty for a task that computes its answers instead of copying.
        """
        return []

    def classes(self, source: "Tensor") -> Sequence[str]:
        """The class of the right answer to each of (N, S) sources; empty for a task that doesn't classify."""
        return []

    @cached_property
    def symbols(self) -> tuple[str, ...]:
        """The written form of each token after the specials; the first has the id `len(SPECIALS)`."""
        return tuple(str(symbol) for symbol in range(self.settings.vocab_size))

    @property
    def alphabet(self) -> str:
        """The symbols in words."""
        return f"0 to {self.settings.vocab_size - 1}"

    @property
    def lengths(self) -> str:
        """How long an input is, in words."""
        low, high = self.settings.min_length, self.settings.max_length
        return f"{low} symbols" if low == high else f"{low} to {high} symbols"

    @property
    def inputs(self) -> str:
        """How long an input is and out of how many symbols, in words."""
        return f"{self.lengths} out of {self.settings.vocab_size}"

    @property
    def typing(self) -> str:
        """How to type an input, in a sentence."""
        return f"Symbols {self.alphabet}, separated by spaces." if self._needs_spaces else f"Symbols {self.alphabet}."

    @property
    def _needs_spaces(self) -> bool:
        """True if spaces between symbols are needed to tell where one ends."""
        return self.spaced and any(len(name) > 1 for name in self.symbols)

    @property
    def min_source_length(self) -> int:
        """Tokens of the shortest source."""
        return self.settings.min_length

    @property
    def max_source_length(self) -> int:
        """Tokens of the longest source."""
        return self.settings.max_length

    @property
    def max_answer_length(self) -> int:
        """Tokens of the longest answer, without EOS."""
        return self.max_source_length

    def count_sources(self) -> int:
        """How many different sources there are."""
        return sum(self.settings.vocab_size**length for length in self._every_length())

    def every_source(self) -> Iterable[tuple[int, ...]]:
        """All sources, by length; called only if there are few."""
        ids = range(len(SPECIALS), len(SPECIALS) + self.settings.vocab_size)
        return (row for length in self._every_length() for row in product(ids, repeat=length))

    def sample(self, generator: "Generator", count: int) -> "Tensor":
        """(count, S) random sources padded with PAD to `max_source_length`: lengths uniform, symbols uniform.

        Training draws all sources here, and tests theirs. A test of a task with few sources (65,536) reads
        `every_source` instead, each once, however often `sample` draws it.
        """
        import torch

        low, high = self.settings.min_length, self.settings.max_length
        lengths = torch.randint(low, high + 1, (count, 1), generator=generator)
        symbols = torch.randint(self.settings.vocab_size, (count, high), generator=generator) + len(SPECIALS)
        return symbols.masked_fill_(torch.arange(high) >= lengths, PAD)

    def untrained_length(self, source: Sequence[int]) -> str:
        """The length of a source that `sample` never draws for its length alone, in words; empty if it draws such."""
        known = self.min_source_length <= len(source) <= self.max_source_length
        return "" if known else str(len(source))

    def problem(self, source: Sequence[int]) -> str:
        """Why the token ids of an input, all of them symbols, are not a source; empty if they are one."""
        return ""

    def encode(self, text: str, what: str = "input") -> list[int]:
        """Token ids of an "input" or a "target" as typed, see `spaced`; raises `InputError`.

        Commas separate symbols like spaces. If every symbol is one character, no separator is needed.
        """
        ids, text = {name: token for token, name in enumerate(self.symbols, start=len(SPECIALS))}, cleaned(text)
        words = text.replace(",", " ").split() if self.spaced else list(SPACE.join(text.split()))
        if not self._needs_spaces:
            words = [sign for word in words for sign in (word if ids.keys() >= set(word) else [word])]
        if not words:
            raise InputError(f"The {what} is empty; type at least one symbol, for example {self.example()}.")
        for position, word in enumerate(words, start=1):
            if word not in ids:
                shown = word if len(word) <= 20 else word[:19] + "…"
                raise InputError(
                    f"“{shown}” at position {position} of the {what} is not a symbol; use {self.alphabet}"
                    f"{', separated by spaces' * self._needs_spaces}."
                )
        most = self.max_source_length if what == "input" else self.max_answer_length
        if len(words) > most:
            raise InputError(f"The {what} has {len(words)} symbols; this model reads at most {most}.")
        tokens = [ids[word] for word in words]
        if what == "input" and (problem := self.problem(tokens)):
            raise InputError(problem)
        return tokens

    def text(self, names: Sequence[str]) -> str:
        """Names of tokens as a person would type them."""
        return " ".join(names) if self.spaced else "".join(names).replace(SPACE, " ")

    def example(self, length: int = 5) -> str:
        """An example input as typed, of this length or the nearest that the task has."""
        nearest = max(self.settings.min_length, min(self.settings.max_length, length))
        return self.text(
            [self.symbols[digit % self.settings.vocab_size] for digit in islice(cycle((3, 1, 4, 1, 5)), nearest)]
        )

    def _every_length(self) -> range:
        return range(self.settings.min_length, self.settings.max_length + 1)
