"""Lessons view: the list of lessons, or the open lesson."""

from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

import streamlit as st

from playground.common.errors import PlaygroundError
from playground.lessons.lesson import Block, Embedded, Lesson, Question, TextPart, fill, is_number, lessons
from playground.ui.learn import exercise_view, lesson_progress, live_view
from playground.ui.parts import style
from playground.ui.runs import sharing
from playground.ui.session import session_keys as keys
from playground.ui.session import sources
from playground.ui.session.address import QueryParam, QueryParams, number, one_of
from playground.ui.session.session_keys import Key

LESSON_SEED = Key[int]("lesson seed", 0, "Seed of the lesson's numbers")
LESSON_ANSWER = Key[Any]("lesson answer {} {} {}", None, "Widget: answer to a block's question")
LESSON_PROBLEM = Key[str]("lesson problem", "", "Key of the widget whose text is not a number")
LESSON_CONTROLS = Key[str]("lesson controls", "", "Controls are hidden: off")

ADDRESS = QueryParams(
    "lessons",
    QueryParam("lesson", keys.LESSON_NAME, one_of(lessons())),
    QueryParam("numbers", LESSON_SEED, number(4)),
    QueryParam("controls", LESSON_CONTROLS, one_of(("off",))),
)
GIVEN_UP = "-"
"""Stored answer of a visitor who requested the solution."""


def show() -> None:
    """Draw the list of lessons, or the open one."""
    asked = st.query_params.get("lesson")
    lesson = lessons().get(keys.LESSON_NAME.get())
    if asked and asked not in lessons():
        style.message(f"There is no lesson “{asked[:40]}”. These are all lessons.", "care")
    if lesson is None:
        with st.container(key="lessons"):
            _list()
    else:
        _lesson(lesson)
    ADDRESS.keep()


def _list() -> None:
    style.caption("Each lesson takes a few minutes. You predict a result, then check it.")
    for index, lesson in enumerate(lessons().values()):
        done, asked = lesson_progress.count(lesson), len(lesson.questions)
        with st.container(border=True, horizontal=True, vertical_alignment="center", key=f"lesson-{lesson.name}"):
            st.html(
                f'<div class="lesson-row"><h2>{index + 1:d}. {escape(lesson.title)}</h2>'
                f'<div class="small soft">{style.marked(lesson.about)} About {lesson.minutes:d} minutes.</div></div>'
            )
            st.html(f'<div class="small soft">{done:d} of {asked:d} answered</div>', width="content")
            st.button(
                f"Start lesson {index + 1:d}"
                if not done
                else f"Continue lesson {index + 1:d}"
                if done < asked
                else f"Read lesson {index + 1:d}",
                key=f"open lesson {lesson.name}",
                on_click=keys.LESSON_NAME.set,
                args=(lesson.name,),
            )


def _lesson(lesson: Lesson) -> None:
    seed = LESSON_SEED.get()
    order = list(lessons())
    lesson_index = order.index(lesson.name)
    if LESSON_CONTROLS.get() != "off":
        with st.container(horizontal=True, vertical_alignment="center", gap="small", key="lesson-head"):
            st.button("All lessons", icon=":material/arrow_back:", on_click=keys.LESSON_NAME.set, args=("",))
            st.button("New numbers", icon=":material/casino:", on_click=_draw_again, args=(lesson,))
            with st.popover("Share", icon=":material/share:", key="share"):
                link = sharing.address({"view": "lessons"} | ADDRESS.words() | {"controls": "off"})
                sharing.tell("This link opens the lesson with these numbers and hides the buttons above it.", link)
            style.caption("“New numbers” clears your answers to this lesson.", width="content")
    st.html(
        f'<div class="lesson-title"><h2>Lesson {lesson_index + 1:d}. {escape(lesson.title)}</h2>'
        f'<div class="small soft">{style.marked(lesson.about)} About {lesson.minutes:d} minutes.</div>'
        f'<div class="small soft">Terms: {style.marked(" · ".join(lesson.terms))}</div></div>'
    )
    try:
        facts = lesson.facts(seed)
    except PlaygroundError as error:
        style.message(f"This lesson can't be shown. {sources.plain(error)}", "wrong")
        return
    for index, block in enumerate(lesson.blocks):
        st.fragment(_block)(lesson, index, block, facts, seed)
    if lesson_index + 1 < len(order):
        following = lessons()[order[lesson_index + 1]]
        st.button(
            f"Next lesson: {following.title}",
            type="primary",
            icon=":material/arrow_forward:",
            on_click=keys.LESSON_NAME.set,
            args=(following.name,),
        )


def _draw_again(lesson: Lesson) -> None:
    LESSON_SEED.set((LESSON_SEED.get() + 1) % 10_000)
    lesson_progress.forget(lesson)


def _block(lesson: Lesson, index: int, block: Block, facts: Mapping[str, object], seed: int) -> None:
    """Draw text and question, then the parts after the answer: two slides of the presenter view."""
    title = fill(block.title, facts)
    with st.container(key=f"block-{index + 1}"):
        with st.container(key=f"text-{index + 1}"):
            st.subheader(title, anchor=False)
            draw_parts(lesson, block.parts, facts, seed, f"{index} text")
            if block.question is None:
                _rest(lesson, index, block, facts, seed)
        if block.question is None:
            return
        with st.container(key=f"question-{index + 1}"):
            _question(lesson, index, block.question, facts, seed)
    if lesson_progress.given(lesson, index) is None:
        return
    with st.container(key=f"answer-{index + 1}"):
        with st.container(key=f"slide-title-{index + 1}"):
            st.subheader(title, anchor=f"answer-{index + 1}")  # own id: an id must be unique
        if block.exercise is not None:
            outcomes = exercise_view.show(lesson, block.exercise, seed)
            if outcomes is None:
                return
            facts = {**facts, **outcomes}
        explains = all(isinstance(part, str) for part in block.why + block.practice)  # live parts need the full width
        with st.container(key=f"{'beside' if explains else 'below'}-{index + 1}"):
            with st.container(key=f"found-{index + 1}"):
                _verdict(lesson, index, block.question, facts)
                shown = [part for part in block.reveal if part != block.exercise]
                draw_parts(lesson, shown, facts, seed, f"{index} reveal")
            if block.why + block.practice:
                with st.container(key=f"why-{index + 1}"):
                    _rest(lesson, index, block, facts, seed)


def _rest(lesson: Lesson, index: int, block: Block, facts: Mapping[str, object], seed: int) -> None:
    for title, parts in (("Why", block.why), ("Try", block.practice)):
        if parts:
            st.html(f'<h4 class="lesson-part">{title}</h4>')
            draw_parts(lesson, parts, facts, seed, f"{index} {title}")


def draw_parts(lesson: Lesson, parts: Sequence[TextPart], facts: Mapping[str, object], seed: int, where: str) -> None:
    """Draw Markdown with its values, and live parts. `where` is unique on the page."""
    for index, part in enumerate(parts):
        if isinstance(part, Embedded):
            live_view.show(lesson, part, seed, f"{where} {index}")
        else:
            st.markdown(fill(part, facts))


def _question(lesson: Lesson, index: int, question: Question, facts: Mapping[str, object], seed: int) -> None:
    key = LESSON_ANSWER.of(lesson.name, index, seed)
    before = lesson_progress.given(lesson, index)
    _predict(lesson, index, facts, seed)
    draw_parts(lesson, question.parts, facts, seed, f"{index} question")
    chosen: str | None = ""
    # A number is sent by Enter, too. Choices have no form: Check waits for one of them.
    with st.container(key=f"given-{index + 1}"):
        form = st.container() if question.choices else st.form(f"form {key.name}", border=False)
    button = st.button if question.choices else st.form_submit_button
    with form:
        if question.choices:
            choices = [fill(choice, facts) for choice in question.choices]
            first = choices.index(before) if before in choices else None
            chosen = st.radio("Your prediction", choices, index=first, key=key.name)
        else:
            begun = before if before != GIVEN_UP else ""
            # The number keyboard of a phone may have no minus.
            number = "signed" if fill(question.answer, facts).startswith("\N{MINUS SIGN}") else "decimal"
            with st.container(key=f"{number}-{index + 1}"):
                st.text_input("Your prediction, a number", begun, key=key.name, max_chars=key.max_chars, width=240)
        with st.container(horizontal=True, gap="small"):
            button(
                "Check",
                type="primary" if before is None else "secondary",
                disabled=chosen is None,
                key=f"check {lesson.name} {index}",
                on_click=_give,
                args=(lesson, index, question, key),
            )
            if before is None:
                button(
                    "Show the answer",
                    type="tertiary",
                    key=f"reveal-{index + 1}",
                    on_click=lesson_progress.give,
                    args=(lesson, index, GIVEN_UP),
                )
    if LESSON_PROBLEM.get() == key.name:
        LESSON_PROBLEM.forget()
        stays = f" Your answer is still {before}." if before not in (None, GIVEN_UP) else ""
        style.message(f"This isn't a number. Type one such as 1.5.{stays}", "wrong")


def _predict(lesson: Lesson, index: int, facts: Mapping[str, object], seed: int) -> None:
    """Draw the heading of a question, which tells the scripts of a room what it is."""
    block = lesson.blocks[index]
    if block.exercise is not None:
        st.html('<h4 class="lesson-part">Predict</h4>')
        return
    of = f'data-lesson="{escape(lesson.name)}" data-block="{index:d}" data-seed="{seed:d}"'
    title = escape(fill(block.title, facts))
    ask = f'<button class="ask-room" type="button" aria-label="Ask the room: {title}">Ask the room</button>'
    st.html(f'<div class="predict" {of} data-title="{title}"><h4 class="lesson-part">Predict</h4>{ask}</div>')


def _give(lesson: Lesson, index: int, question: Question, key: keys.Key[str | None]) -> None:
    given = (key.get() or "").strip()
    if question.choices or is_number(given):
        lesson_progress.give(lesson, index, given)
    else:
        LESSON_PROBLEM.set(key.name)


def _verdict(lesson: Lesson, index: int, question: Question, facts: Mapping[str, object]) -> None:
    given = lesson_progress.given(lesson, index) or ""
    right = fill(question.answer, facts)
    if given == GIVEN_UP:
        style.message(f"The answer: {right}", "note")
    elif question.is_right(given, facts, exactly=True):
        style.message(f"Right: {right}", "good", "check")
    elif question.is_right(given, facts):
        style.message(f"Right: your {given} is close enough to {right}.", "good", "check")
    else:
        style.message(f"Not quite. You predicted {given}; the answer is {right}.", "care")
