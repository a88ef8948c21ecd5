"""The keys of every page: one table of them, and the window that shows it."""

import re
from dataclasses import dataclass, replace

import streamlit as st

from playground.ui.server.assets import loader

_help = st.components.v2.component("playground_keys", js=loader("shell/keys.js"))


@dataclass(frozen=True)
class Key:
    """Keys that do the same."""

    keys: tuple[str, ...]  # as browsers name them, "Shift+" before where it is held
    does: str
    script: str  # the file that listens
    together: str = ""  # how the keys are shown, where not one by one
    focused: bool = False  # only while the part that listens has the keyboard; elsewhere they are free


OWN: dict[str, dict[str, tuple[Key, ...]]] = {
    "train": {
        "In a chart": (
            Key(("ArrowLeft", "ArrowRight"), "another step, in all charts", "chart.js", focused=True),
            Key(("Shift+ArrowLeft", "Shift+ArrowRight"), "ten steps further", "chart.js", focused=True),
            Key(("Home", "End"), "the first step, the newest", "chart.js", focused=True),
            Key(("+", "-", "0"), "closer, further away, the whole run", "chart.js", focused=True),
            Key(("Enter",), "this step in Step through", "chart.js", focused=True),
            Key(("Escape",), "let the step go", "chart.js", focused=True),
        ),
    },
    "step_through": {
        "Walk": (
            Key(("ArrowRight", "PageDown"), "next operation", "follow.js"),
            Key(("ArrowLeft", "PageUp"), "previous operation", "follow.js"),
            Key(("Shift+ArrowRight",), "next sublayer", "follow.js"),
            Key(("Shift+ArrowLeft",), "previous sublayer", "follow.js"),
            Key((".",), "later training step", "follow.js"),
            Key((",",), "earlier training step", "follow.js"),
            Key(("g",), "gradient on or off", "follow.js"),
        ),
        "Look": (
            Key(tuple("123456789"), "show one head", "tensors.js", "1 – 9"),
            Key(("0",), "show all heads", "tensors.js"),
            Key(("t",), "numbers as a table", "tensors.js"),
            Key(("p",), "compute one cell slowly, then all", "tensors.js"),
            Key(("ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight"), "move in a focused heatmap", "tensors.js"),
            Key(("Enter",), "lock the cell", "tensors.js"),
            Key(("Escape",), "unlock the cell", "tensors.js"),
        ),
    },
    "checkpoints": {
        "On a card": (
            Key(("ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown"), "another card", "cards.js", focused=True),
            Key(("Home", "End"), "the first card, the last", "cards.js", focused=True),
            Key(("Enter",), "choose it", "cards.js", focused=True),
            Key(("Delete",), "delete it; it can be brought back", "cards.js", focused=True),
        ),
    },
}
"""What keys do on one page alone, by its path, section by section."""

_PRESENT: tuple[Key, ...] = (
    Key(("f",), "present: one thing at a time, large", "presenter.js"),
    Key(("PageDown", "ArrowRight"), "next slide", "presenter.js"),
    Key(("PageUp", "ArrowLeft"), "previous slide", "presenter.js"),
    Key((" ",), "train, pause, resume", "presenter.js"),
    Key(("s",), "one step, in slow motion one stage", "presenter.js"),
    Key(("Shift+PageDown",), "next page", "presenter.js"),
    Key(("Shift+PageUp",), "previous page", "presenter.js"),
    Key(("b", "."), "black until the next key", "presenter.js"),
    Key(("q",), "the address as a QR code", "presenter.js"),
    Key(("Escape", "f"), "stop presenting", "presenter.js"),
    Key(("?",), "these keys", "keys.js"),
)
_ON_TRAIN = {"next slide", "previous slide", "train, pause, resume", "one step, in slow motion one stage"}


def table(path: str) -> dict[str, tuple[Key, ...]]:
    """The keys of the page with this path; those of the presenter view that it needs itself are its own."""
    own = OWN.get(path, {})
    used = {key for rows in own.values() for row in rows if not row.focused for key in row.keys} - {"Escape"}
    rows = [
        replace(row, keys=tuple(key for key in row.keys if key not in used))
        for row in _PRESENT
        if path == "train" or row.does not in _ON_TRAIN
    ]
    return own | {"Present": tuple(rows)}


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
    """A key as it stands on a keyboard: "Shift →"."""
    *held, last = re.split(r"(?<=\w)\+", key)  # a "+" of its own is a key
    return " ".join([*held, _SHOWN.get(last, last.upper() if len(last) == 1 else last)])


def help_button(path: str) -> None:
    """A button that opens the table of keys of the page with this path, as "?" does."""
    columns = [
        {
            "title": title,
            "rows": [[[row.together] if row.together else list(map(shown, row.keys)), row.does] for row in rows],
        }
        for title, rows in table(path).items()
    ]
    _help(data=columns, key="keys")
