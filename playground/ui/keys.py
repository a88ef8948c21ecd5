"""The keys of the Step through page: one table of them, and the window that shows it."""

from dataclasses import dataclass

import streamlit as st

from playground.ui.assets import loader

_help = st.components.v2.component("playground_keys", js=loader("keys.js"))


@dataclass(frozen=True)
class Key:
    """Keys that do the same."""

    keys: tuple[str, ...]  # as browsers name them, "Shift+" before where it is held
    does: str
    script: str  # the file in browser/ that listens
    together: str = ""  # how the keys are shown, where not one by one


TABLE: dict[str, tuple[Key, ...]] = {
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
        Key(("Escape",), "unlock the cell, close", "tensors.js"),
        Key(("?",), "these keys", "keys.js"),
    ),
}
"""What each key does, in the two columns of the window."""

_SHOWN = {
    "ArrowRight": "→",
    "ArrowLeft": "←",
    "ArrowUp": "↑",
    "ArrowDown": "↓",
    "PageDown": "Page down",
    "PageUp": "Page up",
    "Escape": "Esc",
    "Enter": "Enter",
}


def shown(key: str) -> str:
    """A key as it stands on a keyboard: "Shift →"."""
    *held, last = key.split("+")
    return " ".join([*held, _SHOWN.get(last, last.upper())])


def help_button(*, key: str = "keys") -> None:
    """A button that opens the table of keys, as "?" does; drawn once, outside of what steps draw again."""
    columns = [
        {
            "title": title,
            "rows": [[[row.together] if row.together else list(map(shown, row.keys)), row.does] for row in rows],
        }
        for title, rows in TABLE.items()
    ]
    _help(data=columns, key=key)
