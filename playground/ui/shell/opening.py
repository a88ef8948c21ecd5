"""What a page shows until its scripts have arrived: the menu, its title, what it is for, and on Build a model's answer.

Streamlit's and the app's scripts are 1.2 MB in 110 files: with a latency of 400 ms and 1.5 Mbit/s they take 10 s, in
which the page was white. The opening is part of the page itself; opening.ts removes it.
"""

from base64 import b64encode
from html import escape
from pathlib import Path

import streamlit as st

from playground.common.errors import CheckpointError
from playground.ui.build import first_look
from playground.ui.session.pages import BUILD, PAGES

_PARTS = Path(__file__).parent.parent
_STYLE = (_PARTS / "shell" / "opening.css").read_text("utf-8")
_LOOK = "".join((_PARTS / name).read_text("utf-8") for name in ("parts/base.css", "build/first_look.css"))
_THEME = ("primaryColor", "backgroundColor", "secondaryBackgroundColor", "textColor", "borderColor")


def html(path: str) -> str:
    """The opening of the page with this path."""
    page = PAGES[path]
    menu = "".join(
        f'<a href="./{each.path}"{" aria-current=page" if each is page else ""}>{escape(each.title)}</a>'
        for each in PAGES.values()
    )
    return (
        f'<div id="opening"><style>{_colours()}{_STYLE}</style><nav aria-label="Pages">{menu}</nav><main>'
        f"{_first_look() if page is BUILD else ''}<h1>{escape(page.title)}</h1><p>{escape(page.about)}</p>"
        '<noscript>This app needs JavaScript.</noscript></main><div class="loading">'
        '<span role="status">Loading the app …</span><progress aria-label="Files of the app"></progress></div></div>'
    )


def _colours() -> str:
    """Streamlit's names of the colours, as components get them."""

    def name(option: str) -> str:
        return "".join(f"-{each.lower()}" if each.isupper() else each for each in option)

    def both(option: str) -> str:
        light, dark = (st.get_option(f"theme.{theme}.{option}") for theme in ("light", "dark"))
        return f"--st-{name(option)}:light-dark({light},{dark});"

    return f"#opening{{{''.join(map(both, _THEME))}}}"


def _first_look() -> str:
    """The first look, in a shadow root as its component is; nothing if its checkpoint can't be read."""
    try:
        look, weights = first_look.opening()
    except CheckpointError:
        return ""
    packed = b64encode(weights).decode()
    return (
        f'<div class="look" data-weights="{packed}"><template shadowrootmode="open"><style>{_LOOK}</style>{look}'
        "</template></div>"
    )
