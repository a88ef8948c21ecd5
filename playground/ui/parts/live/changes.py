"""Redraws of fragments when their data change: once per change, without timers."""

from collections.abc import Mapping
from hashlib import sha256
from time import monotonic
from typing import Any

import streamlit as st

from playground.ui.server.assets import loader

_changes = st.components.v2.component("playground_changes", js=loader("parts/live/changes.ts"))


def redraw(
    channel: str, shown: Mapping[str, Any], *, key: str, wait: float = 0, texts: Mapping[str, str] | None = None
) -> None:
    """Redraw the calling fragment once `channel` of the event stream has other values than those `shown`.

    The browser requests the redraw, at the earliest `wait` seconds after this script run. `texts` maps fields of the
    channel to CSS selectors of elements whose text they update without a redraw. `key` is unique on the page.
    """
    redraw_any({channel: shown}, key=key, wait=wait, texts=texts)


def redraw_any(
    shown: Mapping[str, Mapping[str, Any]], *, key: str, wait: float = 0, texts: Mapping[str, str] | None = None
) -> None:
    """The same for several channels; a channel that no longer exists counts as changed."""
    values = {channel: dict(fields) for channel, fields in shown.items()}
    data = {"shown": values, "at": monotonic(), "wait": wait, "texts": dict(texts or {})}
    _changes(key=f"changes {key}", data=data, on_changed_change=lambda: None)


def again(seconds: float, *, key: str) -> None:
    """Redraw the calling fragment after so many seconds, requested by the browser.

    For playback that a person has started and can stop.
    """
    _changes(key=f"changes {key}", data={"again": seconds, "at": monotonic()}, on_changed_change=lambda: None)


def mark(value: object) -> str:
    """Short hash of `repr(value)`, for a field of a channel."""
    return sha256(repr(value).encode()).hexdigest()[:16]
