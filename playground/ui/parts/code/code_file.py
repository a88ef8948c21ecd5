"""A file of code: chosen, or dropped on the page."""

import io
import tokenize
from collections.abc import Callable
from typing import Any, NamedTuple

import streamlit as st

from playground.ui.server.assets import loader
from playground.ui.session.session_keys import Key

MAX_BYTES = 2**20
"""Maximum size of a file of code."""

PROBLEMS = {
    "large": "The file is larger than 1 MB. Choose a smaller one.",
    "binary": "The file is not text in UTF-8. Choose a Python file.",
    "other": "This is not a Python file. Choose a file whose name ends in {}.",
}

_file = st.components.v2.component(
    "playground_code_file", html='<div class="code-file"></div>', js=loader("parts/code/code_file.ts")
)


class CodeFile(NamedTuple):
    """A file that a person has chosen."""

    name: str
    text: str

    def content(self) -> bytes:
        """The text in the encoding that its coding cookie names, UTF-8 without one or where that can't write it."""
        content = self.text.encode()
        try:
            return self.text.encode(tokenize.detect_encoding(io.BytesIO(content).readline)[0])
        except (SyntaxError, UnicodeEncodeError):
            return content


def choose(key: Key[Any], endings: tuple[str, ...], take: Callable[[CodeFile | str], None]) -> None:
    """Draw a button that chooses a file with one of these endings. `take` gets the file, or why it can't be read."""

    def chosen() -> None:
        sent = key.get().chosen
        name, text = sent.get("name"), sent.get("text")
        if isinstance(name, str) and isinstance(text, str):
            take(CodeFile(name, text.removeprefix("\ufeff").replace("\r\n", "\n")))
        else:
            problem = PROBLEMS.get(str(sent.get("problem")), PROBLEMS["other"])
            take(problem.format(" or ".join(endings)))

    data = {"most": MAX_BYTES, "endings": list(endings)}
    _file(key=key.name, data=data, width="content", height="content", on_chosen_change=chosen)
