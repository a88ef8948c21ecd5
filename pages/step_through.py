"""Step through: every operation of one forward pass, with its formula, the statement that ran and its numbers."""

import streamlit as st

from playground.checkpoints import CheckpointError
from playground.diagram import tap_of
from playground.explain import place
from playground.explain.outline import Moves, moved
from playground.findings import finding
from playground.inspection import NotFiniteError
from playground.tasks import InputError
from playground.ui import navigation, state, style, subject, view
from playground.ui.architecture import architecture
from playground.ui.heatmap import heatmaps
from playground.ui.keys import help_button
from playground.ui.navigator import follow, outline
from playground.ui.statement import statement
from playground.ui.tensors import grids


def go(names: list[str], moves: Moves) -> None:
    """Moves from the operation that is shown: what the select box reports may be older than a quick second press."""
    move_to(moved(names, st.session_state["shown"], moves))


def open_part(names: list[str], part: str) -> None:
    """Goes to the first operation of a part of the picture, in the layer one is looking at."""
    name = tap_of(part, names, st.session_state.get("operation", ""))
    if name:
        move_to(name)


def move_to(name: str) -> None:
    st.session_state["operation"] = st.session_state["shown"] = name


@st.fragment
def show_operation(source: state.Source, reading: subject.Reading, drawn: dict[str, list[str]]) -> None:
    reading = reading._replace(said=st.session_state.get("said"), padding=st.session_state.get("padding") or 0)
    walk, problem = subject.read(source, reading)
    if walk.tokens != drawn:
        st.rerun()  # the picture, which stands outside, shows them too
    if problem:
        st.error(problem)
    subject.show_reading(walk, reading)
    names = [step.name for step in walk.steps]
    if st.session_state.get("operation") not in names:
        st.session_state["operation"] = names[0]
    at = names.index(st.session_state["operation"])
    st.session_state["shown"] = names[at]
    view.keep_view(subject.VIEW, {"padding": 0})
    step = walk.steps[at]
    follow(step.name, names, on_go=move_to, on_keys=lambda moves: go(names, moves))
    with st.container(horizontal=True, gap="small"):
        back, onward = Moves(operation=-1), Moves(operation=1)
        st.button("Previous", icon=":material/arrow_back:", disabled=at == 0, on_click=go, args=(names, back))
        st.button(
            "Next",
            icon=":material/arrow_forward:",
            type="primary",
            disabled=at == len(names) - 1,
            on_click=go,
            args=(names, onward),
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
    statement(step.operation.source)
    st.html(f'<div class="finding">{style.marked(finding(walk, step))}</div>')
    heatmaps(grids(walk, step), key="tensor")
    made = "Made from " + ", ".join(" › ".join(place(name)[-2:]) for name in step.operation.inputs) + " · "
    style.caption(f"{made if step.operation.inputs else ''}paper, section {step.explanation.section}")


view.open_view("step through", subject.VIEW)
run = state.shown_run()
if st.session_state.pop("stale_link", False):
    st.warning("The run that this link leads to is not here any more, or never was.")
try:
    with st.container(key="reads"):
        shares = [3, 4, 3, 4, 4, 2] if run else [3, 4, 4, 4, 2]
        title, which, *when, own, read, more = st.columns(shares, gap="small", vertical_alignment="center")
    title.title("Step through")
    source = subject.choose_source(run, which, when[0] if when else which)
    if source is None:
        st.info("There is no model to step through yet.")
        st.page_link(navigation.TRAIN, label="Train one", icon=":material/trending_down:")
        st.stop()
    reading = subject.choose_input(source, own, read, more)
    current, _ = subject.read(source, reading)
except (InputError, CheckpointError, NotFiniteError) as error:
    st.error(state.plain(error))
    st.stop()
if part := st.session_state.pop("part", None):
    open_part([step.name for step in current.steps], part)
operation, picture = st.columns([3, 2], gap="medium")
with operation, st.container(gap="xsmall"):
    show_operation(source, reading, current.tokens)
with picture, st.container(key="map"):
    architecture(current.model.config, tokens=current.tokens, action="Click to go there.")
    outline([step.name for step in current.steps])
    help_button()
