"""The views of the Train page: one run, several compared, or a sweep."""

from collections.abc import Mapping

import streamlit as st

from playground.ui import sharing, view

VIEWS = ("run", "compare", "sweep")
KEY = "train view"


def open_view() -> None:
    """Takes the view from the address, once a session."""
    view.open_view("train", {"view": KEY})
    if st.session_state.get(KEY) not in VIEWS:
        st.session_state[KEY] = VIEWS[0]


def switch() -> None:
    """Draws the switch between the views."""
    st.segmented_control(
        "View",
        VIEWS,
        key=KEY,
        required=True,
        persist_state="session",
        format_func=str.capitalize,
        label_visibility="collapsed",
    )
    view.keep_view({"view": KEY}, {KEY: VIEWS[0]})


def shown() -> str:
    """The view that is wanted now."""
    return st.session_state[KEY]


def turn(name: str) -> None:
    """Turns to another view, in a callback."""
    st.session_state[KEY] = name


def share(told: str, words: Mapping[str, str]) -> None:
    """A link to what is shown, with these words in the address."""
    st.session_state["shared"] = dict(words)
    with st.popover("Share", icon=":material/share:"):
        given = {word: text for word, text in words.items() if text}
        sharing.tell(told, sharing.address({"view": shown()} | given))


def share_anew(words: Mapping[str, str]) -> None:
    """Draws the page again where the link on it, which stands outside of what moves, has other words by now."""
    if st.session_state.get("shared") != words:
        st.rerun()
