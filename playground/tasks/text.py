"""text: the beginning of a text -> how it goes on, character by character."""

import random
from collections.abc import Iterable, Sequence
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, ClassVar, NamedTuple

from playground.common.paths import decoded
from playground.tasks.cleaning import NEWLINE, SPACE, cleaned, is_usable
from playground.tasks.task import Task, TaskPreset
from playground.tasks.tokens import PAD, SPECIALS, InputError

if TYPE_CHECKING:
    from torch import Generator, Tensor

MAX_CHARACTERS = 1_000_000
MAX_FILE_BYTES = 1_000_000
TOO_LARGE = f"The file is larger than the limit of {MAX_FILE_BYTES:,} bytes."
MAX_SYMBOLS = 4096 - len(SPECIALS)
MAX_HELD_OUT = 320  # a free-running answer to each takes as many passes as it has characters
MIN_LENGTH = 8
"""The shortest `max_length`: of fewer characters nearly every row occurs more than once."""

PARTS = {"train": 0.8, "validation": 0.1, "test": 0.1}
"""Parts of a text from its beginning to its end, as fractions."""

_CORPUS_LINES = 1500
_FACTORS = [(bits | 1) for bits in map(random.Random("rows of a text").getrandbits, [62] * (64 * 16))]
"""Random odd factors, one a position, of the hash of a row."""


class Text(Task):
    """Continue a text by as many characters as are given at most.

    A source is `max_length` characters of the text, its answer the `max_length` characters after them. Rows of
    characters that occur more than once count once, so that each source has one answer; a row that validation or test
    has is not in training.
    """

    name = "text"
    goal = "continue a text"
    continues = True
    answers_in_place = False
    spaced = False
    uses: ClassVar = {
        "text": "",
        "max_length": "Characters of the longest prompt. The model continues it by as many, so a training sequence "
        "has twice as many.",
    }
    alphabet = "characters of its text"
    min_source_length = 1
    preset = TaskPreset(
        "text",
        "Text",
        "Learns to continue a text character by character, like GPT. On the generated sentences it reaches a "
        "perplexity of 1.5. You can use any text of your own.",
        500,
        {
            "model.architecture": "decoder-only",
            "model.positions": "learned",
            "model.activation": "gelu",
            "model.n_layers": 2,
            "model.d_ff": 256,
            "task.max_length": 32,
            "training.learning_rate": 3e-3,
            "training.schedule": "cosine",
            "training.steps": 600,
            "training.eval_every": 50,
        },
    )

    @cached_property
    def content(self) -> str:
        """The text that is learned, `text` or the generated sentences where that is empty."""
        return self.settings.text or made_up_sentences()

    @cached_property
    def symbols(self) -> tuple[str, ...]:
        return tuple(sorted({*self.content.translate(_SHOWN)}))

    @property
    def lengths(self) -> str:
        return f"1 to {self.settings.max_length} characters"

    @property
    def inputs(self) -> str:
        return f"{self.lengths} out of {len(self.symbols)} different ones"

    @property
    def typing(self) -> str:
        return f"A prompt of at most {self.settings.max_length} characters. Type {NEWLINE} for a new line."

    @property
    def max_source_length(self) -> int:
        return self.settings.max_length

    def conflict(self) -> tuple[str, str] | None:
        length, text = self.settings.max_length, self.settings.text
        if length < MIN_LENGTH:
            return "max_length", f"max_length {length} is too short for a text. Use {MIN_LENGTH} or more."
        if not text:
            return None
        if (position := _first_unusable(text)) is not None:
            which = f"U+{ord(text[position]):04X}, at position {position + 1}"
            return "text", f"The text has an unusable character, {which}. Remove it."
        if len(self.symbols) > MAX_SYMBOLS:
            return "text", f"The text has {len(self.symbols):,} different characters. Use {MAX_SYMBOLS:,} or fewer."
        least = -(-2 * length // min(PARTS.values())) + 10
        if len(text) < least:
            return "text", (
                f"The text has {len(text):,} characters. With max_length {length} it needs at least {int(least):,}: "
                "10 % of it are for validation and 10 % for testing. Use a longer text or a smaller max_length."
            )
        if any(not len(starts) for starts in self._index.starts.values()):
            return "text", (
                f"The text repeats itself: every sequence of {length} characters in its validation or test part also "
                "occurs in another part. Use another text or a larger max_length."
            )
        return None

    def count_sources(self) -> int:
        return sum(map(len, self._index.starts.values()))

    def every_source(self) -> Iterable[tuple[int, ...]]:
        for starts in self._index.starts.values():
            yield from map(tuple, self._rows(starts).tolist())

    def sample(self, generator: "Generator", count: int) -> "Tensor":
        """(count, S) sources of the training part, each as probable as any other."""
        import torch

        starts = self._index.starts["train"]
        return self._rows(starts[torch.randint(len(starts), (count,), generator=generator)])

    def held_out(self, count: int, part: str = "validation") -> "Tensor":
        """(<= count, S) sources of a part that training never reads, evenly over it: enough to cover it."""
        import torch

        starts, enough = self._index.starts[part], int(PARTS[part] * len(self.content) / self.settings.max_length)
        count = max(1, min(count, len(starts), enough, MAX_HELD_OUT))
        return self._rows(starts[torch.linspace(0, len(starts) - 1, count).long()])

    def answers(self, source: "Tensor") -> "Tensor":
        """(B, A) what follows each source in the text; all PAD for one that is not in it."""
        import torch

        length, index = self.settings.max_length, self._index
        rows = torch.nn.functional.pad(source, (0, max(0, length - source.size(1))))[:, :length]
        indices = torch.searchsorted(index.hashes, _hashed(rows)).clamp(max=len(index.hashes) - 1)
        starts = index.ordered[indices]
        known = ((self._rows(starts) == rows).all(1) & (source[:, length:] == PAD).all(1))[:, None]
        return self._rows(starts + length).where(known, torch.tensor(PAD))

    def encode(self, text: str, what: str = "input") -> list[int]:
        typed = cleaned(text).translate(_SHOWN)
        if not typed:
            raise InputError(f"The {what} is empty; type at least one character, for example {self.example()}")
        for position, sign in enumerate(typed, start=1):
            if sign not in self._id:
                shown = sign if sign.isprintable() else f"U+{ord(sign):04X}"
                raise InputError(
                    f"“{shown}” at position {position} of the {what} is not in the text that this model learns."
                )
        if len(typed) > self.max_source_length:
            raise InputError(
                f"The {what} has {len(typed)} characters; this model reads at most {self.max_source_length}."
            )
        return [self._id[sign] for sign in typed]

    def text(self, names: Sequence[str]) -> str:
        return "".join(names).replace(SPACE, " ")

    def example(self, length: int = 5) -> str:
        """A beginning from the validation part, always of `max_length` characters, so that its answer is known."""
        starts = self._index.starts["validation"].tolist()
        nearest = next((start for start in starts if self.content[start - 1] in "\n "), starts[0])
        return self.content[nearest : nearest + self.settings.max_length].replace("\n", NEWLINE)

    @cached_property
    def _id(self) -> dict[str, int]:
        return {sign: token for token, sign in enumerate(self.symbols, start=len(SPECIALS))}

    @property
    def _index(self) -> "_Index":
        return _index_of(self.content, self.symbols, self.settings.max_length)

    def _rows(self, starts: "Tensor") -> "Tensor":
        """(N,) positions in the text -> (N, S) token ids from there."""
        import torch

        return self._index.tokens[starts[:, None] + torch.arange(self.settings.max_length)].long()


class _Index(NamedTuple):
    """Where the sources of a text are."""

    tokens: "Tensor"  # (N,) token ids of the whole text
    starts: dict[str, "Tensor"]  # positions of the sources by part
    hashes: "Tensor"  # of all sources, in order of size
    ordered: "Tensor"  # their positions, in the same order


@lru_cache(maxsize=4)  # 25 MB for the longest text
def _index_of(text: str, symbols: tuple[str, ...], length: int) -> _Index:
    import torch

    table = {ord(sign): token for token, sign in enumerate(symbols, start=len(SPECIALS))}
    table |= {shown: table[ord(name)] for shown, name in _SHOWN.items() if ord(name) in table}
    tokens = torch.tensor([table[ord(sign)] for sign in text], dtype=torch.int16)
    count = max(0, len(text) - 2 * length + 1)
    hashes = torch.zeros(count, dtype=torch.long)
    for index in range(length):
        hashes += tokens[index : index + count].long() * _FACTORS[index]
    bounds, end = {}, 0.0
    for part, share in PARTS.items():
        begin, end = end, end + share
        last = len(text) if part == "test" else int(end * len(text))
        bounds[part] = (int(begin * len(text)), max(0, last - 2 * length + 1))
    # Validation and test come first, so that their rows are theirs and training has none of them.
    order = torch.cat([torch.arange(*_span(bounds[part], count)) for part in ("validation", "test", "train")])
    of_order = hashes[order]
    by_hash = of_order.argsort(stable=True)
    sorted_hashes, positions = of_order[by_hash], order[by_hash]
    first = torch.ones(len(order), dtype=torch.bool)
    first[1:] = sorted_hashes[1:] != sorted_hashes[:-1]
    kept = positions[first]
    ordered = kept.sort().values
    starts = {part: ordered[(ordered >= low) & (ordered < high)] for part, (low, high) in bounds.items()}
    return _Index(tokens, starts, sorted_hashes[first], kept)


def _span(bound: tuple[int, int], count: int) -> tuple[int, int]:
    low, high = bound
    return low, max(low, min(high, count))


def _hashed(rows: "Tensor") -> "Tensor":
    import torch

    return (rows * torch.tensor(_FACTORS[: rows.size(1)])).sum(1)


# --- a text from anyone ---------------------------------------------------------------------------

_SHOWN = {ord(" "): SPACE, ord("\n"): NEWLINE}


def read_file(content: bytes) -> str:
    """The text of a .txt file, as `decoded` reads it and not yet cleaned; raises `InputError` for any other file."""
    if len(content) > MAX_FILE_BYTES:
        raise InputError(TOO_LARGE)
    try:
        text = decoded(content)
    except UnicodeDecodeError as error:
        raise InputError(f"The file isn't text in UTF-8: byte {error.start + 1:,} is wrong.") from None
    if "\0" in text:
        raise InputError("The file isn't text: it has zero bytes.")
    if not cleaned(text).strip():
        raise InputError("The file has no text.")
    return text


def _first_unusable(text: str) -> int | None:
    wrong = {sign for sign in {*text} if not is_usable(sign)}
    return next((index for index, sign in enumerate(text) if sign in wrong), None) if wrong else None


# --- generated sentences ----------------------------------------------------------------------------

_NUMBERS = (("One", ""), ("Two", "s"), ("Three", "s"))
_ADJECTIVES = ("small", "old", "red", "happy", "quiet", "hungry", "young", "grey")
_ANIMALS = ("cat", "dog", "bird", "bear", "owl", "hen", "frog", "horse", "duck", "goat")
_SEES = ("see", "find", "follow", "hear", "meet", "know")
_WHERE = ("in the garden", "under the tree", "near the river", "behind the house", "on the hill", "at the gate")
_SLEEPS = ("sleep", "sing", "wait", "play", "eat", "rest", "drink")
_WHEN = ("Then", "Later", "At night", "Soon")


@lru_cache(maxsize=1)
def made_up_sentences() -> str:
    """A text made by a small grammar, always the same: lines of two sentences whose verbs agree with their subjects."""
    generator = random.Random("made-up sentences")

    def one_of(words: Sequence[str]) -> str:
        return words[int(generator.random() * len(words))]  # Python promises the bits of random(), not of choice()

    def line() -> str:
        number, plural = _NUMBERS[int(generator.random() * len(_NUMBERS))]
        third, pronoun = ("", "they") if plural else ("s", "it")
        subject = f"{number} {one_of(_ADJECTIVES)} {one_of(_ANIMALS)}{plural}"
        seen = f"{one_of(_SEES)}{third} the {one_of(_ADJECTIVES)} {one_of(_ANIMALS)} {one_of(_WHERE)}"
        return f"{subject} {seen}. {one_of(_WHEN)} {pronoun} {one_of(_SLEEPS)}{third}.\n"

    return "".join(line() for _ in range(_CORPUS_LINES))
