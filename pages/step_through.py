"""Step through: every operation of one forward pass, with its formula, the statement that ran and its numbers."""

from collections.abc import Sequence
from dataclasses import replace

import streamlit as st

from playground.explain.inspection import NotFiniteError, Step, Walk
from playground.explain.outline import Moves, Stop, moved, next_stop, stops
from playground.pictures.diagram import tap_of
from playground.runs import Run
from playground.ui.parts import style
from playground.ui.parts.map.model_map import architecture
from playground.ui.passes import subject, tensors, training_step
from playground.ui.passes.frame import Pass, frame, not_finite, redraw
from playground.ui.passes.statement import source_box
from playground.ui.session import session_keys as keys
from playground.ui.session.address import QueryParams
from playground.ui.session.first_lesson import open_first_lesson
from playground.ui.session.pages import STEP_THROUGH, TRAIN
from playground.ui.session.session_keys import Key
from playground.ui.shell import views
from playground.ui.step import explanation
from playground.ui.step.navigator import crumbs, follow, opening, outline

AXES = Key[tuple[str, ...]]("axes", (), "Dimensions of the tensor with the locked cell")

LOOK = QueryParams(STEP_THROUGH.path, *subject.LOOK)
"""Query parameters that depend on the operation alone."""


def go_to(name: str) -> None:
    keys.OPERATION.set(name)


def end_tour() -> None:
    keys.TOUR.set(False)


def follow_cell(step: Step) -> None:
    """Keep the locked cell if the new tensor has the same axes, as from scores to weights; otherwise unlock it."""
    if AXES.begin(step.dims) != step.dims and keys.GRADIENT_OF.get() not in step.operation.inputs:
        keys.CELL.set(None)
    AXES.set(step.dims)


def go(order: list[str], tour: Sequence[Stop], run: Run | None, moves: Moves) -> None:
    """Move as keys and buttons request, on a tour from stop to stop.

    A button may belong to an operation that is no longer shown.
    """
    shown = keys.OPERATION.get()
    name = moved(order, shown, replace(moves, operation=0) if tour else moves)
    if tour:
        name = next_stop(order, tour, name, moves.operation)
    if name != shown:
        go_to(name)
    if moves.gradient % 2:
        keys.GRADIENT.set(not keys.GRADIENT.get())
    for _ in range(min(abs(moves.time), 100) if run else 0):
        (training_step.later if moves.time > 0 else training_step.earlier)(run)
    if moves.gradient or moves.time:
        redraw()


def current(walk: Walk) -> tuple[Step, str]:
    """The operation to show, and a message if a link requested another one."""
    names = [step.name for step in walk.steps]
    if part := keys.PART.take():
        go_to(tap_of(part, names, keys.OPERATION.get() or "") or names[0])
    wanted = keys.OPERATION.get()
    if wanted in names:
        return walk[wanted], ""
    name = names[-1] if walk.overflow else opening(names)
    go_to(name)
    unknown = wanted and not walk.overflow
    return walk[name], f"This model has no operation “{wanted[:80]}”, so another one is shown." if unknown else ""


def ordered(walk: Walk, shown: str, *, back: bool) -> list[str]:
    """Operation names in walk order; backward, only those with a gradient and the current one."""
    names = [step.name for step in walk.steps]
    if not back:
        return names
    gradients = walk.gradients()
    return [name for name in reversed(names) if name in gradients or name == shown]


def controls(step: Step, order: list[str], tour: Sequence[Stop], run: Run | None) -> None:
    for label, icon, by in (("Previous", "arrow_back", -1), ("Next", "arrow_forward", 1)):
        there = next_stop(order, tour, step.name, by) if tour else moved(order, step.name, Moves(operation=by))
        st.button(
            label,
            icon=f":material/{icon}:",
            type="primary" if by > 0 else "secondary",
            disabled=there == step.name,
            on_click=go,
            args=(order, tour, run, Moves(operation=by)),
        )


def onward() -> None:
    """Draw the ways on from the last stop of the tour."""
    with st.container(horizontal=True, vertical_alignment="center", key="onward"):
        style.caption("That was the tour.", width="content")
        if st.button("Start lesson 1", icon=":material/school:", on_click=end_tour):
            open_first_lesson()
        if st.button("Train a model", icon=":material/trending_down:", on_click=end_tour):
            st.switch_page(TRAIN.file)


def draw(shown: Pass) -> None:
    """Draw the breadcrumbs, and the operation in its own fragment, so that Next redraws nothing else."""

    with st.container(horizontal=True, vertical_alignment="center", key="slide-operation"):
        crumbs()
        st.toggle(
            "Backward",
            help="Goes from the loss back to the input and shows the gradient of the loss beside each tensor.",
            **keys.GRADIENT.widget,
        )
        st.fragment(_operation)(shown)


def _operation(shown: Pass) -> None:
    walk, run = shown.walk, shown.run
    if alike := keys.ALIKE.take():  # not on the Build page, where the toast would end with the page
        st.toast(f"{style.code(alike)} is the most similar model there is. Build shows another one.")
    step, no_operation = current(walk)
    follow_cell(step)
    look, no_cell = subject.look()
    try:
        order, no_gradient = ordered(walk, step.name, back=look.gradient), None
    except NotFiniteError as error:
        order, no_gradient, look = ordered(walk, step.name, back=False), error, replace(look, gradient=False)
    look, misfit = tensors.fitted(walk, step, look)
    subject.keep_look(look)
    LOOK.keep()  # before anything is drawn: whoever sees the operation can reload it
    tour = stops(walk.model.config.model) if keys.TOUR.get() else ()
    controls(step, order, tour, run)
    note = subject.labels_note(walk) if look.gradient or step.operation.tap in ("labels", "loss") else ""
    back = look.gradient
    st.html(explanation.head(step, order, shown.when(), back=back))
    # On a phone the tensors stand below the head: for the Tab key, what follows them is an element of its own.
    st.html(explanation.prose(walk, step, note, back=back))
    st.latex(step.document.backward.formula if back else step.document.formula)
    if any(stop.name == step.name for stop in tour) and next_stop(order, tour, step.name, 1) == step.name:
        onward()
    for sentence in filter(None, (no_operation, no_cell, misfit)):
        style.message(sentence, "wrong")
    if no_gradient:
        not_finite(str(no_gradient), run, shown.step)
    way = follow(
        step.name,
        [recorded.name for recorded in walk.steps],
        on_go=go_to,
        on_keys=lambda moves: go(order, tour, run, moves),
        order=order if look.gradient else None,
        tour=tour,
        on_tour_end=end_tour,
    )
    tensors.show(walk, step, look, on_look=subject.keep_look, on_gone=redraw, way=way)


def picture(walk: Walk) -> None:
    """Draw the statement that ran, the diagram, and the outline of all operations."""
    source_box()
    architecture(walk.model.config, tokens=walk.tokens, action="Click to go there.")
    outline([step.name for step in walk.steps])


view = views.opened(STEP_THROUGH)
if view.module:
    LOOK.drop()
    views.switch(STEP_THROUGH)
    views.show(STEP_THROUGH, view)
else:
    frame(STEP_THROUGH, draw, picture, *subject.LOOK, heading=lambda: views.switch(STEP_THROUGH))
