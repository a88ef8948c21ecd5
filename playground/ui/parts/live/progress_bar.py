"""A bar and a line of text that move by the event stream."""

from collections.abc import Callable, Mapping
from time import monotonic
from typing import Any

import streamlit as st

from playground.ui.server.assets import loader

_bar = st.components.v2.component("playground_progress", js=loader("parts/live/progress.js"))


def show(
    channel: str, read: Callable[[], Mapping[str, Any]], *, key: str = "progress", field: str = "", label: str = ""
) -> None:
    """Shows the "text" and the share "done" (0 to 1, None where it is unknown) of a channel.

    `read` gives what they are now, which stands until the channel tells something newer. Also a "status" in its
    "colour", if there is one. They are fields of the channel or, with `field`, entries of that one; where it is gone
    the bar stays as it is. `label` names the bar for those who don't see it; without one, the text does.
    """
    at = monotonic()  # before it is read: what changes meanwhile is newer
    data = {"channel": channel, "field": field, "label": label, "at": at, "now": dict(read())}
    _bar(key=key, data=data, height="content")
