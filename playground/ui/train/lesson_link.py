"""A lesson that a link leads to: shown at step 0 in this tab, and begun by Train or Step."""

from collections.abc import Mapping

import streamlit as st

from playground.config import RunConfig, parameter_counts, setting_paths
from playground.presets import DEFAULT_PRESET, PRESETS
from playground.tasks import task_of
from playground.ui.parts import style
from playground.ui.parts.live import progress_bar
from playground.ui.parts.map.model_map import architecture
from playground.ui.session import session_keys as keys
from playground.ui.session import state
from playground.ui.session.pages import LEARN
from playground.ui.session.view import travelled


def open_link(path: str) -> None:
    """Where the address asks for a lesson: shows it in this tab. `path` is the page's own.

    Nothing is begun: a link may be anybody's. The address keeps its words until the person begins the lesson, so that
    a page loaded again shows it again.
    """
    if path == LEARN.path:
        return  # its lessons are others
    words = st.query_params.to_dict()
    if state.LESSON in words and (travelled() or not keys.LESSON_READ.get()):
        _read_link(words)
    elif state.LESSON in words and not keys.LESSON.get():
        state.leave_lesson()  # a browser that has not heard yet that it has begun
    keys.LESSON_READ.set(True)  # what comes later in this session is the address as this app writes it
    config, _ = state.checked_settings()
    if keys.LESSON.get() and config is not None and path == "train":
        asked = {state.LESSON, state.PACE, state.RUN, *setting_paths()}
        rest = {word: value for word, value in st.query_params.to_dict().items() if word not in asked}
        words = rest | state.lesson_link_words(config, keys.PACE.get())
        if words != st.query_params.to_dict():
            st.query_params.from_dict(words)


def _read_link(words: Mapping[str, str]) -> None:
    """Fills the form with the settings of a lesson's address; what is wrong with them is said on the page.

    A lesson that names no setting has those of the default preset.
    """
    if not setting_paths().keys() & words.keys():
        words = {**words, **state.link_words(PRESETS[DEFAULT_PRESET].config)}
    problem = state.read_link(words)
    pace = words.get(state.PACE, state.USUAL_PACE)
    if pace not in state.PACES:
        problem += f" The link's pace “{pace[:40]}” is unknown. Use one of {', '.join(state.PACES)}."
        pace = state.USUAL_PACE
    keys.PACE.set(pace)
    config, problems = state.checked_settings()
    if config is None:
        problem += f" The lesson's settings don't work together: {' '.join(problems.values())}"
        state.leave_lesson()
    else:
        keys.LESSON.set(True)
    if problem:
        keys.LINK_PROBLEM.set(problem.strip())


def make_place() -> None:
    """Frees the processes of this visitor's paused runs, which would keep a lesson from its place; nothing is lost."""
    for run in state.RUNS.of(state.visitor()):
        if run.status == "paused" and run.has_worker and run.step:
            run.suspend()  # Resume goes on where it was


def show(config: RunConfig) -> None:
    """What a lesson that has not begun will train."""
    with st.container(key="slide-progress"):
        text = f"step 0 of at most {config.training.steps:,}"
        progress_bar.show("", lambda: {"status": "lesson", "colour": "gray", "text": text, "done": 0})
    st.info(
        "This is a lesson. **Train** starts it at the pace above. **Step** takes one step at a time. "
        "Nothing is trained before that, and your other runs stay as they are.",
        icon=":material/school:",
    )
    settings, picture = st.columns([5, 6], gap="large")
    with settings:
        task, model, training = config.task, config.model, config.training
        rows = {
            "Task": f"{task.name}: {task_of(task).inputs}",
            "Architecture": f"{model.architecture}, n_layers {model.n_layers}",
            "Widths": f"d_model {model.d_model}, n_heads {model.n_heads}, d_ff {model.d_ff}",
            "Parameters": f"{sum(parameter_counts(config).values()):,}",
            "Optimizer": f"{training.optimizer}, learning_rate {training.learning_rate:g} ({training.schedule})",
            "Batch size": f"{training.batch_size}",
            "Steps": f"at most {training.steps:,}",
            "Seed": f"{config.seed}",
        }
        st.html(style.table(("setting", ""), [(name, style.marked(value)) for name, value in rows.items()]))
        style.caption("The Build page has all settings of this lesson.")
    with picture:
        architecture(config, action="Its numbers are in Step through once the lesson has started.")
