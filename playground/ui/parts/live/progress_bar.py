"""A progress bar and a line of text, updated by the event stream."""

from collections.abc import Callable, Mapping
from time import monotonic
from typing import Any

import streamlit as st

from playground.ui.server.assets import loader

_bar = st.components.v2.component("playground_progress", js=loader("parts/live/progress.ts"))


def show(
    channel: str, read: Callable[[], Mapping[str, Any]], *, key: str = "progress", field: str = "", label: str = ""
) -> None:
    """Draw the "text" and the fraction "done" (0 to 1, None if unknown) of a channel.

    `read` returns the current values, shown until the channel sends newer ones, and optionally a "status" with its
    "colour". They are fields of the channel or, with `field`, entries of that field; if it no longer exists, the bar
    doesn't change. `label` is the accessible name of the bar; without one, the text is. `key` has no random part:
    Streamlit refuses a component whose key contains two underscores in a row.
    """
    read_at = monotonic()  # before reading: later changes are newer
    data = {"channel": channel, "field": field, "label": label, "at": read_at, "now": dict(read())}
    _bar(key=key, data=data, height="content")
