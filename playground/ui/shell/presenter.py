"""The presenter view with its slides, the keys, and Share with a QR code, on every page."""

from collections.abc import Callable, Mapping
from dataclasses import asdict
from typing import Any

import streamlit as st

from playground.ui.server.assets import loader
from playground.ui.session import acts
from playground.ui.session.pages import PAGES, Page
from playground.ui.session.session_keys import LONG, MAX_CHARS, Key
from playground.ui.shell import keys, views

LISTEN = Key[Any]("listen", None, "Component: keys that steer a run")

_presenter = st.components.v2.component("playground_presenter", js=loader("shell/presenter.ts"))
_listen = st.components.v2.component("playground_listen", js=loader("shell/presenter.ts", "listen"))

ACTIONS = ("run", "step")
"""Actions of keys on a run: resume or pause, and take one step."""


def show(path: str) -> None:
    """Draw the buttons at the top of the page with this path, and the presenter view."""
    if PAGES[path].views:
        views.switch_address(PAGES[path]).open()  # which keys act depends on the view
    with st.container(horizontal=True, gap="xsmall", key="presenter", width="content"):
        keys.help_button(path)
        data = {
            "page": path,
            "title": _title(PAGES[path]),
            "max_chars": {"": MAX_CHARS} | LONG,
            "pages": list(PAGES),
            "slides": [asdict(slide) for slide in PAGES[path].slides],
            "keys": [key for row in keys.table(path)["Present"] for key in row.keys],
        }
        _presenter(data=data, key="present")


def _title(page: Page) -> str:
    """Title of the page and of a view other than its first."""
    view = next((view for view in page.views[1:] if view.name == page.shown), None)
    return f"{page.title}: {view.label}" if view else page.title


def listen(words: Mapping[str, str], on_keys: Callable[[Mapping[str, int]], None]) -> None:
    """Set the query parameters of the shared link, and receive keys that steer the run.

    Draw it inside the fragment. Calls `on_keys` with the count of each of `ACTIONS`.
    """

    def hear() -> None:
        if presses := acts.presses(LISTEN, ACTIONS):
            on_keys(presses)

    _listen(data={"link": dict(words), **acts.answer(LISTEN)}, key=LISTEN.name, on_acts_change=hear)
