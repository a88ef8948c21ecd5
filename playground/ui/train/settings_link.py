"""Settings links: this tab shows the settings at step 0, and Train or Step starts a run with them."""

from collections.abc import Mapping

import streamlit as st

from playground.common.numbers import counted
from playground.explain.glossary import choice
from playground.settings.config import RunConfig, parameter_counts, setting_paths
from playground.settings.presets import DEFAULT_PRESET, PRESETS
from playground.tasks import task_of
from playground.ui.parts import style
from playground.ui.parts.live import progress_bar
from playground.ui.parts.map.model_map import architecture
from playground.ui.session import form_settings, paces, sources, tab_run
from playground.ui.session import session_keys as keys
from playground.ui.session.address import opened_anew, travelled
from playground.ui.session.flash import flash
from playground.ui.session.pages import LEARN
from playground.ui.session.session_keys import Key

SETTINGS_LINK_READ = Key[bool]("settings link read", False, "The address was searched for a settings link")


def open_link(path: str) -> None:
    """Show the settings link in the address, if any, in this tab. `path` is the page's own.

    Nothing starts, because a link can come from anyone. The address keeps its query parameters until the person starts
    the run, so that a reload shows it again.
    """
    if path == LEARN.path:
        return  # there the parameter is the name of a lesson
    words = st.query_params.to_dict()
    if opened_anew() and form_settings.SETTINGS_LINK not in words:
        keys.SETTINGS_LINK.forget()
    if form_settings.SETTINGS_LINK in words and (travelled() or not SETTINGS_LINK_READ.get()):
        _read_link(words)
    elif form_settings.SETTINGS_LINK in words and not keys.SETTINGS_LINK.get():
        tab_run.leave_settings_link()  # a browser that doesn't know yet that the run has started
    SETTINGS_LINK_READ.set(True)  # later addresses in this session are written by the app
    config, _ = form_settings.checked()
    if keys.SETTINGS_LINK.get() and config is not None and path == "train":
        asked = {form_settings.SETTINGS_LINK, form_settings.PACE, sources.RUN, *setting_paths()}
        rest = {word: value for word, value in st.query_params.to_dict().items() if word not in asked}
        words = rest | form_settings.settings_link_words(config, keys.PACE.get())
        if words != st.query_params.to_dict():
            st.query_params.from_dict(words)


def _read_link(words: Mapping[str, str]) -> None:
    """Fill the form with the settings of a link; the page shows their errors.

    Without settings, they are those of the default preset.
    """
    if not setting_paths().keys() & words.keys():
        words = {**words, **form_settings.link_words(PRESETS[DEFAULT_PRESET].config)}
    problem = form_settings.read_link(words)
    pace = words.get(form_settings.PACE, paces.USUAL_PACE)
    if pace not in paces.PACES:
        problem += f" The link's pace “{pace[:40]}” is unknown. Use one of {', '.join(paces.PACES)}."
        pace = paces.USUAL_PACE
    keys.PACE.set(pace)
    config, problems = form_settings.checked()
    if config is None:
        problem += f" The link's settings can't be used: {' '.join(problems.values())}"
        tab_run.leave_settings_link()
    else:
        keys.SETTINGS_LINK.set(True)
    if problem:
        flash("link", problem.strip(), "care")


def free_slot() -> None:
    """Suspend this visitor's paused runs, so that the new run gets a worker slot; nothing is lost."""
    for run in tab_run.mine():
        if run.status == "paused" and run.has_worker and run.step:
            run.suspend()  # Resume continues from there


def show(config: RunConfig) -> None:
    """Draw the settings and the diagram of a run that has not started."""
    with st.container(key="slide-progress"):
        text = f"step 0 of at most {config.training.steps:,}"
        progress_bar.show("", lambda: {"status": "not started", "colour": "gray", "text": text, "done": 0})
    st.info(
        "This link has the settings below. **Train** starts a run with them at the pace above. "
        "**Step** takes one step at a time. Nothing is trained before that. Your other runs don't change.",
        icon=":material/link:",
    )
    settings, picture = st.columns([5, 6], gap="large")
    with settings:
        task, model, training = config.task, config.model, config.training
        rows = {
            "Task": f"{task.name}: {task_of(task).inputs}",
            "Architecture": f"{model.architecture}, {counted(model.n_layers, 'layer')}",
            "Widths": f"model {model.d_model}, hidden {model.d_ff}, {counted(model.n_heads, 'head')}",
            "Parameters": f"{sum(parameter_counts(config).values()):,}",
            "Optimizer": f"{choice(training.optimizer)}, learning rate {training.learning_rate:g} "
            f"({choice(training.schedule)})",
            "Batch size": f"{training.batch_size}",
            "Steps": f"at most {training.steps:,}",
            "Seed": f"{config.seed}",
        }
        st.html(style.table(("setting", ""), [(name, style.marked(value)) for name, value in rows.items()]))
        style.caption("The Build page has all of its settings.")
    with picture:
        architecture(config, action="Start the run to see its numbers in Step through.")
