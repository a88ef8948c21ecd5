"""The view of lessons: what there is to learn, and the lesson that is open."""

from collections.abc import Mapping, Sequence
from html import escape

import streamlit as st

from playground.errors import PlaygroundError
from playground.lessons.lesson import Block, Embedded, Lesson, Part, Question, fill, lessons
from playground.ui.learn import lesson_progress, live_view
from playground.ui.parts import sharing, style
from playground.ui.session import session_keys as keys
from playground.ui.session import state
from playground.ui.session.view import Field, View, number, one_of

VIEW = View(
    "lessons",
    Field("lesson", keys.LESSON_NAME, one_of(lessons())),
    Field("seed", keys.LESSON_SEED, number(4)),
    Field("controls", keys.LESSON_CONTROLS, one_of(("off",))),
)
GIVEN_UP = "-"
"""The answer of somebody who asked for the solution."""


def show() -> None:
    """Draws the list of lessons, or the one that is open."""
    lesson = lessons().get(keys.LESSON_NAME.get())
    if lesson is None:
        _list()
    else:
        _lesson(lesson)
    VIEW.keep()


def _list() -> None:
    style.caption("Each lesson takes a few minutes. You predict a number, then the model shows it.")
    for at, lesson in enumerate(lessons().values()):
        done, asked = lesson_progress.count(lesson), len(lesson.questions)
        with st.container(border=True, horizontal=True, vertical_alignment="center", key=f"lesson-{lesson.name}"):
            st.html(
                f'<div class="lesson-row"><h3>{at + 1:d}. {escape(lesson.title)}</h3>'
                f'<div class="small soft">{style.marked(lesson.about)} About {lesson.minutes:d} minutes.</div></div>'
            )
            st.html(f'<div class="small soft">{done:d} of {asked:d} answered</div>', width="content")
            st.button(
                "Start" if not done else "Continue" if done < asked else "Read again",
                key=f"open lesson {lesson.name}",
                on_click=keys.LESSON_NAME.set,
                args=(lesson.name,),
            )


def _lesson(lesson: Lesson) -> None:
    seed = keys.LESSON_SEED.get()
    order = list(lessons())
    at = order.index(lesson.name)
    if keys.LESSON_CONTROLS.get() != "off":
        with st.container(horizontal=True, vertical_alignment="center", gap="small", key="lesson-head"):
            st.button("All lessons", icon=":material/arrow_back:", on_click=keys.LESSON_NAME.set, args=("",))
            st.button(
                "New numbers",
                icon=":material/casino:",
                help="Draws other numbers for this lesson and clears your answers to it.",
                on_click=_draw_again,
                args=(lesson,),
            )
            with st.popover("Share", icon=":material/share:", key="share"):
                link = sharing.address({"view": "lessons"} | VIEW.words() | {"controls": "off"})
                sharing.tell("This link opens the lesson with these numbers and hides the buttons above it.", link)
    st.html(
        f'<div class="lesson-title"><h2>Lesson {at + 1:d}. {escape(lesson.title)}</h2>'
        f'<div class="small soft">{style.marked(lesson.about)} About {lesson.minutes:d} minutes.</div>'
        f'<div class="small soft">Terms: {style.marked(" · ".join(lesson.terms))}</div></div>'
    )
    try:
        facts = lesson.facts(seed)
    except PlaygroundError as error:
        style.message(f"This lesson can't be shown. {state.plain(error)}", "wrong")
        return
    for number_, block in enumerate(lesson.blocks):
        with st.container(key=f"block-{number_ + 1}"):
            st.fragment(_block)(lesson, number_, block, facts, seed)
    if at + 1 < len(order):
        following = lessons()[order[at + 1]]
        st.button(
            f"Next lesson: {following.title}",
            type="primary",
            icon=":material/arrow_forward:",
            on_click=keys.LESSON_NAME.set,
            args=(following.name,),
        )


def _draw_again(lesson: Lesson) -> None:
    keys.LESSON_SEED.set((keys.LESSON_SEED.get() + 1) % 10_000)
    lesson_progress.forget(lesson)


def _block(lesson: Lesson, number_: int, block: Block, facts: Mapping[str, object], seed: int) -> None:
    st.subheader(fill(block.title, facts), anchor=False)
    _parts(lesson, block.parts, facts, seed, f"{number_} text")
    if block.question is not None:
        _question(lesson, number_, block.question, facts, seed)
        if lesson_progress.given(lesson, number_) is None:
            return
        with st.container(key=f"revealed-{number_ + 1}"):
            _verdict(lesson, number_, block.question, facts)
            _parts(lesson, block.reveal, facts, seed, f"{number_} reveal")
    for title, parts in (("Why", block.why), ("Try", block.practice)):
        if parts:
            st.html(f'<h4 class="lesson-part">{title}</h4>')
            _parts(lesson, parts, facts, seed, f"{number_} {title}")


def _parts(lesson: Lesson, parts: Sequence[Part], facts: Mapping[str, object], seed: int, where: str) -> None:
    for at, part in enumerate(parts):
        if isinstance(part, Embedded):
            live_view.show(lesson, part, seed, f"{where} {at}")
        else:
            st.markdown(fill(part, facts))


def _question(lesson: Lesson, number_: int, question: Question, facts: Mapping[str, object], seed: int) -> None:
    key = keys.LESSON_ANSWER.of(lesson.name, number_, seed)
    before = lesson_progress.given(lesson, number_)
    st.html('<h4 class="lesson-part">Predict</h4>')
    _parts(lesson, question.parts, facts, seed, f"{number_} question")
    if question.choices:
        choices = [fill(choice, facts) for choice in question.choices]
        index = choices.index(before) if before in choices else None
        st.radio("Your prediction", choices, index=index, key=key.name)
    else:
        st.text_input("Your prediction, a number", before if before != GIVEN_UP else "", key=key.name)
    with st.container(horizontal=True, gap="small"):
        st.button(
            "Check",
            type="primary" if before is None else "secondary",
            key=f"check {lesson.name} {number_}",
            on_click=_give,
            args=(lesson, number_, key),
        )
        if before is None:
            st.button(
                "Show the answer",
                type="tertiary",
                key=f"reveal-{number_ + 1}",
                on_click=lesson_progress.give,
                args=(lesson, number_, GIVEN_UP),
            )


def _give(lesson: Lesson, number_: int, key: keys.Key) -> None:
    given = str(key.get() or "").strip()
    if given:
        lesson_progress.give(lesson, number_, given)


def _verdict(lesson: Lesson, number_: int, question: Question, facts: Mapping[str, object]) -> None:
    given = lesson_progress.given(lesson, number_) or ""
    right = fill(question.answer, facts)
    if given == GIVEN_UP:
        style.message(f"The answer: {right}", "note")
    elif question.is_right(given, facts):
        style.message(f"Right: {right}", "good", "check")
    else:
        style.message(f"Not quite. You predicted {given}; the answer is {right}.", "care")
