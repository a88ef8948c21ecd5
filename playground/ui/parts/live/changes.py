"""Parts of a page that are drawn again when what they show no longer holds: once for each change, by no timer."""

from collections.abc import Mapping
from hashlib import sha256
from time import monotonic
from typing import Any

import streamlit as st

from playground.ui.server.assets import loader

_changes = st.components.v2.component("playground_changes", js=loader("parts/live/changes.js"))


def redraw(
    channel: str, shown: Mapping[str, Any], *, key: str, wait: float = 0, texts: Mapping[str, str] | None = None
) -> None:
    """Has the browser ask for a new drawing once `channel` of the event stream has other values than those `shown`.

    Redraws the fragment that it is called in, `wait` seconds after this drawing at the earliest. `texts` maps fields of
    the channel to CSS selectors of elements whose text they keep up to date without a drawing. `key` tells several on
    a page apart.
    """
    redraw_any({channel: shown}, key=key, wait=wait, texts=texts)


def redraw_any(
    shown: Mapping[str, Mapping[str, Any]], *, key: str, wait: float = 0, texts: Mapping[str, str] | None = None
) -> None:
    """The same for several channels; one that was there and is gone counts as changed."""
    values = {channel: dict(fields) for channel, fields in shown.items()}
    data = {"shown": values, "at": monotonic(), "wait": wait, "texts": dict(texts or {})}
    _changes(key=f"changes {key}", data=data, on_changed_change=lambda: None)


def again(seconds: float, *, key: str) -> None:
    """Has the browser ask for a new drawing of the fragment that this is called in, so many seconds after this one.

    For a player that a person has started and can stop.
    """
    _changes(key=f"changes {key}", data={"again": seconds, "at": monotonic()}, on_changed_change=lambda: None)


def mark(value: object) -> str:
    """A short text for a field of a channel that changes whenever `value`, as `repr` writes it, does."""
    return sha256(repr(value).encode()).hexdigest()[:16]
