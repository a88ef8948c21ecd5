"""Step through: every operation of one forward pass, with its formula, the statement that ran and its numbers."""

import streamlit as st

from playground.checkpoints import CheckpointError
from playground.diagram import tap_of
from playground.explain import place
from playground.findings import finding
from playground.inspection import NotFiniteError, Walk
from playground.runs import Run
from playground.tasks import EOS, InputError, answer, decode, encode
from playground.ui import navigation, state, style, subject, time, view
from playground.ui.architecture import architecture, follow
from playground.ui.heatmap import heatmaps
from playground.ui.tensors import grids


def go(names: list[str], by: int) -> None:
    """Moves from the operation that is shown: what the select box reports may be older than a quick second press."""
    at = names.index(st.session_state["shown"]) + by
    move_to(names[max(0, min(len(names) - 1, at))])


def open_part(names: list[str], part: str) -> None:
    """Goes to the first operation of a part of the picture, in the layer one is looking at."""
    name = tap_of(part, names, st.session_state.get("operation", ""))
    if name:
        move_to(name)


def move_to(name: str) -> None:
    st.session_state["operation"] = st.session_state["shown"] = name


def show_answer(walk: Walk, text: str, target: str | None) -> None:
    """What this very pass says, marked where it is wrong."""
    config = walk.model.config
    typed = encode(text, config.task)
    right = None if target else decode(answer(typed, config.task), config.task)
    said = walk.said[:-1] if walk.said[-1] == EOS else walk.said
    st.html(
        f'<div class="toks">{style.tokens(text.split())} → {style.tokens(decode(said, config.task), right=right)}</div>'
    )
    if len(typed) < config.task.min_length:
        st.caption(f":orange[This model has learned {subject.lengths(config)}; on {len(typed)} it can only guess.]")


def show_operation(name: str, run: Run | None, text: str, target: str | None, polling: float | None) -> None:
    if run is not None and time.polling(run) != polling:
        st.rerun()  # the timer of this fragment starts, changes or ends
    step = None if run is None else time.choose_step(run)
    walk = state.walk_of(subject.open_source(name, run, step), text, target)
    show_answer(walk, text, target)
    names = [step.name for step in walk.steps]
    if st.session_state.get("operation") not in names:
        st.session_state["operation"] = names[0]
    at = names.index(st.session_state["operation"])
    st.session_state["shown"] = names[at]
    view.keep_view(subject.VIEW)
    step = walk.steps[at]
    follow(step.name, lambda part: open_part(names, part))
    with st.container(horizontal=True, gap="small"):
        st.button(
            "Previous", icon=":material/arrow_back:", shortcut="Left", disabled=at == 0, on_click=go, args=(names, -1)
        )
        st.button(
            "Next",
            icon=":material/arrow_forward:",
            type="primary",
            shortcut="Right",
            disabled=at == len(names) - 1,
            on_click=go,
            args=(names, 1),
        )
        st.selectbox(
            "Operation",
            names,
            key="operation",
            format_func=lambda name: " › ".join(place(name)),
            persist_state="session",
            label_visibility="collapsed",
        )
    counter = f"Operation {at + 1} of {len(names)}"
    st.html(style.operation(counter, place(step.name), step.explanation, step.dims, step.value.shape))
    with st.container(key="formula"):
        st.latex(step.explanation.formula)
    source = step.operation.source
    with st.container(key="statement"):
        st.code(source.code, language="python", wrap_lines=True)
    st.html(f'<div class="finding">{style.marked(finding(walk, step))}</div>')
    heatmaps(grids(walk, step), key="tensor")
    made = "Made from " + ", ".join(" › ".join(place(name)[-2:]) for name in step.operation.inputs) + " · "
    style.caption(
        f"{made if step.operation.inputs else ''}the statement that ran: {source.file}, line {source.line} · "
        f"paper, section {step.explanation.section}"
    )


view.open_view("step through", subject.VIEW)
run = state.shown_run()
if st.session_state.pop("stale_link", False):
    st.warning("The run that this link leads to is not here any more, or never was.")
try:
    with st.container(key="reads"):
        title, which, own, read = st.columns([3, 4, 4, 4], gap="small", vertical_alignment="center")
    title.title("Step through")
    name = subject.choose_source(run, which)
    if name is None:
        st.info("There is no model to step through yet.")
        st.page_link(navigation.TRAIN, label="Train one", icon=":material/trending_down:")
        st.stop()
    moving = run if name == state.RUN else None
    source = subject.open_source(name, moving, None if moving is None else time.shown_step(moving))
    text, target = subject.choose_input(source, own, read)
    current = state.walk_of(source, text, target)
except (InputError, CheckpointError, NotFiniteError) as error:
    st.error(state.plain(error))
    st.stop()
if part := st.session_state.pop("part", None):
    open_part([step.name for step in current.steps], part)
operation, picture = st.columns([3, 2], gap="medium")
with operation, st.container(gap="xsmall"):
    polling = time.polling(moving)
    st.fragment(show_operation, run_every=polling)(name, moving, text, target, polling)
with picture, st.container(key="map"):
    architecture(current.model.config, tokens=current.tokens, action="Click to go there.")
