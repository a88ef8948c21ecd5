"""The frame of a page about one forward pass: model, input, training step, and their error messages."""

from collections.abc import Callable
from dataclasses import replace
from html import escape
from typing import NamedTuple

import streamlit as st

from playground.common.errors import CheckpointError
from playground.explain.inspection import Walk
from playground.runs import Run
from playground.tasks import InputError, text_of
from playground.ui.hub import pull_form
from playground.ui.parts import style
from playground.ui.passes import subject, training_step
from playground.ui.session import pages, sources, tab_run
from playground.ui.session import session_keys as keys
from playground.ui.session.address import QueryParam, QueryParams
from playground.ui.session.pages import Page
from playground.ui.session.session_keys import Key

FORWARD_PAGE = Key[str | None]("forward page", None, "Path of the forward page drawn last")
WALK_SHOWN = Key[Walk | None]("walk shown", None, "The current pass")
WHOLE = Key[bool]("whole", False, "The next script run draws the whole page")

_FRAGMENT = "pass"


class Pass(NamedTuple):
    """The pass that such a page shows."""

    walk: Walk
    run: Run | None
    """The run of the model; None for a checkpoint."""
    step: int | None
    """The training step shown; None for a checkpoint."""
    when: Callable[[], str]
    """Message about that step; may be empty."""
    identity: tuple[object, ...]
    """Version of the weights."""


def frame(
    page: Page,
    draw: Callable[[Pass], None],
    beside: Callable[[Walk], None] | None = None,
    *params: QueryParam,
    heading: bool | Callable[[], object] = True,
    generates: bool = False,
) -> None:
    """Draw the page: `draw` on the left for each pass, in a fragment; `beside` on the right, with the whole page.

    `params` are query parameters besides model, training step and input. `heading` is False if the page has drawn its
    title itself, or a function that draws it. A page that `generates` shows the answer token by token, so only model,
    training step and input are chosen here.
    """
    assert page.forward
    common = subject.MODEL_AND_INPUT if generates else subject.PASS_PARAMS
    address = QueryParams(f"pass of {page.path}", *common, *params)
    address.open()
    if FORWARD_PAGE.get() not in (None, page.path):
        address.carry()  # model and input of another such page
    FORWARD_PAGE.set(page.path)
    run = tab_run.shown()
    style.flashed("run link")
    with st.container(key="reads"):
        widths = [5] * bool(heading) + [8] * 4
        *title, which, own, read, more = st.columns(widths, gap="small", vertical_alignment="center")
    for column in title:
        with column:
            heading() if callable(heading) else st.title(page.title, anchor=False)
    name = subject.choose_source(run, which)
    if name is None:
        st.info("No model yet.")
        st.page_link(pages.TRAIN.file, label="Train one", icon=":material/trending_down:")
        st.stop()
    moving = run if name == sources.RUN else None
    try:
        config = moving.config if moving else subject.open_source(name, None, None).model.config
    except CheckpointError as error:
        style.message(sources.plain(error), "wrong")
        st.stop()
    longer = page.reads_longer and (
        moving is None or not moving.metadata.pitfall
    )  # a mistake is part of the model's classes
    reading = (
        subject.choose_text(config, own, read, longer=longer)
        if generates
        else subject.choose_input(config, own, read, more, longer=longer)
    )
    left, right = st.columns([17, 10], gap="medium") if beside else (st.container(), None)
    WHOLE.set(True)

    def show() -> None:
        if _show(name, moving, reading, draw, generates, longer):
            address.keep()

    with left:  # no additional container: Streamlit copies all containers around a fragment at each of its runs
        st.fragment(show, key=_FRAGMENT)()
    if beside and right is not None and (walk := WALK_SHOWN.get()) is not None:
        with right, st.container(key="map", gap="small"):
            beside(walk)


def redraw() -> None:
    """Make the next script run draw the whole pass; for callbacks of fragments inside `draw`."""
    st.rerun(_FRAGMENT)


def not_finite(problem: str, run: Run | None, step: int | None) -> None:
    """Draw why numbers can't be shown, and what to do."""
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


def _show(
    name: str, run: Run | None, wanted: subject.PassInputs, draw: Callable[[Pass], None], generates: bool, longer: bool
) -> bool:
    """Draw everything that depends on the pass; returns whether there is a pass."""
    row = st.container(horizontal=True, vertical_alignment="center", gap="small", key="reading")
    step: int | None = None
    when: Callable[[], str] = str
    keep_current: Callable[[], None] = _nothing
    try:
        if run:
            with row:
                step, when, keep_current = training_step.choose_step(run)
        source = replace(subject.open_source(name, run, step), reads_longer=longer)
        if not generates:
            wanted = subject.as_now(wanted, source.model.config)
        walk, problem = subject.read(source, wanted)
    except (InputError, CheckpointError) as error:
        style.message(sources.plain(error), "wrong")
        keep_current()
        return False
    with row:  # for the line below a slide, see presenter.ts
        text = text_of(subject.source_tokens(walk), walk.model.config.task)
        st.html(f'<span class="shown-pass">{escape(subject.source_name(name, run))} · {escape(text)}</span>')
    whole, drawn = WHOLE.take(), WALK_SHOWN.get()
    WALK_SHOWN.set(walk)
    if not whole and drawn is not walk and (drawn is None or drawn.tokens != walk.tokens):
        WHOLE.set(True)
        st.rerun()  # the diagram, which is outside the fragment, shows them too
    with row:
        if not generates:
            subject.show_reading(walk, wanted)
        subject.show_length(walk, source.model.config)
        pull_form.show_origin(name)
    if problem:
        style.message(problem, "wrong")
    if generates and keys.READ.get() != wanted:  # the tokens of the input are not shown
        shown = text_of(subject.source_tokens(walk), walk.model.config.task)
        style.message(f"The answer below is for the input {shown}.", "note")
    if walk.overflow:
        not_finite(f"{walk.overflow} The operations before it are shown.", run, step)
    draw(Pass(walk, run, step, when, (source.name, *source.identity)))
    keep_current()  # at the end: it is not always there, and Streamlit builds all that follows such an element again
    return True


def _nothing() -> None:
    pass
