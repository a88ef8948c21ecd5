"""Step through: every operation of one forward pass, with its formula, the statement that ran and its numbers."""

from dataclasses import replace

import streamlit as st

from playground.checkpoints import CheckpointError
from playground.diagram import tap_of
from playground.explain import backward, place
from playground.explain.outline import Moves, moved
from playground.findings import finding
from playground.inspection import NotFiniteError, Step, Walk
from playground.runs import Run
from playground.tasks import InputError
from playground.ui.checkpoints import pull_form
from playground.ui.parts import style
from playground.ui.parts.map.model_map import architecture
from playground.ui.session import state, view
from playground.ui.shell import navigation
from playground.ui.step import subject, tensors, training_step
from playground.ui.step.navigator import follow, outline
from playground.ui.step.statement import light, source_box


def go_to(name: str) -> None:
    st.session_state["operation"] = name


def follow_cell(step: Step) -> None:
    """A locked cell goes on from scores to weights, where it means the same, and not to tensors of other axes."""
    if st.session_state.setdefault("axes", step.dims) != step.dims:
        st.session_state["cell"] = None
    st.session_state["axes"] = step.dims


def go(order: list[str], run: Run | None, moves: Moves) -> None:
    """What keys and buttons ask for; buttons may have been drawn for an operation that is not shown any more."""
    shown = st.session_state["operation"]
    if (name := moved(order, shown, moves)) != shown:
        go_to(name)
    if moves.gradient % 2:
        st.session_state["gradient"] = not st.session_state["gradient"]
    for _ in range(min(abs(moves.time), 100) if run else 0):
        (training_step.later if moves.time > 0 else training_step.earlier)(run)


def current(walk: Walk) -> tuple[Step, str]:
    """The operation to show, and a sentence if it is not the one that a link asked for."""
    names = [step.name for step in walk.steps]
    if part := st.session_state.pop("part", None):
        go_to(tap_of(part, names, st.session_state.get("operation", "")) or names[0])
    wanted = st.session_state.get("operation")
    if wanted not in names:
        st.session_state["operation"] = names[0]
    told = f"There is no operation “{wanted[:80]}” in this model; this is the first one." if wanted else ""
    return walk[st.session_state["operation"]], "" if wanted in names else told


def ordered(walk: Walk, shown: str, *, back: bool) -> list[str]:
    """Names in the order in which one walks: backwards only where there is a gradient, or where one stands."""
    names = [step.name for step in walk.steps]
    if not back:
        return names
    gradients = walk.gradients()
    return [name for name in reversed(names) if name in gradients or name == shown]


def controls(walk: Walk, step: Step, order: list[str], run: Run | None, *, back: bool) -> None:
    at = order.index(step.name)
    with st.container(horizontal=True, gap="small", vertical_alignment="center", key="way"):
        for label, icon, by, end in (("Previous", "arrow_back", -1, 0), ("Next", "arrow_forward", 1, len(order) - 1)):
            st.button(
                label,
                icon=f":material/{icon}:",
                type="primary" if by > 0 else "secondary",
                disabled=at == end,
                on_click=go,
                args=(order, run, Moves(operation=by)),
            )
        follow(
            step.name,
            [each.name for each in walk.steps],
            on_go=go_to,
            on_keys=lambda moves: go(order, run, moves),
            order=order if back else None,
        )
        st.toggle(
            "Backward",
            key="gradient",
            persist_state="session",
            help="Walks from the loss back to the input and shows beside each tensor how the loss depends on it.",
        )


def explanation(walk: Walk, step: Step, counter: str, when: str, *, back: bool) -> None:
    told = step.explanation
    rule = backward(step.name, step.operation.owner, walk.model.config)
    title = f"{told.title}, backward" if back else told.title
    st.html(style.operation(place(step.name)[-1], title, step.dims, step.value.shape, counter, when))
    st.html(f'<p class="sentence">{style.marked(rule.sentence if back else told.sentence)}</p>')
    with st.container(horizontal=True, vertical_alignment="center", wrap=False, key="formula"):
        st.latex(rule.formula if back else told.formula)
        if not back:
            st.html(f'<span class="small soft">Paper, section {told.section}</span>', width="content")
    st.html(f'<div class="finding">{style.marked(finding(walk, step, gradient=back))}</div>')
    light(step.operation.source)


def not_finite(error: NotFiniteError, run: Run | None, at: int | None) -> None:
    """Says that numbers cannot be shown, and what can be done about it."""
    if run is None or not at:
        style.told(f"{error} Type another input, or choose another model.", "wrong")
        return
    style.told(
        f"{error} The training diverged by step {at:,}. Choose an earlier step, or a lower learning rate.", "wrong"
    )
    st.button("Earlier step", icon=":material/history:", on_click=training_step.earlier, args=(run,))


def show(name: str, run: Run | None, wanted: subject.Reading) -> None:
    """All that changes from step to step."""
    row = st.container(horizontal=True, vertical_alignment="center", gap="small", key="reading")
    try:
        with row:
            at, when = training_step.choose_step(run) if run else (None, "")
        if run:
            training_step.follow(run)
        source = subject.open_source(name, run, at)
        wanted = subject.as_now(wanted, source.model.config)
        walk, problem = subject.read(source, wanted)
        step, no_operation = current(walk)
        follow_cell(step)
        look, no_cell = subject.look()
    except (InputError, CheckpointError) as error:
        style.told(state.plain(error), "wrong")
        return
    except NotFiniteError as error:
        not_finite(error, run, at)
        return
    try:
        order, no_gradient = ordered(walk, step.name, back=look.gradient), None
    except NotFiniteError as error:
        order, no_gradient, look = ordered(walk, step.name, back=False), error, replace(look, gradient=False)
    whole, drawn = st.session_state.pop("whole", False), st.session_state.get("walk shown")
    st.session_state["walk shown"] = walk
    if not whole and drawn is not walk and (drawn is None or drawn.tokens != walk.tokens):
        st.session_state["whole"] = True
        st.rerun()  # the picture, which stands outside, shows them too
    with row:
        subject.show_reading(walk, wanted)
        pull_form.whence(name)
    controls(walk, step, order, run, back=look.gradient)
    counter = f"Operation {order.index(step.name) + 1} of {len(order)}"
    with st.container(key="slide-operation", gap="xsmall"):
        explanation(walk, step, counter, when, back=look.gradient)
    look, misfit = tensors.fitted(walk, step, look)
    subject.keep_look(look)
    for sentence in filter(None, (problem, no_operation, no_cell, misfit)):
        style.told(sentence, "wrong")
    if no_gradient:
        not_finite(no_gradient, run, at)
    tensors.show(walk, step, look, key="tensor", on_look=subject.keep_look)
    view.keep_view(subject.VIEW, subject.USUAL)


view.open_view("step through", subject.VIEW)
if pull_form.linked():
    st.stop()
run = state.shown_run()
if st.session_state.pop("stale_link", False):
    st.warning("The run that this link leads to is not here any more, or never was.")
with st.container(key="reads"):
    title, which, own, read, more = st.columns([5, 8, 8, 8, 8], gap="small", vertical_alignment="center")
title.title("Step through")
name = subject.choose_source(run, which)
if name is None:
    st.info("There is no model to step through yet.")
    st.page_link(navigation.TRAIN, label="Train one", icon=":material/trending_down:")
    st.stop()
pull_form.told()
moving = run if name == state.RUN else None
try:
    config = moving.config if moving else subject.open_source(name, None, None).model.config
except CheckpointError as error:
    style.told(state.plain(error), "wrong")
    st.stop()
reading = subject.choose_input(config, own, read, more)
operation, picture = st.columns([17, 10], gap="medium")
st.session_state["whole"] = True
with operation, st.container(gap="xsmall"):
    st.fragment(show)(name, moving, reading)
with picture, st.container(key="map", gap="small"):
    source_box()
    walk = st.session_state.get("walk shown")
    if walk is not None:
        architecture(walk.model.config, tokens=walk.tokens, action="Click to go there.")
        outline([step.name for step in walk.steps])
