"""Pages with several views: which one is wanted, in the address too, and the switch between them."""

from collections.abc import Mapping, Sequence

import streamlit as st

from playground.ui.parts import sharing
from playground.ui.session import view


class Views:
    """The views of one page; the first is the one it opens with."""

    def __init__(self, page: str, names: Sequence[str]) -> None:
        self.page = page
        self.names = tuple(names)
        self.key = f"{page} view"

    def open_view(self) -> None:
        """Takes the view from the address, once a session."""
        view.open_view(self.page, {"view": self.key})
        if st.session_state.get(self.key) not in self.names:
            st.session_state[self.key] = self.names[0]

    def switch(self) -> None:
        """Draws the switch between the views."""
        st.segmented_control(
            "View",
            self.names,
            key=self.key,
            required=True,
            persist_state="session",
            format_func=str.capitalize,
            label_visibility="collapsed",
        )
        view.keep_view({"view": self.key}, {self.key: self.names[0]})

    def shown(self) -> str:
        """The view that is wanted now."""
        return st.session_state[self.key]

    def turn(self, name: str) -> None:
        """Turns to another view: in a callback, or before the switch is drawn."""
        st.session_state[self.key] = name

    def share(self, told: str, words: Mapping[str, str]) -> None:
        """A link to what is shown, with these words in the address."""
        st.session_state["shared"] = dict(words)
        with st.popover("Share", icon=":material/share:"):
            given = {word: text for word, text in words.items() if text}
            sharing.tell(told, sharing.address({"view": self.shown()} | given))

    def share_anew(self, words: Mapping[str, str]) -> None:
        """Draws the page again where the link on it, which stands outside of what moves, has other words by now."""
        if st.session_state.get("shared") != words:
            st.rerun()


TRAIN = Views("train", ("run", "compare", "sweep"))
CHECKPOINTS = Views("checkpoints", ("library", "hub"))
