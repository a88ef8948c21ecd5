"""The keys of every page, and the window that lists them."""

import re
from dataclasses import replace

import streamlit as st

from playground.ui.server.assets import loader
from playground.ui.session.pages import PAGES, Shortcut

_help = st.components.v2.component("playground_keys", js=loader("shell/keys.ts"))


_PRESENT: tuple[Shortcut, ...] = (
    Shortcut(("f",), "present: one part at a time, in large type", "presenter.ts"),
    Shortcut(("PageDown", "ArrowRight"), "next slide, page or view of the lesson plan", "presenter.ts"),
    Shortcut(("PageUp", "ArrowLeft"), "previous slide, page or view of the lesson plan", "presenter.ts"),
    Shortcut((" ",), "train, pause, resume", "presenter.ts"),
    Shortcut((" ",), "show the answer to the question", "presenter.ts"),
    Shortcut(("s",), "one step, in slow motion one stage", "presenter.ts"),
    Shortcut(("Shift+PageDown",), "next page", "presenter.ts"),
    Shortcut(("Shift+PageUp",), "previous page", "presenter.ts"),
    Shortcut(("l",), "list of the slides of this page and of the lesson plan", "presenter.ts"),
    Shortcut(("a",), "add this view to the lesson plan", "presenter.ts"),
    Shortcut(("b", "."), "black screen until the next key", "presenter.ts"),
    Shortcut(("q",), "share: a link and its QR code", "presenter.ts"),
    Shortcut(("Escape", "f"), "stop presenting", "presenter.ts"),
    Shortcut(("?",), "show these keys", "keys.ts"),
)
_ROOM = (Shortcut(("c",), "in a room: back to the class", "room.ts"),)
_ONLY_ON = {
    "train, pause, resume": "train",
    "one step, in slow motion one stage": "train",
    "show the answer to the question": "learn",
}


def table(path: str) -> dict[str, tuple[Shortcut, ...]]:
    """The keys of the page with this path in its view; the page's own keys override those of the presenter view."""
    own, slides = PAGES[path].shortcuts, PAGES[path].slides
    used = {key for rows in own.values() for row in rows if not row.focused for key in row.keys} - {"Escape"}
    rows = [
        replace(row, keys=left)
        for row in _PRESENT
        if (left := tuple(key for key in row.keys if key not in used))
        and _ONLY_ON.get(row.does, path) == path
        and (slides or row is not _PRESENT[0])
    ]
    return {**PAGES[path].shown_shortcuts, "Present": tuple(rows), "Room": _ROOM}


_SHOWN = {
    "ArrowRight": "→",
    "ArrowLeft": "←",
    "ArrowUp": "↑",
    "ArrowDown": "↓",
    "PageDown": "Page down",
    "PageUp": "Page up",
    "Escape": "Esc",
    " ": "Space",
}


def shown(key: str) -> str:
    """Label of a key: "Shift →"."""
    *held, last = re.split(r"(?<=\w)\+", key)  # "+" alone is a key
    return " ".join([*held, _SHOWN.get(last, last.upper() if len(last) == 1 else last)])


def help_button(path: str) -> None:
    """Draw the button that opens the list of keys, as "?" does."""
    columns = [
        {
            "title": title,
            "rows": [[[row.together] if row.together else list(map(shown, row.keys)), row.does] for row in rows],
        }
        for title, rows in table(path).items()
    ]
    _help(data=columns, key="keys")
