"""A lecturer composes an assignment: parts from the table of kinds, a preview, and the link that carries all of it."""

import json
import secrets
from html import escape
from typing import Any, Literal, get_args, get_origin

import streamlit as st
from pydantic import ValidationError
from pydantic.fields import FieldInfo

from playground.common.numbers import counted
from playground.lessons.assignments.assignment import MAX_PARTS, MAX_WORD, PARAM, Assignment, first_problem
from playground.lessons.assignments.kinds.kind_table import KINDS
from playground.lessons.assignments.kinds.lesson_part import LessonPart
from playground.lessons.assignments.kinds.part import AssignmentError, BasePart
from playground.lessons.assignments.ready import PERSONAL, READY
from playground.lessons.assignments.receipt import key_id
from playground.lessons.assignments.student_work import part_seed
from playground.lessons.lesson import lessons
from playground.ui.learn.assignments import copied_text, part_view, take_view
from playground.ui.parts import style
from playground.ui.runs import sharing
from playground.ui.session.address import QueryParam
from playground.ui.session.services import services
from playground.ui.session.session_keys import Key

ABOUT = Key[str]("draft about", "", "Widget: text for students")
COPIED = Key[object]("draft link", None, "Component: the link to copy")
BEFORE = Key[str]("draft before", "", "The draft that another one replaced, as a link carries it")
DEADLINE = Key[str]("draft deadline", "", "Widget: deadline, a text")
DRAFT = Key[str]("draft", "", "The draft, as a link carries it; empty while it is not valid")
FIELD = Key[Any]("draft field {} {}", None, "Widget: field of the part with this number")
NEW_KIND = Key[str]("draft kind", next(iter(KINDS)), "Widget: kind of the part to add")
PARTS = Key[list[tuple[int, str]] | None]("draft parts", None, "Number and kind of each part of the draft")
PREVIEWED = Key[int]("draft previewed", 1, "Widget: number of the part in the preview")
READY_NAME = Key[str]("draft ready", next(iter(READY)), "Widget: name of a ready assignment")
SAMPLE = Key[int]("draft sample", lambda: secrets.randbelow(2**31), "Seed of the preview, which follows from no name")
SIGNED = Key[bool | None]("draft signed", None, "Widget: receipts must be signed by this server")
TITLE = Key[str]("draft title", "", "Widget: title")
TRIES = Key[int | None]("draft tries", None, "Widget: wrong answers allowed for each part; None is no limit")

PARAMS = (QueryParam("draft", DRAFT, longest=MAX_WORD),)

_QUESTIONS = {
    f"{name} {block}": LessonPart(lesson=name, block=block) for name in lessons() for block in lessons()[name].questions
}
"""All questions of lessons."""
_QUESTION = "question"  # in the keys of a part: its value is a key of `_QUESTIONS`


def show() -> None:
    """Draw the form, the link and the preview."""
    if PARTS.get() is None:
        PARTS.set([])
        _open(DRAFT.get())
    style.caption("Compose an assignment. The link carries all of it, and this server stores nothing.")
    _beginnings()
    left, right = st.columns([5, 4], gap="large")
    with left:
        _form()
    assignment, problem = _draft()
    with right:
        _link(assignment, problem)
    if assignment is not None:
        _preview(assignment)


# --- the draft ---


def _open(word: str) -> None:
    """Put an assignment into the form; an invalid one leaves it as it is."""
    try:
        assignment = Assignment.of_word(word)
    except AssignmentError:
        return
    _fill(assignment)


def _fill(assignment: Assignment) -> None:
    TITLE.set(assignment.title)
    ABOUT.set(assignment.about)
    DEADLINE.set(assignment.deadline)
    TRIES.set(assignment.tries or None)
    PARTS.set([])
    for part in assignment.parts:
        _add(part)


def _add(part: BasePart) -> None:
    """Add a part with these values to the form."""
    parts = PARTS.get() or []
    number = 1 + max((number for number, _ in parts), default=0)
    values = part.model_dump()
    PARTS.set([*parts, (number, values.pop("kind"))])
    if isinstance(part, LessonPart):
        values[_QUESTION] = f"{part.lesson} {part.block}"
    for name, value in values.items():
        FIELD.of(number, name).set(value)


def _draft() -> tuple[Assignment | None, str]:
    """The draft, or why it isn't complete; its word is kept for the address."""
    parts: list[dict[str, object]] = []
    for number, kind in PARTS.get() or []:
        values = {name: FIELD.of(number, name).get() for name in KINDS[kind].model_fields if name != "kind"}
        if KINDS[kind] is LessonPart:
            question = _QUESTIONS[FIELD.of(number, _QUESTION).get()]
            values |= {"lesson": question.lesson, "block": question.block}
        parts.append({"kind": kind, **values})
    DRAFT.set("")
    if not TITLE.get().strip():
        return None, "Give the assignment a title."
    if not parts:
        return None, "Add a part."
    content = {
        "title": TITLE.get(),
        "about": ABOUT.get(),
        "deadline": DEADLINE.get(),
        "tries": TRIES.get() or 0,
        "server": key_id(take_view.own_signer()) if SIGNED.get() else "",
        "parts": parts,
    }
    try:
        assignment = Assignment.model_validate_json(json.dumps(content))
        DRAFT.set(assignment.word)
    except ValidationError as error:
        return None, f"This can't be used: {first_problem(error)}"
    except AssignmentError as error:
        return None, str(error)
    return assignment, ""


# --- the form ---


def _beginnings() -> None:
    """Draw the choice of ready assignments."""
    with st.container(horizontal=True, vertical_alignment="bottom", key="draft-ready"):
        st.selectbox(
            "Ready assignments",
            list(READY),
            format_func=lambda name: READY[name].title,
            width=320,
            **READY_NAME.widget,
        )
        st.button("Start from it", icon=":material/content_copy:", on_click=_start_ready)
        if PARTS.get():
            st.button("Start empty", icon=":material/draft:", on_click=_start_empty)
        if BEFORE.get():
            st.button("Restore my draft", icon=":material/undo:", on_click=_restore)


def _start_ready() -> None:
    BEFORE.set(DRAFT.get())
    _fill(READY[READY_NAME.get()])


def _start_empty() -> None:
    BEFORE.set(DRAFT.get())
    for key in (TITLE, ABOUT, DEADLINE):
        key.set("")
    TRIES.set(None)
    PARTS.set([])


def _restore() -> None:
    before = BEFORE.take()
    BEFORE.set(DRAFT.get())
    _open(before)


def _form() -> None:
    """Draw the fields of the assignment and of each part."""
    fields = Assignment.model_fields
    for name, key in (("title", TITLE), ("about", ABOUT), ("deadline", DEADLINE)):
        field = fields[name]
        st.text_input(field.title or "", max_chars=_bound(field, "max_length"), help=field.description, **key.widget)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        field = fields["tries"]
        st.number_input(
            field.title or "",
            1,
            _bound(field, "le"),
            value=None,
            placeholder="No limit",
            help="For each part. Leave it empty for no limit.",
            width=200,
            **TRIES.widget,
        )
        if SIGNED.get() is None:
            SIGNED.set(services().host.shared)
        st.toggle(
            "This server signs the receipts",
            help="Students then work on this server, and only receipts with its signature count. Turn it off if they "
            "work at home on their own machines.",
            **SIGNED.widget,
        )
    parts = PARTS.get() or []
    for index, (number, kind) in enumerate(parts):
        _part(index, number, kind, last=index + 1 == len(parts))
    with st.container(horizontal=True, vertical_alignment="bottom", key="draft-add"):
        st.selectbox(
            "Kind of part",
            list(KINDS),
            format_func=lambda kind: KINDS[kind].title_of_kind,
            width=320,
            **NEW_KIND.widget,
        )
        st.button("Add", icon=":material/add:", disabled=len(parts) >= MAX_PARTS, on_click=_add_new)


def _add_new() -> None:
    kind = KINDS[NEW_KIND.get()]
    _add(next(iter(_QUESTIONS.values())) if kind is LessonPart else kind())


def _part(index: int, number: int, kind: str, *, last: bool) -> None:
    """Draw the fields of a part, and the buttons that move and remove it."""
    with st.container(border=True, key=f"draft-part-{number}"):
        st.html(f"<b>{index + 1:d}. {escape(KINDS[kind].title_of_kind)}</b>")
        if KINDS[kind] is LessonPart:
            question = FIELD.of(number, _QUESTION)
            st.selectbox("Question", list(_QUESTIONS), format_func=_question_in_words, **question.widget)
        with st.container(horizontal=True, vertical_alignment="bottom"):
            for name, field in KINDS[kind].model_fields.items():
                if name != "kind" and not (KINDS[kind] is LessonPart and name in ("lesson", "block")):
                    _widget(field, FIELD.of(number, name))
        with st.container(horizontal=True):
            for label, icon, unusable, by in (
                ("Up", "arrow_upward", index == 0, -1),
                ("Down", "arrow_downward", last, 1),
            ):
                st.button(
                    label,
                    key=f"draft {label} {number}",
                    icon=f":material/{icon}:",
                    disabled=unusable,
                    on_click=_move,
                    args=(index, by),
                )
            st.button(
                "Remove", key=f"draft remove {number}", icon=":material/delete:", on_click=_remove, args=(number,)
            )


def _widget(field: FieldInfo, key: Key[Any]) -> None:
    """Draw the field that fits the type of a value."""
    if get_origin(field.annotation) is Literal:
        st.selectbox(
            field.title or "", get_args(field.annotation), format_func=_words, help=field.description, **key.widget
        )
    elif field.annotation is bool:
        st.toggle(field.title or "", help=field.description, **key.widget)
    else:
        st.number_input(
            field.title or "", _bound(field, "ge"), _bound(field, "le"), help=field.description, width=160, **key.widget
        )


def _bound(field: FieldInfo, name: str) -> int:
    return next(getattr(each, name) for each in field.metadata if hasattr(each, name))


def _words(value: str) -> str:
    return value.replace("-", " ").capitalize()


def _question_in_words(name: str) -> str:
    part = _QUESTIONS[name]
    return part.title + (" (the same answer for all)" if _same_for_all(part) else "")


def _same_for_all(part: BasePart) -> bool:
    """Whether all students have the same right answer."""
    return isinstance(part, LessonPart) and part.block not in PERSONAL.get(part.lesson, ())


def _move(index: int, by: int) -> None:
    parts = PARTS.get() or []
    if 0 <= index + by < len(parts):
        parts[index], parts[index + by] = parts[index + by], parts[index]
        PARTS.set(parts)


def _remove(number: int) -> None:
    PARTS.set([each for each in PARTS.get() or [] if each[0] != number])


# --- the link and the preview ---


def _link(assignment: Assignment | None, problem: str) -> None:
    """Draw the link, or why there is none yet."""
    with st.container(border=True, key="assignment-link"):
        style.heading("Link for students")
        if assignment is None:
            style.message(problem, "care")
            return
        style.caption(f"{counted(len(assignment.parts), 'part')}, {counted(assignment.points, 'point')}.")
        address = sharing.address({"view": "assignments", PARAM: assignment.word})
        copied_text.show(COPIED, "Link for students", address, action="Copy link")
        sharing.draw_code(address)
        style.caption(
            "Anyone with this link can take the assignment. Changes here make another assignment with another link."
        )
        st.button(
            "Take it yourself", icon=":material/edit:", on_click=take_view.open_assignment, args=(assignment.word,)
        )


def _preview(assignment: Assignment) -> None:
    """Draw one part as some student gets it.

    Its seed is random, not that of a name: whoever has the link of an assignment can open it here.
    """
    style.heading("Preview")
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.button("Another sample", icon=":material/casino:", on_click=SAMPLE.forget)
        count = len(assignment.parts)
        PREVIEWED.set(min(PREVIEWED.get(), count))
        if count > 1:
            numbers = range(1, count + 1)
            st.segmented_control("Part", numbers, required=True, **PREVIEWED.widget)
    index = PREVIEWED.get() - 1
    part, seed = assignment.parts[index], part_seed(SAMPLE.get(), index)
    with st.container(border=True, key="assignment-preview"), style.error_messages():
        asked = part.asked(seed)
        part_view.show_question(asked)
        if asked.config:
            style.caption("The student trains a model of their own.")
        for field in asked.fields:
            st.markdown(f"**{field.label}**")
            for choice_text in field.choices.values():
                st.markdown(f"- {choice_text}")
        if _same_for_all(part):
            style.caption("All students have the same answer, so the preview doesn't show it.")
        elif not part.trains and (solution := part.solution(seed)):
            words = [field.choices.get(solution[field.name], solution[field.name]) for field in asked.fields]
            style.message(f"Answer: {', '.join(words)}", "note")
        elif part.trains:
            style.caption("The answer is computed by training, so the preview doesn't show it.")
