"""Build: what is to be learned, by what model, and how; the picture and the numbers follow every change."""

import streamlit as st
import torch

from playground.config import ModelConfig, RunConfig, TaskConfig, TrainingConfig, parameter_counts
from playground.runs import RunError
from playground.tasks import Sequences, decode, make_batch
from playground.training import right_answers
from playground.ui import navigation, settings, state, style
from playground.ui.architecture import architecture

SHIFT = {
    "encoder-decoder": "Each place of the decoder says the token after the one it reads.",
    "decoder-only": "From SEP on, each place says the token after the one it reads; before SEP nothing is asked.",
    "encoder-only": "Each place says the token of the answer that stands there.",
}
WHAT_IF = ("scale_scores", "causal_mask", "residual", "layer_norm")


def paths(group: str, kind: type) -> list[str]:
    return [f"{group}.{name}" for name in kind.model_fields if name not in WHAT_IF]


def show_numbers(config: RunConfig) -> None:
    counts = parameter_counts(config)
    total = sum(counts.values())
    st.metric("Parameters", f"{total:,}")
    rows = [(part, f"{count:,}", f"{count / total:.0%}") for part, count in counts.items() if count]
    st.html(style.table(("part", "parameters", "share"), rows))


def show_batch(config: RunConfig) -> None:
    source = Sequences.of(config.task).draw(3, torch.Generator().manual_seed(config.seed))
    batch = make_batch(config, source, right_answers(config, source))
    parts = {"encoder reads": batch.source, "decoder reads": batch.target, "should say": batch.labels}
    rows = [
        (name, style.tokens(decode(tokens[row].tolist(), config.task)))
        for row in range(len(source))
        for name, tokens in parts.items()
        if tokens is not None
    ]
    st.html(style.table(("sequence", ""), rows))
    st.caption(SHIFT[config.model.architecture] + " PAD is never scored.")


st.title("Build a transformer")
settings.presets()
config, problems = state.checked_settings()
form, picture = st.columns([2, 3], gap="large")

with form:
    task, model, training = st.tabs(["Task", "Model", "Training"])
    with task:
        settings.fields(paths("task", TaskConfig), problems)
    with model:
        settings.fields(paths("model", ModelConfig), problems)
        with st.expander(
            "What if …", icon=":material/science:", expanded=any(f"model.{n}" in problems for n in WHAT_IF)
        ):
            settings.fields([f"model.{name}" for name in WHAT_IF], problems)
    with training:
        settings.fields([*paths("training", TrainingConfig), "seed"], problems)

with picture:
    if config is None:
        st.error("These settings do not make a model yet: " + " ".join(problems.values()))
    else:
        preset = state.preset_of(config)
        st.caption(preset.sentence if preset else "Settings of your own.")
        if st.button("Train this model", type="primary", icon=":material/play_arrow:"):
            try:
                state.start_run(config)
            except RunError as error:
                st.error(str(error))
            else:
                st.switch_page(navigation.TRAIN)
        architecture(config)
        with st.expander("Parameters by part", expanded=True):
            show_numbers(config)
        with st.expander("An example batch", expanded=True):
            show_batch(config)
