"""The frame of a page about one forward pass: its model, input and training step, and what stands in the way."""

from collections.abc import Callable
from typing import NamedTuple

import streamlit as st

from playground.errors import CheckpointError
from playground.inspection import Walk
from playground.runs import Run
from playground.tasks import InputError
from playground.ui.checkpoints import pull_form
from playground.ui.parts import style
from playground.ui.session import pages, state
from playground.ui.session import session_keys as keys
from playground.ui.session.pages import Page
from playground.ui.session.view import Field, View
from playground.ui.step import subject, training_step

_FRAGMENT = "pass"


class Pass(NamedTuple):
    """What such a page shows."""

    walk: Walk
    run: Run | None
    """The run whose model it is; None for a checkpoint's."""
    step: int | None
    """The training step shown; None for a checkpoint."""
    when: Callable[[], str]
    """What there is to say about that step now; may be empty."""
    identity: tuple[object, ...]
    """Changes when the weights do."""


def frame(
    page: Page,
    draw: Callable[[Pass], None],
    beside: Callable[[Walk], None] | None = None,
    *fields: Field,
    heading: bool = True,
    generates: bool = False,
) -> None:
    """Draws the page: `draw` on the left for each pass, in a fragment; `beside` on the right, with the whole page.

    `fields` are what the page's address has besides the model, the training step and the input. `heading` is False
    where the page has drawn its title itself. A page that `generates` shows the answer token by token itself: here only
    the model, the training step and the input are chosen.
    """
    assert page.forward
    view = View(f"pass of {page.path}", *(subject.MODEL_AND_INPUT if generates else subject.READING), *fields)
    view.open()
    if keys.FORWARD_PAGE.get() not in (None, page.path):
        view.carry()  # the model and the input of another such page
    keys.FORWARD_PAGE.set(page.path)
    if pull_form.linked():
        st.stop()
    run = state.shown_run()
    if keys.STALE_LINK.take():
        st.warning("This run no longer exists, or the link is wrong.")
    with st.container(key="reads"):
        *title, which, own, read, more = st.columns([5] * heading + [8] * 4, gap="small", vertical_alignment="center")
    for column in title:
        column.title(page.title, anchor=False)
    name = subject.choose_source(run, which)
    if name is None:
        st.info("No model yet.")
        st.page_link(pages.TRAIN.file, label="Train one", icon=":material/trending_down:")
        st.stop()
    pull_form.told()
    moving = run if name == state.RUN else None
    try:
        config = moving.config if moving else subject.open_source(name, None, None).model.config
    except CheckpointError as error:
        style.message(state.plain(error), "wrong")
        st.stop()
    reading = subject.choose_text(config, own, read) if generates else subject.choose_input(config, own, read, more)
    left, right = st.columns([17, 10], gap="medium") if beside else (st.container(), None)
    keys.WHOLE.set(True)

    def show() -> None:
        if _show(name, moving, reading, draw, generates):
            view.keep()

    with left:  # no container more: Streamlit copies all that stand around a fragment at each run of it
        st.fragment(show, key=_FRAGMENT)()
    if beside and right is not None and (walk := keys.WALK_SHOWN.get()) is not None:
        with right, st.container(key="map", gap="small"):
            beside(walk)


def redraw() -> None:
    """Has the next drawing be of the whole pass; for callbacks of fragments inside `draw`, which are drawn alone."""
    st.rerun(_FRAGMENT)


def not_finite(problem: str, run: Run | None, step: int | None) -> None:
    """Says that numbers cannot be shown, and what can be done about it."""
    if run is None or not step:
        style.message(f"{problem} Type another input, or choose another model.", "wrong")
        return
    style.message(
        f"{problem} The training diverged by step {step:,}. Choose an earlier step, or a lower learning rate.", "wrong"
    )
    st.button("Earlier step", icon=":material/history:", on_click=_go_back, args=(run,))


def _go_back(run: Run) -> None:
    training_step.earlier(run)
    redraw()


def _show(name: str, run: Run | None, wanted: subject.Reading, draw: Callable[[Pass], None], generates: bool) -> bool:
    """All that changes from pass to pass; whether there is a pass to show."""
    row = st.container(horizontal=True, vertical_alignment="center", gap="small", key="reading")
    step: int | None = None
    when: Callable[[], str] = str
    try:
        if run:
            with row:
                step, when = training_step.choose_step(run)
            training_step.keep_current(run)
        source = subject.open_source(name, run, step)
        if not generates:
            wanted = subject.as_now(wanted, source.model.config)
        walk, problem = subject.read(source, wanted)
    except (InputError, CheckpointError) as error:
        style.message(state.plain(error), "wrong")
        return False
    whole, drawn = keys.WHOLE.take(), keys.WALK_SHOWN.get()
    keys.WALK_SHOWN.set(walk)
    if not whole and drawn is not walk and (drawn is None or drawn.tokens != walk.tokens):
        keys.WHOLE.set(True)
        st.rerun()  # the picture, which stands outside, shows them too
    with row:
        if not generates:
            subject.show_reading(walk, wanted)
        pull_form.show_origin(name)
    if problem:
        style.message(problem, "wrong")
    if walk.overflow:
        not_finite(f"{walk.overflow} The operations before it are shown.", run, step)
    draw(Pass(walk, run, step, when, (source.name, *source.identity)))
    return True
