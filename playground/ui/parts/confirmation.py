"""A question before an act that costs much or concerns others: one dialog at a time, wherever it is asked."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import streamlit as st

from playground.ui.parts import style
from playground.ui.session.session_keys import Key

QUESTION = Key[Any]("question", None, "Open question")


@dataclass
class Question:
    """What is asked, in Markdown, and `act`, which follows the button `agree`; an error message is left at `place`."""

    title: str
    icon: str
    text: str
    agree: str
    agree_icon: str
    act: Callable[[], object]
    place: str
    page: str = ""  # opened after the act
    drawn: bool = False

    def carry_out(self) -> None:
        """Act, then open the page."""
        with style.error_messages(self.place):
            self.act()
            if self.page:
                st.switch_page(self.page)


def ask(question: Question) -> None:
    """Open the question with the next script run; it replaces another one."""
    QUESTION.set(question)


def open_asked() -> None:
    """Rerun the whole page if a question is pending: a fragment can't open a dialog."""
    question = QUESTION.get()
    if question is not None and not question.drawn:
        st.rerun()


def show() -> bool:
    """Draw the question as a dialog while it is open; returns whether it is."""
    question = QUESTION.get()
    if question is None:
        return False
    question.drawn = True
    st.dialog(question.title, icon=f":material/{question.icon}:", on_dismiss=QUESTION.forget)(_draw)(question)
    return True


def _draw(question: Question) -> None:
    st.markdown(question.text)
    with st.container(horizontal=True):
        agreed = st.button(
            question.agree, type="primary", icon=f":material/{question.agree_icon}:", key="question agreed"
        )
        if st.button("Cancel", key="question cancelled"):
            QUESTION.forget()
            st.rerun()
    if agreed:
        QUESTION.forget()
        question.carry_out()
        st.rerun()
