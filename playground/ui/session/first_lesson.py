"""The way to the first lesson, from other pages."""

import streamlit as st

from playground.lessons.lesson import lessons
from playground.ui.session.pages import LEARN
from playground.ui.session.session_keys import LESSON_NAME


def open_first_lesson() -> None:
    """Turn to the first lesson on Learn."""
    LEARN.turn("lessons")
    LESSON_NAME.set(next(iter(lessons())))
    st.switch_page(LEARN.file)
