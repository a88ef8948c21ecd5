"""Lessons: Markdown files with live parts, see `texts/`. The format:

    ---
    title: Attention from three vectors
    about: Compute attention by hand, number by number.
    terms: query, key, value
    ---
    ## Scores are dot products
    Text with computed values such as {{largest:.2f}}, which lesson {{lesson:heads}} explains.
    ![Scores of three tokens](live:scores)
    ### Predict
    Which key matches query 1 best?
    - Key 1
    - Key 2
    Answer: {{best}}
    ### Reveal
    ![Train both models](train:two_models)
    ### Why
    ### Try

Each `##` is a block. `Predict` has a question and either choices or a number: `Answer: {{ratio:.1f}} within 20 %`. What
follows is shown once the person has answered. The lesson `multi-head` has its values and live parts in
`live/multi_head_lesson.py`: `facts(seed)`, `live` functions, and the exercises, whose values are known once their runs
have ended. `{{lesson:heads}}` is the number of the lesson `heads`.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from importlib import import_module
from math import ceil, isfinite
from pathlib import Path
from types import ModuleType

from playground.lessons.exercise import Exercise
from playground.lessons.live_parts import Live

TEXTS = Path(__file__).parent / "texts"
ORDER = (
    "attention",
    "shapes",
    "heads",
    "masks",
    "positions",
    "residual-and-norm",
    "feed-forward",
    "encoder-decoder",
    "training-step",
    "dropout",
    "cost",
    "today",
    "exercises",
)
"""All lessons, as they are read one after another."""

MIN_BLOCKS, MAX_BLOCKS = 3, 7
"""Of a lesson; each block has its slides."""
MIN_MINUTES, MAX_MINUTES = 3, 7

WORDS_A_MINUTE = 200
SECONDS_A_QUESTION = 20
HEADER = ("title", "about", "terms")
SECTIONS = ("predict", "reveal", "why", "try")
_VALUE = re.compile(r"(= )?\{\{\s*(\w+)\s*(?::([^{}]*))?\}\}")
_EMBEDDED = re.compile(r"!\[(.+)\]\((live|train):(\w+)\)")
_ANSWER = re.compile(r"Answer:\s*(.+?)(?:\s+within\s+(\d+(?:\.\d+)?)\s*%)?")


class LessonError(ValueError):
    """A lesson's file that breaks the format: which file, and what is wrong."""


@dataclass(frozen=True)
class Embedded:
    """A live part or an exercise in a text."""

    name: str
    title: str
    trains: bool = False


TextPart = str | Embedded
"""Markdown, or a live part in it."""


@dataclass(frozen=True)
class Question:
    """A question whose answer the reader predicts; all texts may have values to fill in."""

    parts: tuple[TextPart, ...]
    choices: tuple[str, ...]  # empty: a number is typed
    answer: str
    tolerance: float = 0.0  # of a number, as a fraction of the answer

    def is_right(self, given: str, facts: Mapping[str, object], *, exactly: bool = False) -> bool:
        """True if a choice, or a number within the tolerance, is the answer; `exactly` allows no tolerance."""
        right = fill(self.answer, facts)
        if self.choices:
            return given == right
        if not is_number(given):
            return False
        answer = _number(right, thousands=True)
        value = _number(given, thousands=abs(answer) >= 1000)
        return value == answer or (not exactly and abs(value - answer) <= self.tolerance * abs(answer))


@dataclass(frozen=True)
class Block:
    """A part of a lesson with a heading; with a question, what follows it waits for the answer."""

    title: str
    parts: tuple[TextPart, ...]
    question: Question | None = None
    reveal: tuple[TextPart, ...] = ()
    why: tuple[TextPart, ...] = ()
    practice: tuple[TextPart, ...] = ()  # "Try"

    @property
    def all_parts(self) -> tuple[TextPart, ...]:
        question = self.question.parts if self.question else ()
        return self.parts + question + self.reveal + self.why + self.practice

    @property
    def exercise(self) -> Embedded | None:
        """The runs that are trained before the question is answered."""
        return next((part for part in self.reveal if isinstance(part, Embedded) and part.trains), None)


@dataclass(frozen=True)
class Lesson:
    """A lesson as its file has it."""

    name: str
    title: str
    about: str
    terms: tuple[str, ...]  # of the glossary
    blocks: tuple[Block, ...]

    @property
    def address(self) -> str:
        """Of its page, below the app's own."""
        return f"/learn?lesson={self.name}"

    @cached_property
    def module(self) -> ModuleType:
        """The module that computes its values and live parts."""
        return import_module(f"playground.lessons.live.{self.name.replace('-', '_')}_lesson")

    @cached_property
    def live(self) -> dict[str, Live]:
        """Its live parts, by name."""
        return {name: part for name, part in vars(self.module).items() if isinstance(part, Live)}

    @cached_property
    def exercises(self) -> dict[str, Exercise]:
        """Its exercises, by name."""
        return {name: part for name, part in vars(self.module).items() if isinstance(part, Exercise)}

    def facts(self, seed: int) -> Mapping[str, object]:
        """The values that its texts may show."""
        return _facts(self.name, seed)

    @property
    def minutes(self) -> int:
        """Minutes it takes, rounded up: the words to read, and some time for each question."""
        texts = [part for block in self.blocks for part in block.all_parts if isinstance(part, str)]
        texts += [choice for question in self.questions.values() for choice in question.choices]
        words = sum(len(text.split()) for text in texts)
        return ceil(words / WORDS_A_MINUTE + len(self.questions) * SECONDS_A_QUESTION / 60)

    @property
    def questions(self) -> dict[int, Question]:
        """The questions, by number of their block from 0."""
        return {index: block.question for index, block in enumerate(self.blocks) if block.question}


def is_number(text: str) -> bool:
    """True if a person's answer is a finite number; its decimal mark may be a comma."""
    try:
        return isfinite(_number(text, thousands=text.count(",") > 1))
    except ValueError:
        return False


def _number(text: str, *, thousands: bool = False) -> float:
    """A number as a person types it; a comma separates thousands or, without them, decimals."""
    return float(text.replace("−", "-").replace(",", "" if thousands else "."))


def fill(text: str, facts: Mapping[str, object]) -> str:
    """The text with its values; = before a rounded one becomes ≈.

    Raises LessonError for a value that is not there or a format that does not fit.
    """

    def value(match: re.Match[str]) -> str:
        sign, name, form = match[1] or "", match[2], (match[3] or "").strip()
        try:
            if name == "lesson":
                return sign + str(ORDER.index(form) + 1)
            known = facts[name]
            text = format(known, form)
        except (KeyError, ValueError, TypeError) as error:
            raise LessonError(f"{match[0]} can't be filled in: {error!r}.") from error
        if isinstance(known, str):
            return sign + text
        if sign and form.endswith("f") and float(text.replace(",", "")) != known:
            sign = "≈ "
        return sign + text.replace("-", "−").replace("%", " %")

    return _VALUE.sub(value, text)


def parse(name: str, text: str) -> Lesson:
    """Reads a lesson. Raises LessonError, naming the lesson and the line, if it breaks the format."""
    head = re.match(r"---\n(.*?)\n---\n", text, re.DOTALL)
    if head is None:
        raise LessonError(f"{name}: the file must begin with a header between two lines of ---.")
    fields = dict(_field(name, line) for line in head[1].splitlines())
    if fields.keys() != set(HEADER):
        raise LessonError(f"{name}: the header has the fields {', '.join(fields)}; write {', '.join(HEADER)}.")
    blocks = tuple(_blocks(name, text[head.end() :]))
    terms = tuple(filter(None, re.split(r",\s*", fields["terms"])))
    return Lesson(name, fields["title"], fields["about"], terms, blocks)


@lru_cache
def lessons() -> dict[str, Lesson]:
    """All lessons by name, in their order."""
    return {name: parse(name, (TEXTS / f"{name}.md").read_text("utf-8")) for name in ORDER}


@lru_cache(maxsize=256)
def _facts(name: str, seed: int) -> Mapping[str, object]:
    facts: Mapping[str, object] = lessons()[name].module.facts(seed)
    return facts


def _field(name: str, line: str) -> tuple[str, str]:
    key, colon, value = line.partition(":")
    if not colon:
        raise LessonError(f"{name}: the header has a line without a colon: {line}")
    return key.strip(), value.strip()


def _split(text: str, mark: str) -> Iterator[tuple[str, str]]:
    """Heading and text of each section that begins with `mark`; what stands before the first has no heading."""
    head, *sections = re.split(rf"^{mark} (.+)$", text, flags=re.MULTILINE)
    yield "", head.strip()
    for title, body in zip(sections[::2], sections[1::2], strict=True):
        yield title.strip(), body.strip()


def _blocks(name: str, text: str) -> Iterator[Block]:
    (_, before), *texts = _split(text, "##")
    if before or not texts:
        raise LessonError(f"{name}: after the header comes the first block, which begins with ##.")
    if len(texts) > MAX_BLOCKS:
        raise LessonError(f"{name}: {len(texts)} blocks; at most {MAX_BLOCKS} are allowed.")
    for title, body in texts:
        (_, opening), *rest = _split(body, "###")
        sections = {heading.lower(): content for heading, content in rest}
        where = f"{name}, block “{title}”"
        if unknown := [heading for heading in sections if heading not in SECTIONS]:
            raise LessonError(f"{where}: unknown section {unknown[0]}; use {', '.join(SECTIONS)}.")
        if "reveal" in sections and "predict" not in sections:
            raise LessonError(f"{where}: Reveal needs a Predict.")
        question = _question(where, sections["predict"]) if "predict" in sections else None
        parts = [tuple(_parts(sections.get(section, ""))) for section in SECTIONS[1:]]
        yield Block(title, tuple(_parts(opening)), question, *parts)


def _question(where: str, text: str) -> Question:
    *lines, last = text.splitlines() or [""]
    answer = _ANSWER.fullmatch(last.strip())
    if answer is None:
        raise LessonError(f"{where}: Predict must end with a line “Answer: ...”.")
    choices = tuple(line[2:].strip() for line in lines if line.startswith("- "))
    asked = "\n".join(line for line in lines if not line.startswith("- ")).strip()
    if not asked:
        raise LessonError(f"{where}: Predict has no question.")
    return Question(tuple(_parts(asked)), choices, answer[1], float(answer[2] or 0) / 100)


def _parts(text: str) -> Iterator[TextPart]:
    paragraphs: list[str] = []
    for line in text.splitlines():
        if match := _EMBEDDED.fullmatch(line.strip()):
            if words := "\n".join(paragraphs).strip():
                yield words
            paragraphs = []
            yield Embedded(match[3], match[1], match[2] == "train")
        else:
            paragraphs.append(line)
    if words := "\n".join(paragraphs).strip():
        yield words
