"""What is looked at: a model, at a training step, and what it reads; kept in the session and the page's address."""

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from playground.config import RunConfig
from playground.runs import Run
from playground.tasks import example_text
from playground.ui import state

VIEW = {
    "model": "source",
    "run": "linked_run",
    "step": "at_step",
    "operation": "operation",
    "input": "input",
    "target": "target",
}
"""Words of the address and keys of the session."""


def choose_source(run: Run | None, which: DeltaGenerator) -> str | None:
    """The name of the model to look at: the current run's or a checkpoint's; None if there is none."""
    names = [state.RUN] * (run is not None) + [entry.name for entry in state.library().entries() if entry.summary]
    if not names:
        return None
    if (wanted := st.session_state.get("source")) not in names:
        st.session_state["source"] = names[0] if run else names[-1]
        if wanted and wanted != state.RUN:
            st.warning(f"There is no model “{wanted[:64]}” here; this is another one.")
    name = which.selectbox(
        "Model",
        names,
        key="source",
        format_func=lambda name: "The current run" if name == state.RUN else f"Checkpoint {name}",
        persist_state="session",
    )
    st.session_state["linked_run"] = run.id if run and name == state.RUN else None
    return name


def open_source(name: str, run: Run | None, step: int | None) -> state.Source:
    """The model with this name, where it is the run's at a step; raises `CheckpointError`."""
    if run is not None and name == state.RUN:
        return state.run_source(run, step)
    return state.checkpoint_source(name)


def lengths(config: RunConfig) -> str:
    """What the model has learned to read, in words."""
    low, high = config.task.min_length, config.task.max_length
    return f"inputs of {low} symbols" if low == high else f"inputs of {low} to {high} symbols"


def choose_input(source: state.Source, own: DeltaGenerator, read: DeltaGenerator) -> tuple[str, str | None]:
    """What the model reads, as typed."""
    config = source.model.config
    example = example_text(config.task)
    if st.session_state.get("input") in (None, st.session_state.get("example")):
        st.session_state["input"] = example  # an input of one's own stays, an example follows the model
    st.session_state["example"] = example
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
