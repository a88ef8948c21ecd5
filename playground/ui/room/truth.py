"""Questions from what is on screen, and their true values: from a lesson, a forward pass, or a run."""

import asyncio
import re
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from playground.common.errors import PlaygroundError
from playground.lessons.lesson import fill, lessons
from playground.rooms.room_question import MAX_CHOICE, MAX_TEXT, MAX_TEXTS, RoomError, RoomQuestion, size_of
from playground.ui.passes import tensors
from playground.ui.session import walks
from playground.ui.session.services import services

_MARKS = re.compile(r"\*\*|[`$]|\\(?:mathrm|text|sqrt|frac)?")


async def asked(fields: dict[str, Any]) -> RoomQuestion:
    """The question in a request, with what is known of its true value. Raises `RoomError`."""
    of = fields.get("of")
    if isinstance(of, dict) and "lesson" in of:
        fields = fields | await asyncio.to_thread(_of_lesson, of)
    elif isinstance(of, dict) and "walk" in of:
        fields = fields | _of_walk(str(fields.get("kind")), of)
    elif isinstance(of, dict) and "run" in of:
        _, step, measure = _run_step(of)
        fields = fields | {"of": {"run": str(of["run"]), "step": step, "measure": measure}}
    elif of:
        raise RoomError(422, "A true value comes from a lesson, a walk or a run.")
    return RoomQuestion.of_request(fields)


async def now(question: RoomQuestion) -> str:
    """The true value when the question is revealed. Raises `RoomError` if a run has yet to reach its step."""
    if "run" not in question.of:
        return question.truth
    try:
        run, step, measure = _run_step(question.of)
        columns = await asyncio.to_thread(run.columns, (measure,))
    except PlaygroundError:
        return "not known: the run no longer exists"
    rows = np.flatnonzero((columns["step"] >= step) & np.isfinite(columns[measure]))
    if not rows.size and not run.ended:
        raise RoomError(409, f"The run is at step {run.step:,}.", f"Reveal the answer when it is at step {step:,}.")
    if not rows.size:
        return f"not known: the run is at step {run.step:,}"
    return f"{columns[measure][rows[0]]:.4g} at step {columns['step'][rows[0]]:,}"


def _of_lesson(of: dict[str, Any]) -> dict[str, Any]:
    lesson = lessons().get(str(of.get("lesson")))
    block, seed = of.get("block"), of.get("seed", 0)
    if lesson is None or type(block) is not int or type(seed) is not int or not 0 <= seed < 10_000:
        raise RoomError(422, "There is no such lesson. Name the lesson, its block from 0, and a seed from 0 to 9999.")
    question = lesson.questions.get(block)
    if question is None or lesson.blocks[block].exercise is not None:
        raise RoomError(422, "This block has no question for a room.")
    facts = lesson.facts(seed)
    filled = [fill(choice, facts) for choice in question.choices]
    choices = [_cut(_plain(choice), MAX_CHOICE) for choice in filled]
    if len(set(choices)) < len(choices):  # cut alike
        choices = [f"{_cut(choice, MAX_CHOICE - 4)} ({at})" for at, choice in enumerate(choices, 1)]
    right = fill(question.answer, facts)
    truth = choices[filled.index(right)] if right in filled else _cut(_plain(right), MAX_CHOICE)
    text = _last_sentences(_sentences(question.parts, facts), MAX_TEXT, MAX_TEXTS - size_of(*choices, truth))
    why = _first_sentences(_sentences(lesson.blocks[block].why, facts), MAX_TEXTS - size_of(*choices, truth, text))
    kind = "choice" if choices else "number"
    of = {"lesson": lesson.name, "block": block, "seed": seed}
    return {"kind": kind, "text": text, "choices": choices, "truth": truth, "why": why, "of": of}


def _sentences(parts: Sequence[object], facts: Mapping[str, object]) -> list[str]:
    """The sentences of a text, without tables and displayed formulas, which the page shows beside it."""
    text = fill("\n\n".join(part for part in parts if isinstance(part, str)), facts)
    paragraphs = [
        part for part in re.split(r"\n\s*\n", re.sub(r"\$\$.*?\$\$", "", text, flags=re.DOTALL)) if part.strip()
    ]
    plain = [part for part in paragraphs if not part.lstrip().startswith(("|", "```", "- "))]
    return [sentence for part in plain for sentence in re.split(r"(?<=[.?!])\s+(?=[^a-z])", " ".join(part.split()))]


def _last_sentences(sentences: list[str], longest: int, most_bytes: int) -> str:
    """As many as fit, with the last one, which asks; the page has them all."""
    kept = _plain(sentences[-1])
    for sentence in reversed(sentences[:-1]):
        more = f"{_plain(sentence)} {kept}"
        if len(more) > longest or size_of(more) > most_bytes:
            break
        kept = more
    return _cut(kept, longest)


def _first_sentences(sentences: list[str], most_bytes: int) -> str:
    """As many as fit and have no formula, which this text can't show."""
    kept = ""
    for sentence in sentences:
        more = f"{kept} {_plain(sentence)}".strip()
        if "\\" in sentence or len(more) > MAX_TEXT or size_of(more) > most_bytes:
            break
        kept = more
    return kept


def _plain(text: str) -> str:
    """A text without the marks of Markdown and LaTeX."""
    return " ".join(_MARKS.sub("", text).split())


def _cut(text: str, longest: int) -> str:
    """A text cut at the end of a word."""
    return text if len(text) <= longest else text[: longest - 1].rsplit(" ", 1)[0] + "…"


def _of_walk(kind: str, of: dict[str, Any]) -> dict[str, Any]:
    walk = walks.kept(str(of.get("walk")))
    step = next((step for step in walk.steps if step.name == of.get("operation")), None) if walk else None
    if step is None:
        raise RoomError(410, "This forward pass has expired. Reload the page and ask again.")
    axes, values = tensors.cells(step)
    shape, where = tuple(values.shape), {"operation": step.name, "axes": axes}
    if kind == "cell":
        position = values.double().flatten().argmax().item()
        at = [int(index) for index in np.unravel_index(int(position), shape)]
        return {"shape": list(shape), "truth": " ".join(map(str, at)), "of": where}
    if kind != "number":
        return {"of": {}}
    try:
        index = tuple(int(number) for number in str(of.get("at")).split(","))
        if len(index) != len(shape) or min(index) < 0:
            raise IndexError
        return {"truth": f"{values[index].item():.4g}", "of": where}
    except (ValueError, IndexError) as error:
        raise RoomError(422, f"A cell of {step.name} has one index for each axis of {shape}, from 0.") from error


def _run_step(of: dict[str, Any]) -> tuple[Any, int, str]:
    """The run, the step and the measure; raises `RoomError`."""
    try:
        run = services().runs.watched(str(of.get("run")))
    except PlaygroundError:
        run = None
    if run is None:
        raise RoomError(422, "This run no longer exists.")
    step, measure = of.get("step"), str(of.get("measure", "loss"))
    if type(step) is not int or step < 0 or measure not in ("loss", "exact_match", "token_accuracy"):
        raise RoomError(422, "Name a step of the run and loss, exact_match or token_accuracy.")
    return run, step, measure
