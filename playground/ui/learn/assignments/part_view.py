"""One part of an assignment for a student: the question with its material, the answer, the hints and the points."""

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any

import streamlit as st

from playground.common.numbers import counted
from playground.lessons.assignments.kinds.code_part import CodePart, mark_of
from playground.lessons.assignments.kinds.lesson_part import LessonPart
from playground.lessons.assignments.kinds.part import (
    MAX_ANSWER,
    AnswerField,
    Asked,
    AssignmentError,
    BasePart,
    Mark,
    complete,
)
from playground.lessons.assignments.kinds.train_part import run_text
from playground.lessons.assignments.student_work import Attempt, Work
from playground.lessons.check.templates import TEMPLATES
from playground.lessons.hunts import HINT_COSTS, MAX_POINTS
from playground.lessons.lesson import Embedded, is_number, lessons
from playground.runs import Hunt, Run
from playground.settings.config import parameter_counts
from playground.ui.learn import exercise_view, lessons_view, pitfall_parts
from playground.ui.learn.assignments import stored_work
from playground.ui.learn.assignments.stored_work import StoredWork
from playground.ui.learn.check import own_code
from playground.ui.parts import measurements, style
from playground.ui.parts.code import code_file, own_machine
from playground.ui.parts.code.code_file import CodeFile
from playground.ui.runs import run_view
from playground.ui.session import form_settings, identity, tab_run
from playground.ui.session import session_keys as keys
from playground.ui.session.flash import flash
from playground.ui.session.pages import BUILD, EXPERIMENT, STEP_THROUGH, TRAIN
from playground.ui.session.services import services
from playground.ui.session.session_keys import Key

ANSWER = Key[Any]("assignment answer {} {} {}", None, "Widget: a text of the answer to a part")
CHARTS = Key[Any]("assignment-charts", None, "Component: charts of the part's run")
CODE = Key[str]("assignment code", "", "Widget: code of the answer to the part that is shown")
CODE_FILE = Key[Any]("assignment code file", None, "Component: a file with that code")
CODE_OF = Key[str]("assignment code of", "", "The part whose code is in the field")
PENDING = Key[dict[str, str] | None]("assignment pending {} {}", None, "Answer to a part that is being marked")

_MESSAGE = "assignment part"
_MAX_RADIO = 6  # choices; more of them are a list


def show(stored: StoredWork, index: int) -> None:
    """Draw the part with this index, from 0."""
    work = stored.work
    part, seed = work.assignment.parts[index], work.seed_of_part(index)
    with style.error_messages():
        asked = part.asked(seed)
        style.heading(f"{index + 1}. {part.title}")
        show_question(asked)
        if not work.is_closed(index):
            show_material(part, seed, asked, index)
        left, right = st.columns([5, 4], gap="large")
        with left:
            _answer(stored, index, asked)
        with right:
            _points(work, index)
            _hints(work, index)


def show_question(asked: Asked) -> None:
    """Draw the block of the lesson, if there is one, and the question."""
    if asked.lesson:
        lesson = lessons()[asked.lesson]
        block, facts = lesson.blocks[asked.block], lesson.facts(asked.seed)
        lessons_view.draw_parts(lesson, block.parts, facts, asked.seed, "assigned text")
        if block.question:
            live = [each for each in block.question.parts if isinstance(each, Embedded)]
            lessons_view.draw_parts(lesson, live, facts, asked.seed, "assigned question")
    st.markdown(asked.text)


def show_material(part: BasePart, seed: int, asked: Asked, index: int) -> None:
    """Draw what the student works with: a table, runs to train, a model to open."""
    if part.has_material:
        key = (part.model_dump_json(), seed)
        stage = "Training both models"
        table = measurements.show("material", key, materials, part, seed, button="Show", starts=True, stage=stage)
        if table is not None:
            st.markdown(table)
    if asked.lesson:
        lesson = lessons()[asked.lesson]
        if exercise := lesson.blocks[asked.block].exercise:
            exercise_view.show(lesson, exercise, seed)
    if asked.config and any(field.kind == "run" for field in asked.fields):
        if st.button("Open these settings in Build", icon=":material/tune:"):
            tab_run.leave_settings_link()
            form_settings.fill(asked.config)
            st.switch_page(BUILD.file)
    elif asked.config:
        _run(asked, index)
    if asked.checkpoint:
        with st.container(horizontal=True):
            if st.button("Open the model in Step through", icon=":material/footprint:"):
                _open_model(asked)
                st.switch_page(STEP_THROUGH.file)
            if st.button("Open the model in Experiment", icon=":material/science:"):
                _open_model(asked)
                st.switch_page(EXPERIMENT.file)


def _open_model(asked: Asked) -> None:
    keys.SOURCE.set(asked.checkpoint)
    keys.INPUT.set(asked.input)


# --- runs ---


def _run(asked: Asked, index: int) -> None:
    """Draw the run of a part, or the button that starts it."""
    style.flashed("assignment run")
    run = next((run for run in tab_run.mine() if _is_of(run, asked)), None)
    if run is None or run.status in ("failed", "stopped"):
        st.button(
            "Start training",
            type="primary",
            icon=":material/play_arrow:",
            on_click=_start,
            args=(asked, index),
        )
    if run is None:
        return
    pitfall_parts.redraw_with([run])
    run_view.progress(run)
    panels = ("loss", "accuracy", "entropy") if asked.pitfall else ("loss", "accuracy")
    run_view.live_charts([run], panels=panels, key=CHARTS, opens=False)
    pitfall_parts.resume([run])
    if run.message and run.ended:
        style.message(run.message, "wrong" if run.status == "failed" else "care")
    with st.container(horizontal=True):
        if st.button("Step through this model", icon=":material/footprint:", disabled=not run.step):
            pitfall_parts.step_through(run, "encoder.tokens" if asked.pitfall else None)
        if not asked.pitfall and st.button("Experiment", icon=":material/science:", disabled=not run.step):
            tab_run.look_at_model(run)
            st.switch_page(EXPERIMENT.file)
        if st.button("All charts", icon=":material/trending_down:"):
            tab_run.look_at(run)
            TRAIN.turn("run")
            st.switch_page(TRAIN.file)


def _is_of(run: Run, asked: Asked) -> bool:
    """True for a run of this part that nobody has changed."""
    hunt = run.metadata.hunt
    own = hunt is not None and hunt.seed == asked.seed if asked.pitfall else hunt is None and not run.metadata.pitfall
    return own and run.config == asked.config and _is_whole(run)


def _is_whole(run: Run) -> bool:
    """True if its settings and its seed alone make this run."""
    return not (run.changes or run.metadata.origin or run.metadata.begun_from)


def _start(asked: Asked, index: int) -> None:
    assert asked.config
    hunt = Hunt(seed=asked.seed) if asked.pitfall else None
    with style.error_messages("assignment run"):
        run = services().runs.start(
            identity.visitor(), asked.config, name=f"Assignment part {index + 1}", pitfall=asked.pitfall, hunt=hunt
        )
        tab_run.look_at(run)


def _runs_to_hand_in() -> dict[str, Run]:
    """This visitor's runs that their settings alone make, by id."""
    ended = ("solved", "finished")
    return {
        run.id: run
        for run in tab_run.mine()
        if run.status in ended and _is_whole(run) and not run.metadata.pitfall and run.metadata.hunt is None
    }


def _run_in_words(run: Run) -> str:
    count = sum(parameter_counts(run.config).values())
    solved = ", solved" if run.status == "solved" else ""
    return f"{run.metadata.name}: {counted(run.step, 'step')}, {counted(count, 'parameter')}{solved}"


# --- the answer ---


def _answer(stored: StoredWork, index: int, asked: Asked) -> None:
    """Draw the fields with what was typed, Check, and the result."""
    work, typed = stored.work, stored.typed_for(index)
    assignment, closed = work.assignment, work.is_closed(index)
    on_change = partial(_type, assignment.id, index, asked)
    pending = PENDING.of(assignment.id, index)
    for field in asked.fields:
        if field.kind == "code":
            _code(assignment.id, index, asked, typed.get(field.name, ""), closed)
        else:
            key = ANSWER.of(assignment.id, index, field.name)
            _field(field, key, typed.get(field.name, ""), disabled=closed, on_change=on_change)
    part = assignment.parts[index]
    if not closed:
        hands_in = part.runs_code and not own_machine.permitted()
        if hands_in:
            style.caption(
                "This server runs no code of students. It stores your code, and your lecturer's check marks it."
            )
        st.button(
            "Hand in" if hands_in else "Check answer",
            type="primary",
            icon=":material/check:",
            disabled=pending.get() is not None,
            on_click=_check,
            args=(assignment.id, index, asked),
        )
    style.flashed(_MESSAGE)
    if (answer := pending.get()) is not None:
        _pending(work, index, answer)
    else:
        _result(work, index)
    if asked.lesson and closed and not part.trains:
        lesson = lessons()[asked.lesson]
        facts, why = lesson.facts(asked.seed), lesson.blocks[asked.block].why
        lessons_view.draw_parts(lesson, why, facts, asked.seed, "assigned why")


def _field(field: AnswerField, key: Key[Any], typed: str, **options: Any) -> None:
    """Draw one field with what was typed before."""
    if field.kind == "choice":
        if typed in field.choices:
            key.begin(typed)
        words: dict[str, Any] = {
            "index": None,
            "format_func": field.choices.__getitem__,
            "help": field.help or None,
            **options,
            **key.widget,
        }
        if len(field.choices) <= _MAX_RADIO:
            st.radio(field.label, list(field.choices), **words)
        else:
            st.selectbox(field.label, list(field.choices), **words)
    elif field.kind == "run":
        runs = _runs_to_hand_in()
        chosen = next((id for id, run in runs.items() if typed and run_text(run.config) == typed), None)
        if chosen:
            key.begin(chosen)
        elif key.get() not in runs:
            key.forget()
        st.selectbox(
            field.label,
            list(runs),
            index=None,
            format_func=lambda id: _run_in_words(runs[id]),
            placeholder="Choose a run" if runs else "No finished run yet",
            help=field.help or None,
            **options,
            **key.widget,
        )
    else:
        key.begin(typed)
        st.text_input(field.label, max_chars=60, width=280, help=field.help or None, **options, **key.widget)


def _code(assignment_id: str, index: int, asked: Asked, typed: str, closed: bool) -> None:
    """Draw the field for code with a template, or with the code that was stored."""
    if CODE_OF.get() != (of := f"{assignment_id} {index}"):
        CODE_OF.set(of)
        CODE.set(typed or _template(assignment_id, index))
    on_change = partial(_type, assignment_id, index, asked)
    st.text_area("Your code", height=380, disabled=closed, on_change=on_change, **CODE.text)
    if not closed:
        code_file.choose(CODE_FILE, (".py",), partial(_take_file, assignment_id, index, asked))


def _template(assignment_id: str, index: int) -> str:
    stored = stored_work.find(assignment_id)
    part = stored.work.assignment.parts[index] if stored else None
    return TEMPLATES.get(part.part, "") if isinstance(part, CodePart) else ""


def _take_file(assignment_id: str, index: int, asked: Asked, file: CodeFile | str) -> None:
    if isinstance(file, str):
        flash(_MESSAGE, file)
    elif len(file.text) > MAX_ANSWER:
        flash(_MESSAGE, f"The file has {len(file.text):,} characters. Use at most {MAX_ANSWER:,}.")
    else:
        CODE.set(file.text)
        _type(assignment_id, index, asked)


def _given(assignment_id: str, index: int, asked: Asked) -> dict[str, str]:
    """What stands in the fields."""
    given = {}
    for field in asked.fields:
        value = CODE.get() if field.kind == "code" else ANSWER.of(assignment_id, index, field.name).get()
        if field.kind == "run":
            run = _runs_to_hand_in().get(value or "")
            value = run_text(run.config) if run else ""
        given[field.name] = str(value or "")
    return given


def _type(assignment_id: str, index: int, asked: Asked) -> None:
    """Store what stands in the fields when it changes; another answer is being marked no longer."""
    given, pending = _given(assignment_id, index, asked), PENDING.of(assignment_id, index)
    if pending.get() != given:
        pending.forget()
    with style.error_messages(_MESSAGE):
        stored_work.keep_typed(assignment_id, index, given)


def _check(assignment_id: str, index: int, asked: Asked) -> None:
    """Mark the answer, or begin to; callbacks can arrive twice."""
    stored = stored_work.find(assignment_id)
    if stored is None or stored.work.is_closed(index):
        return
    part = stored.work.assignment.parts[index]
    with style.error_messages(_MESSAGE):
        given = _given(assignment_id, index, asked)
        answer = complete(asked.fields, given)
        _require_numbers(asked, answer)
        stored_work.keep_typed(assignment_id, index, given)
        if isinstance(part, CodePart) and own_machine.permitted():
            own_code.begin(_check_of(part, answer))
            PENDING.of(assignment_id, index).set(answer)
        elif part.runs_code:
            _keep(assignment_id, index, answer, Mark(0.0, "Your code is stored.", marked=False))
        elif part.trains:
            PENDING.of(assignment_id, index).set(answer)
        else:
            _keep(assignment_id, index, answer, part.judge(stored.work.seed_of_part(index), answer))


def _require_numbers(asked: Asked, answer: Mapping[str, str]) -> None:
    for field in asked.fields:
        if field.kind == "number" and not is_number(answer[field.name].removesuffix("%").strip()):
            raise AssignmentError(f"“{field.label}” isn't a number.", "Type one such as 1.5.")


def _keep(assignment_id: str, index: int, answer: Mapping[str, str], mark: Mark) -> None:
    """Store an answer and its mark, with the message for the student."""
    stored_work.change(assignment_id, lambda work: work.answered(index, answer, mark))
    flash(_MESSAGE, mark.message, "good" if mark.right else "care" if mark.marked else "note")


# --- marks that take seconds ---


def marked(part: BasePart, seed: int, answer: Mapping[str, str]) -> Iterator[tuple[int, int, Mark | None]]:
    """The mark of an answer, for a process."""
    yield 0, 1, None
    yield 1, 1, part.judge(seed, answer)


def hinted(
    part: BasePart, seed: int, numbers: tuple[int, ...], ruled_out: tuple[str, ...]
) -> Iterator[tuple[int, int, list[str]]]:
    """The hints with these numbers, for a process."""
    hints: list[str] = []
    for number in numbers:
        hints.append(part.hint(seed, number, ruled_out))
        yield len(hints), len(numbers), hints


def materials(part: BasePart, seed: int) -> Iterator[tuple[int, int, str | None]]:
    """What there is to read besides the question, for a process."""
    yield 0, 1, None
    yield 1, 1, part.material(seed)


def _pending(work: Work, index: int, answer: dict[str, str]) -> None:
    """Draw the progress of a mark; store it when it is there."""
    assignment = work.assignment
    part, seed, pending = assignment.parts[index], work.seed_of_part(index), PENDING.of(assignment.id, index)
    if isinstance(part, CodePart):
        job = own_code.CHECKS.latest()
        if job is not None and job.asked == _check_of(part, answer) and not job.cancelled:
            if job.running:
                own_code.CHECKS.show_running(job)
                return
            assert job.outcome
            _finish(assignment.id, index, answer, mark_of(job.outcome))
        pending.forget()
        st.rerun()
    key = (part.model_dump_json(), seed, tuple(sorted(answer.items())))
    mark = measurements.show(
        "mark", key, marked, part, seed, answer, button="Mark the answer", starts=True, stage="Marking your answer"
    )
    if mark is not None:
        _finish(assignment.id, index, answer, mark)
        pending.forget()
        st.rerun()


def _finish(assignment_id: str, index: int, answer: Mapping[str, str], mark: Mark) -> None:
    with style.error_messages(_MESSAGE):
        _keep(assignment_id, index, answer, mark)


def _check_of(part: CodePart, answer: Mapping[str, str]) -> own_code.AskedCheck:
    return own_code.AskedCheck(answer["code"], part.part, None)


# --- points and hints ---


def _result(work: Work, index: int) -> None:
    """Draw what became of a part."""
    attempt, part = work.attempts[index], work.assignment.parts[index]
    points = f"{work.points_of(index):g} of {counted(part.points, 'point')}"
    if not attempt.marked:
        style.message("Handed in. Your lecturer's check marks it.", "note")
    elif attempt.share == 1:
        style.message(f"Solved: {points}.", "good", "check")
    elif work.is_closed(index):
        style.message(f"No tries are left: {points}.", "care")
    elif attempt.share:
        style.caption(f"Your last answer is partly right: {points}.")


def _points(work: Work, index: int) -> None:
    """Draw what can still be earned, and what costs points."""
    part, attempt, tries = work.assignment.parts[index], work.attempts[index], work.assignment.tries
    if work.is_closed(index):
        return
    left = part.earned(work.seed_of_part(index), 1.0, attempt.wrong, attempt.hints)
    sentences = [f"{left:g} of {counted(part.points, 'point')} left."]
    wrong = part.wrong_costs(work.seed_of_part(index)) / MAX_POINTS * part.points
    sentences.append(f"A wrong answer costs {wrong:g}.")
    if tries:
        sentences.append(f"The part closes after {counted(tries - attempt.wrong, 'more wrong answer')}.")
    style.caption(" ".join(sentences))


def _hints(work: Work, index: int) -> None:
    """Draw the hints so far, and the button for the next with its price."""
    part, seed, count = work.assignment.parts[index], work.seed_of_part(index), work.attempts[index].hints
    for hint_text in _known_hints(part, seed, work.attempts[index]):
        st.info(hint_text, icon=":material/lightbulb:")
    if work.next_hint(index) is not None:
        price = counted(HINT_COSTS / MAX_POINTS * part.points, "point")
        st.button(
            f"Hint {count + 1:d} (costs {price})",
            icon=":material/lightbulb:",
            on_click=_ask,
            args=(work.assignment.id, index, count),
        )


def _known_hints(part: BasePart, seed: int, attempt: Attempt) -> list[str]:
    """The hints taken; those that train are computed in a process, with progress."""
    numbers = attempt.hinted
    if not numbers:
        return []
    if not isinstance(part, LessonPart):
        ruled_out: tuple[str, ...] = ()
    elif part.trains:
        ruled_out = attempt.ruled_out[: numbers[0]]
    else:
        return [part.hint(seed, number, attempt.ruled_out) for number in numbers]
    key = (part.model_dump_json(), seed, numbers, ruled_out)
    hints = measurements.show(
        "hint",
        key,
        hinted,
        part,
        seed,
        numbers,
        ruled_out,
        button="Show the hint",
        starts=True,
        stage="Computing the hint",
    )
    return hints or []


def _ask(assignment_id: str, index: int, count: int) -> None:
    """Take the next hint; a second press of the same button costs nothing."""

    def to(work: Work) -> Work:
        return work.with_hint(index) if work.attempts[index].hints == count else work

    with style.error_messages(_MESSAGE):
        stored_work.change(assignment_id, to)
