"""A text to copy: a field that can be selected, and a button, with roles that `st.code` lacks."""

import streamlit as st

from playground.ui.server.assets import loader
from playground.ui.session.session_keys import Key

_copied_text = st.components.v2.component(
    "playground_copied_text", html='<div class="copied-text"></div>', js=loader("learn/assignments/copied_text.ts")
)


def show(key: Key[object], label: str, text: str, *, action: str, large: bool = False) -> None:
    """Draw the text with this accessible label, and a button with the words `action`."""
    data = {"label": label, "text": text, "action": action, "large": large}
    _copied_text(key=key.name, data=data, height="content")
