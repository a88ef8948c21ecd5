"""Pages with several views: the title, the switch, and the view that is shown, all from the rows of `session.pages`."""

from importlib import import_module
from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from playground.ui.passes import subject
from playground.ui.passes.frame import frame
from playground.ui.session.address import QueryParam, QueryParams, one_of
from playground.ui.session.pages import Page, View
from playground.ui.session.session_keys import VIEW


def module(view: View) -> Any:
    """The module of a view: `ADDRESS` has its own query parameters; `show()` draws it.

    A view about a forward pass has `draw(pass)` instead, which `frame` calls.
    """
    return import_module(f"playground.ui.{view.module}")


def params(view: View) -> tuple[QueryParam, ...]:
    """All query parameters of a view besides its name."""
    own = module(view).ADDRESS.params if view.module else ()
    return (*(subject.PASS_PARAMS if view.forward else ()), *own)


def switch_address(page: Page) -> QueryParams:
    """The query parameter that names the view."""
    names = [view.name for view in page.views]
    return QueryParams(page.name, QueryParam("view", VIEW.of(page.name), one_of(names), absent=names[0]))


def choose(page: Page) -> tuple[View, DeltaGenerator]:
    """Draw the title and the switch; returns the view to show and the row of the title, which can take more."""
    head = switch(page)
    return opened(page), head


def switch(page: Page) -> DeltaGenerator:
    """Draw the title and the switch; returns their row."""
    address, view_labels = switch_address(page), {view.name: view.label for view in page.views}
    address.open()
    VIEW.of(page.name).begin(page.views[0].name)
    head = st.container(horizontal=True, vertical_alignment="center", key="head")
    with head:
        st.title(page.title, anchor=False, width="content")
        st.segmented_control(
            "View",
            list(view_labels),
            required=True,
            format_func=view_labels.__getitem__,
            label_visibility="collapsed",
            **VIEW.of(page.name).widget,
        )
        address.keep()
    return head


def opened(page: Page) -> View:
    """The view to show. Its query parameters have been read, and those of the others removed."""
    switch_address(page).open()
    VIEW.of(page.name).begin(page.views[0].name)
    shown = next(view for view in page.views if view.name == page.shown)
    for other in page.views:
        if other is not shown:
            QueryParams(other.name, *params(other)).drop(but=params(shown))
    if shown.module:
        module(shown).ADDRESS.open()
    return shown


def show(page: Page, view: View) -> None:
    """Draw a view that has a module."""
    drawn = module(view)
    if view.forward:
        frame(page, drawn.draw, None, *drawn.ADDRESS.params, heading=False)
    else:
        drawn.show()
