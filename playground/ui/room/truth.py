"""Questions from what is on screen, and their true values: from a lesson, a forward pass, or a run."""

import asyncio
import re
from typing import Any

from playground.common.errors import PlaygroundError
from playground.explain.inspection import Step
from playground.lessons.lesson import Question, fill, lessons
from playground.rooms.room_question import MAX_CHOICE, MAX_TEXT, MAX_TEXTS, RoomError, RoomQuestion
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
        _run_step(of)
    elif of:
        raise RoomError(422, "A true value comes from a lesson, a walk or a run.")
    return RoomQuestion.of_request(fields)


async def now(question: RoomQuestion) -> str:
    """The true value when the question is revealed: a run may have reached its step only now."""
    if "run" not in question.of:
        return question.truth
    run, step, measure = _run_step(question.of)
    record = next(
        (record for record in run.store.history.records if record["step"] >= step and measure in record), None
    )
    if record is None:
        return f"not known: the run is at step {run.step:,}"
    return f"{record[measure]:.4g} at step {record['step']:,}"


def _of_lesson(of: dict[str, Any]) -> dict[str, Any]:
    lesson = lessons().get(str(of.get("lesson")))
    block, seed = of.get("block"), of.get("seed", 0)
    if lesson is None or type(block) is not int or type(seed) is not int or not 0 <= seed < 10_000:
        raise RoomError(422, "There is no such lesson. Name the lesson, its block from 0, and a seed from 0 to 9999.")
    question = lesson.questions.get(block)
    if question is None or lesson.blocks[block].exercise is not None:
        raise RoomError(422, "This block has no question for a room.")
    facts = lesson.facts(seed)
    fields: dict[str, Any] = {
        "kind": "choice" if question.choices else "number",
        "text": _plain(_words(question, facts)),
        "choices": [_plain(fill(choice, facts), MAX_CHOICE) for choice in question.choices],
        "truth": _plain(fill(question.answer, facts), MAX_CHOICE),
    }
    used = len("".join([fields["text"], *fields["choices"], fields["truth"]]).encode())
    why = fill(" ".join(part for part in lesson.blocks[block].why if isinstance(part, str)), facts)
    return fields | {"why": _plain(why, (MAX_TEXTS - used) // 2)}


def _words(question: Question, facts: Any) -> str:
    return fill(" ".join(part for part in question.parts if isinstance(part, str)), facts)


def _plain(text: str, longest: int = MAX_TEXT) -> str:
    """A text without the marks of Markdown and LaTeX, cut at the end of a word; the page has it whole."""
    text = " ".join(_MARKS.sub("", text).split())
    return text if len(text) <= longest else text[: longest - 1].rsplit(" ", 1)[0] + "…"


def _of_walk(kind: str, of: dict[str, Any]) -> dict[str, Any]:
    walk = walks.kept(str(of.get("walk")))
    step = next((step for step in walk.steps if step.name == of.get("operation")), None) if walk else None
    if step is None:
        raise RoomError(410, "This forward pass has expired. Reload the page and ask again.")
    values = step.value[0] if step.value.dim() > 2 or _has_batch(step) else step.value
    shape = tuple(values.shape)
    if kind == "cell":
        position = values.flatten().argmax().item()
        at = [int(index) for index in _unravelled(int(position), shape)]
        return {"shape": list(shape), "truth": " ".join(map(str, at))}
    if kind != "number":
        return {}
    try:
        index = tuple(int(number) for number in str(of.get("at")).split(","))
        return {"truth": f"{values[index].item():.4g}"}
    except (ValueError, IndexError, RuntimeError) as error:
        raise RoomError(422, f"A cell of {step.name} has one index for each axis of {shape}, from 0.") from error


def _has_batch(step: Step) -> bool:
    return bool(step.dims) and step.dims[0] in ("B", "1")


def _unravelled(position: int, shape: tuple[int, ...]) -> list[int]:
    at: list[int] = []
    for size in reversed(shape):
        at.insert(0, position % size)
        position //= size
    return at


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
