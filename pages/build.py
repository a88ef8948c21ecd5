"""Build: settings of task, model and training; a diagram, counts and an example batch follow every change."""

from functools import partial
from html import escape
from typing import NamedTuple

import streamlit as st
import torch

from playground.common.numbers import duration
from playground.settings.config import ModelConfig, RunConfig, TrainingConfig, parameter_counts, setting_paths
from playground.settings.estimate import estimate
from playground.settings.presets import DEFAULT_PRESET, PRESETS, preset_of
from playground.tasks import decode, task_of
from playground.tasks.batches import Sequences, make_batch
from playground.ui.build import first_look, settings_json
from playground.ui.parts import confirmation, style
from playground.ui.parts.map.model_map import architecture
from playground.ui.runs import large_runs, settings_form
from playground.ui.session import form_settings, pages, setting_words, sources, tab_run
from playground.ui.session import session_keys as keys
from playground.ui.session.session_keys import Key

JSON_OPEN = Key[bool]("settings json open", False, "Widget: whether settings as JSON are shown")
FORM_TAB = Key[str]("form", "Task", "Widget: tab of the settings form")
FOLDED_OPEN = Key[bool]("{} open", False, "Widget: whether these settings are unfolded")
FOLDED_UNUSUAL = Key[bool]("{} unusual", False, "One of these settings differs from its default")
LAST_MODEL = Key[RunConfig | None]("last model settings", None, "The last valid settings")

SHIFT = {
    "encoder-decoder": "Each position of the decoder predicts the next token.",
    "decoder-only": "After SEP, each position predicts the next token. Earlier positions aren't scored.",
    "encoder-only": "Each position predicts the answer's token at the same position.",
}
SINCE_2017 = (
    *("norm", "attention", "n_kv_heads", "d_latent", "d_rope", "qk_norm", "logit_cap", "window"),
    *("feed_forward", "n_experts", "experts_per_token", "n_shared_experts", "balance"),
)
WHAT_IF = ("scale_scores", "causal_mask", "residual", "layer_norm")


class Folded(NamedTuple):
    """Settings of the model that start folded."""

    title: str
    icon: str
    names: tuple[str, ...]


FOLDED = (
    Folded("Since 2017", ":material/history:", SINCE_2017),
    Folded("What if …", ":material/science:", WHAT_IF),
)


def paths(group: str, kind: type) -> list[str]:
    return [f"{group}.{name}" for name in kind.model_fields if name not in (*SINCE_2017, *WHAT_IF)]


def model_fields(problems: dict[str, str]) -> None:
    settings_form.fields(paths("model", ModelConfig), problems)
    for folded in FOLDED:
        folded_fields(folded, problems)


def folded_fields(folded: Folded, problems: dict[str, str]) -> None:
    """Draw fields that start folded, unless one has a problem or another value than its default."""
    paths = [f"model.{name}" for name in folded.names]
    is_open, was_unusual = FOLDED_OPEN.of(folded.title), FOLDED_UNUSUAL.of(folded.title)
    unusual = any(settings_form.value(path) != setting_paths()[path].default for path in paths)
    if any(path in problems for path in paths) or (unusual and not was_unusual.get()):
        is_open.set(True)
    was_unusual.set(unusual)
    is_open.begin(unusual)
    fold = st.expander(folded.title, icon=folded.icon, key=is_open.name, on_change="rerun")
    if fold.open:
        with fold:
            settings_form.fields(paths, problems)


def training_fields(problems: dict[str, str]) -> None:
    settings_form.fields([*paths("training", TrainingConfig), "seed"], problems)


def show_numbers(config: RunConfig) -> None:
    counts = parameter_counts(config)
    total = sum(counts.values())
    st.metric("Parameters", f"{total:,}")
    rows = [(part, f"{count:,}", f"{100 * count / total:.0f} %") for part, count in counts.items() if count]
    st.html(style.table(("part", "parameters", "of total"), rows))


def show_batch(config: RunConfig) -> None:
    source = Sequences.of(config.task).draw(3, torch.Generator().manual_seed(config.seed))
    batch = make_batch(config, source)
    parts = {"encoder reads": batch.source, "decoder reads": batch.target, "labels": batch.labels}
    rows = [
        (name, style.tokens(decode(tokens[row].tolist(), config.task)))
        for row in range(len(source))
        for name, tokens in parts.items()
        if tokens is not None
    ]
    st.html(style.table(("sequence", ""), rows))
    alone, continues = config.model.architecture == "decoder-only", task_of(config.task).continues
    shift = "Each position predicts the next token." if alone and continues else SHIFT[config.model.architecture]
    st.caption(shift + " The loss ignores PAD.")


def model_like(config: RunConfig) -> tuple[str, RunConfig] | None:
    """Source and settings of the model that a click on a part opens: the most similar one of this architecture."""
    run = tab_run.current()
    known = {sources.RUN: run.config} if run else {}
    known |= {entry.name: entry.summary.config for entry in sources.library().entries() if entry.summary}
    alike = [item for item in known.items() if item[1].model.architecture == config.model.architecture]
    return max(alike, key=lambda item: (item[1].model == config.model, item[1].task == config.task), default=None)


def open_part(config: RunConfig, part: str) -> None:
    """Open a part's numbers in Step through, or show what to do first."""
    similar = model_like(config)
    if similar is None:
        st.toast("There is no model of this architecture yet. Train it first, then open its parts.")
        return
    source, other = similar
    if (other.model, other.task) != (config.model, config.task):
        keys.ALIKE.set("current run" if source == sources.RUN else source)
    keys.SOURCE.set(source)
    keys.PART.set(part)
    st.switch_page(pages.STEP_THROUGH.file)


def summary(config: RunConfig) -> str:
    """One-line summary of the model as HTML; on a phone it stays visible, because the picture is below the form."""
    words = [*setting_words.architecture(config), f"{sum(parameter_counts(config).values()):,} parameters"]
    return f'<div class="model-summary small">{escape(" · ".join(words))}</div>'


config, problems = form_settings.checked()
if config is not None:
    LAST_MODEL.set(config)
drawn = config or LAST_MODEL.get() or PRESETS[DEFAULT_PRESET].config
if tab_run.current() is None and not keys.SETTINGS_LINK.get():
    first_look.show()
form, picture = st.columns([5, 6], gap="large")

# The picture of the last valid model, grey while settings are invalid. Sent first, because the form is long.
with picture, st.container(key="picture" if config else "stale"):
    part = architecture(drawn, action="Click to see its numbers.")

with form:
    st.title("Build a transformer", anchor=False)
    st.html(
        "<div>Choose a preset and press <b>Train this model</b>. Quick copy and Quick reverse train in seconds. Then "
        "see how the model works, operation by operation.</div>"
    )
    preset = preset_of(config) if config else None
    settings_form.presets(preset)
    if config is None:
        style.notice(" ".join(problems.values()), wrong=True)
    else:
        style.notice(preset.sentence if preset else "Custom settings")
    cost = estimate(drawn)
    if st.button("Train this model", type="primary", icon=":material/play_arrow:", disabled=config is None):
        large_runs.begin(drawn, partial(tab_run.start, drawn), cost, place="build", page=pages.TRAIN.file)
        confirmation.open_asked()
    style.flashed("build")
    time, memory = duration(cost.seconds), f"{cost.megabytes:,.0f} MB"
    which = "" if config else " for the model in the picture"
    steps = f"{drawn.training.steps:,} steps at full speed"
    style.caption(f"Estimated for {steps}{which}: about {time}, {memory} of memory")
    # page.css marks the tabs of these groups and keeps the summary visible.
    wrong = {f"wrong-{path.partition('.')[0].replace('seed', 'training')}" for path in problems}
    st.html(f'<div class="tab-errors {escape(" ".join(sorted(wrong)))}"></div>{summary(drawn)}')
    FORM_TAB.begin(keys.LAST_FORM_TAB.get())
    tabs = st.tabs(["Task", "Model", "Training"], key=FORM_TAB.name, on_change="rerun")
    keys.LAST_FORM_TAB.set(FORM_TAB.get())  # the widget's own key is reset on other pages
    for tab, fields in zip(tabs, (settings_form.task_fields, model_fields, training_fields)):
        if tab.open:  # thirty widgets more cost 1.4 times the CPU until the first picture
            with tab:
                fields(problems)
    with st.expander("Parameters by part", expanded=True):
        show_numbers(drawn)
    with st.expander("An example batch", expanded=True):
        show_batch(drawn)
    as_json = st.expander("Settings as JSON", icon=":material/data_object:", key=JSON_OPEN.name, on_change="rerun")
    if as_json.open:
        with as_json:
            settings_json.show(config)

if part:
    open_part(drawn, part)
