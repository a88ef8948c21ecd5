"""The function that ran, with a mark on the statement that computed a tensor."""

from functools import lru_cache
from html import escape
from typing import Any

import streamlit as st
from pygments.lexers.python import PythonLexer
from pygments.token import Token

from playground.recording import Statement, function_around
from playground.ui.server.assets import loader

_box = st.components.v2.component("playground_statement", js=loader("passes/statement.ts"))

_TOKEN_CLASSES = (
    (Token.Keyword.Constant, "number"),
    (Token.Keyword, "keyword"),
    (Token.Operator.Word, "keyword"),
    (Token.Literal.String, "string"),
    (Token.Literal.Number, "number"),
    (Token.Comment, "comment"),
    (Token.Name.Function, "defined"),
    (Token.Name.Class, "defined"),
    (Token.Name.Builtin.Pseudo, "self"),
    (Token.Name.Decorator, "defined"),
)
"""Token kinds with their own colour, by Pygments' names; the first match applies."""


def source_box(*, key: str = "statement") -> None:
    """Draw the box of the function that ran, which `tensors.show` fills; its height is constant."""
    _box(key=key)


def shown(source: Statement, tap: str = "", named_by: Statement | None = None) -> dict[str, Any]:
    """Data of the box: the function's lines as HTML, the first line number, and the marked lines.

    `named_by` is the statement elsewhere that calls a tap only to name the tensor, see `Operation`.
    """
    first, text = function_around(source)
    return {
        "html": highlighted(text),
        "first": first,
        "lit": [source.line, source.line + source.code.count("\n")],
        "where": source.where,
        "function": source.function,
        "named": named_by and [f"self.{tap}(...)", named_by.where],
    }


@lru_cache(maxsize=256)
def highlighted(code: str) -> str:
    """Python as HTML lines; no element spans two lines."""
    pieces = []
    for kind, text in PythonLexer(stripnl=False, ensurenl=False).get_tokens(code):
        name = next((name for wanted, name in _TOKEN_CLASSES if kind in wanted), "")
        # One element per line: the browser splits at line ends.
        marked = (
            f'<i class="{name}">{escape(line, quote=False)}</i>' if name and line else escape(line, quote=False)
            for line in text.split("\n")
        )
        pieces.append("\n".join(marked))
    return "".join(pieces)
