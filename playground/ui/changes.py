"""Parts of a page that are drawn again when what they show no longer holds: once for each change, by no timer."""

from collections.abc import Mapping
from hashlib import sha256
from time import monotonic
from typing import Any

import streamlit as st

from playground.ui.assets import loader

_changes = st.components.v2.component("playground_changes", js=loader("changes.js"))


def redraw(channel: str, shown: Mapping[str, Any], *, key: str) -> None:
    """Has the browser ask for a new drawing once `channel` of the event stream has other values than those `shown`.

    Redraws the fragment that it is called in. `key` tells several on a page apart.
    """
    redraw_any({channel: shown}, key=key)


def redraw_any(shown: Mapping[str, Mapping[str, Any]], *, key: str) -> None:
    """The same for several channels; one that was there and is gone counts as changed."""
    data = {"shown": {channel: dict(values) for channel, values in shown.items()}, "at": monotonic()}
    _changes(key=f"changes {key}", data=data, on_changed_change=lambda: None)


def mark(value: object) -> str:
    """A short text for a field of a channel that changes whenever `value`, as `repr` writes it, does."""
    return sha256(repr(value).encode()).hexdigest()[:16]
