"""Step through: every operation of one forward pass, with its formula, the statement that ran and its numbers."""

import streamlit as st

from playground.checkpoints import CheckpointError
from playground.config import RunConfig
from playground.explain import place
from playground.inspection import NotFiniteError, Walk, walk
from playground.tasks import EOS, InputError, answer, decode, encode, example_text
from playground.ui import navigation, state, style
from playground.ui.architecture import architecture
from playground.ui.heatmap import heatmaps
from playground.ui.tensors import grids

NOW = "now"


def choose_source() -> state.Source | None:
    """The model to look at: the current run at a step, or a checkpoint."""
    run = state.shown_run()
    names = [state.RUN] * (run is not None) + [entry.name for entry in state.library().entries() if entry.summary]
    if not names:
        return None
    if st.session_state.get("source") not in names:
        st.session_state["source"] = names[0] if run else names[-1]
    which, when = st.columns(2, gap="medium") if run else (st.container(), st.empty())
    name = which.selectbox(
        "Model",
        names,
        key="source",
        format_func=lambda name: "The current run" if name == state.RUN else f"Checkpoint {name}",
        persist_state="session",
    )
    if name != state.RUN or run is None:
        return state.checkpoint_source(name)
    kept = run.snapshot_steps()
    steps = [str(step) for step in kept]
    if st.session_state.get("at_step") not in steps:
        st.session_state["at_step"] = NOW
    at = NOW
    if steps:
        at = when.select_slider(
            "Training step",
            [*steps, NOW],
            key="at_step",
            format_func=lambda step: f"now: {kept[-1]:,}" if step == NOW else step,
            persist_state="session",
        )
    return state.run_source(run, None if at == NOW else int(at))


def lengths(config: RunConfig) -> str:
    low, high = config.task.min_length, config.task.max_length
    return f"inputs of {low} symbols" if low == high else f"inputs of {low} to {high} symbols"


def choose_input(source: state.Source) -> tuple[str, str | None]:
    """What the model reads, as typed."""
    config = source.model.config
    example = example_text(config.task)
    if st.session_state.get("input") in (None, st.session_state.get("example")):
        st.session_state["input"] = example  # an input of one's own stays, an example follows the model
    st.session_state["example"] = example
    own, read = st.columns(2, gap="medium")
    text = own.text_input(
        "Your input",
        key="input",
        persist_state="session",
        help=f"Symbols 0 to {config.task.vocab_size - 1} with spaces between; the model has learned {lengths(config)}.",
    )
    encoder_only = config.model.architecture == "encoder-only"
    target = read.text_input(
        "The labels are" if encoder_only else "The decoder reads",
        key="target",
        persist_state="session",
        placeholder="the right answer" if encoder_only else "the model's own answer",
        help="Type another answer to see what the model makes of it; empty stands for the one in grey.",
    )
    return text, target.strip() or None


def walk_of(source: state.Source, text: str, target: str | None) -> Walk:
    """The forward pass, kept until the model or the input changes."""
    key = (source.identity, text, target)
    if st.session_state.get("walk", (None,))[0] != key:
        st.session_state["walk"] = (key, walk(source.model, text, target))
    return st.session_state["walk"][1]


def go(walk: Walk, by: int) -> None:
    names = [step.name for step in walk.steps]
    at = names.index(st.session_state["operation"]) + by
    st.session_state["operation"] = names[max(0, min(len(names) - 1, at))]


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
        st.caption(f":orange[This model has learned {lengths(config)}; on {len(typed)} it can only guess.]")


@st.fragment
def show_operation(walk: Walk) -> None:
    names = [step.name for step in walk.steps]
    if st.session_state.get("operation") not in names:
        st.session_state["operation"] = names[0]
    at = names.index(st.session_state["operation"])
    step = walk.steps[at]
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.button(
            "Previous", icon=":material/arrow_back:", shortcut="Left", disabled=at == 0, on_click=go, args=(walk, -1)
        )
        st.button(
            "Next",
            icon=":material/arrow_forward:",
            type="primary",
            shortcut="Right",
            disabled=at == len(names) - 1,
            on_click=go,
            args=(walk, 1),
        )
        st.selectbox(
            f"Operation {at + 1} of {len(names)}",
            names,
            key="operation",
            format_func=lambda name: " › ".join(place(name)),
            persist_state="session",
        )
    operation, picture = st.columns([3, 2], gap="large")
    source = step.operation.source
    with operation:
        st.subheader(step.explanation.title, anchor=False)
        st.markdown(step.explanation.sentence)
        st.latex(step.explanation.formula)
        st.code(source.code, language="python", wrap_lines=True)
        st.caption(
            f"Paper, section {step.explanation.section} · the statement that ran: {source.file}, line {source.line}"
        )
        st.html(style.shape(step.dims, step.value.shape))
        heatmaps(grids(walk, step), key="tensor")
        if step.operation.inputs:
            st.caption("Made from " + ", ".join(" › ".join(place(name)[-2:]) for name in step.operation.inputs))
    with picture, st.container(key="map"):
        architecture(walk.model.config, lit=step.name, tokens=walk.tokens)


st.title("Step through")
try:
    choice, words = st.columns([2, 3], gap="medium")
    with choice:
        source = choose_source()
    if source is None:
        st.info("There is no model to step through yet.")
        st.page_link(navigation.TRAIN, label="Train one", icon=":material/trending_down:")
        st.stop()
    with words:
        text, target = choose_input(source)
    current = walk_of(source, text, target)
except (InputError, CheckpointError, NotFiniteError) as error:
    st.error(state.plain(error))
    st.stop()
show_answer(current, text, target)
show_operation(current)
