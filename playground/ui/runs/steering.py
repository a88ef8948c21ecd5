"""Steering a run: its last step, mid-run changes of settings, and continuing from an earlier step."""

from collections.abc import Callable, Mapping
from functools import partial
from html import escape
from typing import Any

import streamlit as st

from playground.runs import Run, RunError, RunView
from playground.settings.config import Change, RunConfig, bounds, setting_paths, value_at
from playground.ui.parts import style
from playground.ui.runs import large_runs, run_status, saving, settings_form
from playground.ui.session import session_keys as keys
from playground.ui.session import setting_words, tab_run, widgets
from playground.ui.session.session_keys import Key

LIVE_FIELD = Key[Any]("live {} {} {}", None, "Widget: a setting by run id and path")
MORE_STEPS = Key[int]("more steps", 100, "Widget: number of further steps")
REWIND_SLIDER = Key[int]("slider {} {}", 0, "Widget: step to go back to, by run id")
REWIND_STEP = Key[int]("step {} {}", 0, "Widget: the same as a number")
REWOUND = Key[dict[str, Any]]("rewound", dict, "Run and step of the Rewind box")
STEERING_PROBLEMS = Key[tuple[str, dict[str, str]]](
    "steering problems", ("", {}), "Run id and error messages by setting"
)

STEERED = ("training.learning_rate", "training.batch_size", "model.dropout")
"""Settings with a field; the number of steps changes with "More steps"."""

_MAX_CHANGES = 3  # changes in one line


def controls(run: Run) -> None:
    """Draw the controls of the last step, and of the settings that can change mid-run."""
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        st.button(
            "Until solved",
            icon=":material/flag:",
            disabled=run.status == "solved",
            help="Train until an evaluation finds the task solved, then pause.",
            on_click=_try,
            args=("go on", run, _until_solved),
        )
        st.number_input(
            "Steps", value=100, step=10, help="Number of steps that “More steps” adds.", width=140, **MORE_STEPS.widget
        )
        st.button(
            "More steps",
            icon=":material/fast_forward:",
            help="Train this many more steps, then pause. A run that has ended continues as a branch. "
            "If the last step moves, a cosine or exponential schedule stretches to the new end: the learning "
            "rate rises again.",
            on_click=_try,
            args=("go on", run, _more_steps),
        )
    with st.container(horizontal=True, gap="small"):
        for path in STEERED:
            _live_field(run, path)


def rewind(run: Run | None) -> None:
    """Draw the box that continues from an earlier step."""
    box = st.popover(
        "Rewind",
        key=f"rewind {run.id if run else ''}",  # each run has its own box, initially closed
        icon=":material/history:",
        disabled=run is None or run.step == 0,
        help="Go back to any step and continue from there.",
        on_change="rerun",
    )
    if run is not None and box.open:
        with box, st.container(width=460):
            _rewind(run)


def problems(run: RunView) -> None:
    """Draw the error message of the last request."""
    if sentences := " ".join(_problems(run).values()):
        st.html(f'<div class="story small wrong" role="alert">{escape(sentences)}</div>')


def story(run: RunView) -> str:
    """Origin and mid-run changes of a run in one line; empty if there are none."""
    parts = setting_words.change_lines(run.config, run.changes)
    if len(parts) > _MAX_CHANGES:
        parts = [f"{len(parts) - _MAX_CHANGES} earlier changes", *parts[-_MAX_CHANGES:]]
    if run.metadata.origin:
        parts.insert(0, f"a branch of {run.metadata.origin.name} at step {run.metadata.origin.step:,}")
    if run.metadata.begun_from:
        parts.insert(
            0, f"started from the weights of {run.metadata.begun_from} with a new optimizer, so it may first get worse"
        )
    line = "; ".join(parts)
    return f"{line[0].upper()}{line[1:]}." if parts else ""


def _live_field(run: Run, path: str) -> None:
    """Draw a field that changes a setting at once; an invalid value stays in the field."""
    wrong = path in _problems(run)
    key, begun = widgets.key_showing(LIVE_FIELD.of(run.id, path), value_at(run.config_now, path), unless=wrong)
    _field(path, key.name, begun, disabled=run.ended, on_change=_try, args=(path, run, partial(_change, path, key)))


def _field(path: str, key: str, value: Any, **options: Any) -> int | float:
    return settings_form.number(path, setting_paths()[path].title or path, key=key, value=value, width=140, **options)


def _change(path: str, key: keys.Key[Any], run: Run) -> None:
    value = key.get()
    if widgets.is_current(key) and value != value_at(run.config_now, path):
        run.change({path: value})


def _until_solved(run: Run) -> None:
    if not run.ended:
        run.resume_until("solved")
        return
    training = run.config_now.training
    steps = training.steps if run.step < training.steps else min(_max_steps(), run.step + training.steps)
    further = {"training.steps": steps, "training.stop_when_solved": True}
    _at_a_cost(run, run.step, further, lambda run: tab_run.branch(run, run.step, further))


def _more_steps(run: Run) -> None:
    more = MORE_STEPS.get()
    if not 1 <= more <= _max_steps() - run.step:
        raise ValueError(f"Steps can't be {more:,}. Use a whole number from 1 to {_max_steps() - run.step:,}.")
    until = run.step + more
    # The schedule doesn't change if its last step is late enough.
    further: dict[str, Any] = {"training.steps": until} if until > run.config_now.training.steps else {}
    if run.ended:
        further |= {"training.stop_when_solved": False} if run.status == "solved" else {}

    def take(run: Run) -> None:
        if run.ended:
            run = tab_run.branch(run, run.step, further)
        elif further:
            run.change(further)
        run.resume_until(until)

    _at_a_cost(run, run.step, {"training.steps": until}, take)


def _at_a_cost(run: Run, step: int, settings: Mapping[str, Any] | None, act: Callable[[Run], object]) -> None:
    """Continue from a step, at once or after the person has confirmed the cost. Settings as for `Runs.branch`."""
    config = run.config_now if settings is None else run.config.after(run.changes, step).updated(settings)
    large_runs.begin(config, partial(_try, "go on", run, act), large_runs.remaining(config, step))


def _max_steps() -> int:
    return int(bounds(setting_paths()["training.steps"])[1])


def _problems(run: RunView) -> dict[str, str]:
    """Error messages of the last requests for this run, by setting or kind."""
    of, problems = STEERING_PROBLEMS.get()
    return problems if of == run.id else {}


def _try(what: str, run: Run, act: Callable[[Run], object]) -> None:
    """Call `act` on the run that a widget was drawn for, or store the error message."""
    if not tab_run.is_mine(run):
        return
    problems = {other: sentence for other, sentence in _problems(run).items() if other != what}
    STEERING_PROBLEMS.set((run.id, problems))  # first: `act` can call this again, see `_at_a_cost`
    try:
        act(run)
    except (ValueError, RunError) as error:
        STEERING_PROBLEMS.set((run.id, _problems(run) | {what: setting_words.in_labels(str(error))}))


# ---- rewind


def _rewind(run: Run) -> None:
    """Draw the step to return to, the settings after it, and the two ways to continue."""
    rewound = REWOUND.get()
    if rewound.get("run") != run.id:
        looked_at = str(keys.AT_STEP.get())  # the step of Step through, which a click on a chart sets
        first = min(run.step, int(looked_at)) if looked_at.isdecimal() else run.step
        rewound |= {"run": run.id, "step": first}
    step = rewound["step"]
    slider, slid = widgets.key_showing(REWIND_SLIDER.of(run.id), max(0, min(step, run.step)))
    number, typed = widgets.key_showing(REWIND_STEP.of(run.id), step)
    st.slider(
        "Go back to step",
        min_value=0,
        max_value=max(1, run_status.slider_end(run)),
        value=slid,
        key=slider.name,
        format="step %d",
        on_change=_move,
        args=(slider,),
    )
    st.number_input("Step", min_value=0, value=typed, step=1, key=number.name, on_change=_move, args=(number,))
    if step > run.step:
        style.message(f"This run has no step {step:,} yet. Choose a step from 0 to {run.step:,}.", "wrong")
        _ways(run, step, {}, allowed=False)
        return
    then = run.config.after(run.changes, step)
    st.markdown("Settings after that step:")
    with st.container(horizontal=True):
        wanted = {path: _field(path, f"again {run.id} {step} {path}", value_at(then, path)) for path in STEERED}
    changed = {path: value for path, value in wanted.items() if value != value_at(then, path)}
    message, allowed, wrong = _continuing(run, step, then, changed)
    style.message(message, "wrong" if wrong else "plain")
    _ways(run, step, changed, allowed=allowed)


def _ways(run: Run, step: int, changed: Mapping[str, Any], *, allowed: bool) -> None:
    """Draw the buttons that continue with the settings in the box, or repeat the run as it was."""
    with st.container(horizontal=True, gap="small"):
        st.button(
            "Continue from here",
            type="primary",
            icon=":material/play_arrow:",
            disabled=not allowed,
            help="Start a branch with exactly the settings above.",
            on_click=_try,
            args=("rewind", run, partial(_continue, step, changed)),
        )
        st.button(
            "Repeat as it was",
            icon=":material/replay:",
            disabled=step >= run.step,
            help="Start a branch that repeats this run from this step, with its later changes, bit for bit.",
            on_click=_try,
            args=("rewind", run, partial(_continue, step, None)),
        )
        if run.step >= step > 0:
            saving.button(run, step, "Save this step")


def _continuing(run: Run, step: int, then: RunConfig, changed: Mapping[str, Any]) -> tuple[str, bool, bool]:
    """Description of continuing from a step, whether it is possible, and whether a setting is invalid."""
    try:
        words = setting_words.differences(then, then.updated(Change(step, changed).settings)) if changed else ""
    except ValueError as error:
        return setting_words.in_labels(str(error)), False, True
    if words:
        return f"Starts a new run, a branch of this one: from step {step + 1:,} with {words}.", True, False
    if run.ended and step == run.step:
        return "This run ended at this step. Change a setting, or open More and press “More steps”.", False, False
    if step == run.step:
        return "Choose an earlier step, or change a setting.", False, False
    if later := setting_words.change_lines(run.config, run.changes, after=step):
        return f"Starts a new run, a branch of this one without its later changes ({'; '.join(later)}).", True, False
    return "Without a change, the branch repeats this run from this step, bit for bit.", True, False


def _move(key: keys.Key[int]) -> None:
    """Copy the step of one widget to the other, which is replaced."""
    if widgets.is_current(key):
        REWOUND.get()["step"] = key.get()


def _continue(step: int, settings: Mapping[str, Any] | None, run: Run) -> None:
    _at_a_cost(run, step, settings, partial(_continue_now, step, settings))


def _continue_now(step: int, settings: Mapping[str, Any] | None, run: Run) -> None:
    branch = tab_run.branch(run, step, settings)
    if not run.ended:
        run.pause()  # its curve stays visible beside the branch
        run.notice = f"Paused, because {branch.metadata.name} continues from its step {step:,}."
        if branch.status == "queued" and run.store.folder:
            run.suspend()
