"""Steering a run: how far it goes, settings that change while it trains, and continuing from an earlier step."""

from collections.abc import Callable, Mapping
from functools import partial
from html import escape
from typing import Any

import streamlit as st

from playground.config import Change, RunConfig, bounds, setting_paths, value_at
from playground.runs import Run, RunError, RunView
from playground.ui.parts import style
from playground.ui.parts.runs import large_runs, run_status, saving, settings_form
from playground.ui.session import session_keys as keys
from playground.ui.session import state

FIELDS = ("training.learning_rate", "training.batch_size", "model.dropout")
"""Settings with a field of their own; the number of steps changes by "More steps"."""

_MAX_CHANGES = 3  # changes in one line


def controls(run: Run) -> None:
    """How far the visitor's run goes, and the settings that it can change."""
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
            "Steps",
            value=100,
            step=10,
            key=keys.MORE_STEPS.name,
            persist_state="session",
            help="How many steps “More steps” takes.",
            width=140,
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
        for path in FIELDS:
            _live_field(run, path)


def rewind(run: Run | None) -> None:
    """The box that continues from an earlier step."""
    box = st.popover(
        "Rewind",
        key=f"rewind {run.id if run else ''}",  # the box of another run is another one, and closed
        icon=":material/history:",
        disabled=run is None or run.step == 0,
        help="Go back to any step and continue from there.",
        on_change="rerun",
    )
    if run is not None and box.open:
        with box, st.container(width=460):
            _rewind(run)


def problems(run: RunView) -> None:
    """Why what was asked of the run could not be done."""
    if found := " ".join(_problems(run).values()):
        st.html(f'<div class="story small wrong" role="alert">{escape(found)}</div>')


def story(run: RunView) -> str:
    """Where a run comes from and how it was changed while it trained, in a line; empty if there is nothing to tell."""
    parts = _change_lines(run)
    if len(parts) > _MAX_CHANGES:
        parts = [f"{len(parts) - _MAX_CHANGES} earlier changes", *parts[-_MAX_CHANGES:]]
    if run.origin:
        parts.insert(0, f"a branch of {run.origin.name} at step {run.origin.step:,}")
    if run.begun_from:
        parts.insert(0, f"started from the weights of {run.begun_from} with a new optimizer, so it may first get worse")
    line = "; ".join(parts)
    return f"{line[0].upper()}{line[1:]}." if parts else ""


def _change_lines(run: RunView, after: int = -1) -> list[str]:
    """Each change that was made after step `after`, in words."""
    lines, before = [], run.config
    for change in run.changes:
        changed = before.updated(change.settings)
        if change.step > after and (words := state.change_words(before, changed)):
            lines.append(f"from step {change.step + 1:,} {words}")
        before = changed
    return lines


def _live_field(run: Run, path: str) -> None:
    """A setting that changes at once; what is not allowed stays as it was typed."""
    wrong = path in _problems(run)
    key, begun = state.key_showing(keys.LIVE_FIELD.of(run.id, path), value_at(run.config_now, path), unless=wrong)
    _field(path, key.name, begun, disabled=run.ended, on_change=_try, args=(path, run, partial(_change, path, key)))


def _field(path: str, key: str, value: Any, **options: Any) -> int | float:
    return settings_form.number(path, setting_paths()[path].title or path, key=key, value=value, width=140, **options)


def _change(path: str, key: keys.Key[Any], run: Run) -> None:
    value = key.get()
    if state.is_current(key) and value != value_at(run.config_now, path):
        run.change({path: value})


def _until_solved(run: Run) -> None:
    if not run.ended:
        run.resume_until("solved")
        return
    training = run.config_now.training
    steps = training.steps if run.step < training.steps else min(_max_steps(), run.step + training.steps)
    further = {"training.steps": steps, "training.stop_when_solved": True}
    _at_a_cost(run, run.step, further, lambda run: state.branch_run(run, run.step, further))


def _more_steps(run: Run) -> None:
    more = keys.MORE_STEPS.get()
    if not 1 <= more <= _max_steps() - run.step:
        raise ValueError(f"Steps can't be {more:,}. Use a whole number from 1 to {_max_steps() - run.step:,}.")
    until = run.step + more
    # A schedule goes on as it was where its settings reach so far.
    further: dict[str, Any] = {"training.steps": until} if until > run.config_now.training.steps else {}
    if run.ended:
        further |= {"training.stop_when_solved": False} if run.status == "solved" else {}

    def take(run: Run) -> None:
        if run.ended:
            run = state.branch_run(run, run.step, further)
        elif further:
            run.change(further)
        run.resume_until(until)

    _at_a_cost(run, run.step, {"training.steps": until}, take)


def _at_a_cost(run: Run, step: int, settings: Mapping[str, Any] | None, act: Callable[[Run], object]) -> None:
    """Continues from a step, at once or after the person has agreed to the cost. Settings as for `Runs.branch`."""
    config = run.config_now if settings is None else run.config.after(run.changes, step).updated(settings)
    large_runs.begin(config, partial(_try, "go on", run, act), large_runs.remaining(config, step))


def _max_steps() -> int:
    return int(bounds(setting_paths()["training.steps"])[1])


def _problems(run: RunView) -> dict[str, str]:
    """What stands in the way of what was asked of this run: sentences by setting or kind."""
    of, problems = keys.STEERING_PROBLEMS.get()
    return problems if of == run.id else {}


def _try(what: str, run: Run, act: Callable[[Run], object]) -> None:
    """Does something to the run for which a widget was drawn, or keeps the sentence that says why it cannot be."""
    if not state.is_mine(run):
        return
    problems = {other: sentence for other, sentence in _problems(run).items() if other != what}
    keys.STEERING_PROBLEMS.set((run.id, problems))  # first: the act may come here again, see `_at_a_cost`
    try:
        act(run)
    except (ValueError, RunError) as error:
        keys.STEERING_PROBLEMS.set((run.id, _problems(run) | {what: str(error)}))


# ---- rewind


def _rewind(run: Run) -> None:
    """A step to go back to, the settings from there on, and the two ways to continue."""
    rewound = keys.REWOUND.get()
    if rewound.get("run") != run.id:
        looked_at = str(keys.AT_STEP.get())  # in Step through, where a point of a chart leads
        first = min(run.step, int(looked_at)) if looked_at.isdecimal() else run.step
        rewound |= {"run": run.id, "step": first}
    step = rewound["step"]
    slider, slid = state.key_showing(keys.REWIND_SLIDER.of(run.id), max(0, min(step, run.step)))
    number, typed = state.key_showing(keys.REWIND_STEP.of(run.id), step)
    st.slider(
        "Go back to step",
        min_value=0,
        max_value=max(1, run_status.last_place(run)),
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
        wanted = {path: _field(path, f"again {run.id} {step} {path}", value_at(then, path)) for path in FIELDS}
    changed = {path: value for path, value in wanted.items() if value != value_at(then, path)}
    message, allowed, wrong = _continuing(run, step, then, changed)
    style.message(message, "wrong" if wrong else "plain")
    _ways(run, step, changed, allowed=allowed)


def _ways(run: Run, step: int, changed: Mapping[str, Any], *, allowed: bool) -> None:
    """Continuing with the settings that the box shows, or as the run itself went on from there."""
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
    """What continuing from a step does, whether it is possible, and whether a setting is wrong."""
    try:
        words = state.differences(then, then.updated(Change(step, changed).settings)) if changed else ""
    except ValueError as error:
        return str(error), False, True
    if words:
        return f"Starts a new run, a branch of this one: from step {step + 1:,} with {words}.", True, False
    if run.ended and step == run.step:
        return "This run ended at this step. Change a setting, or press “More steps”.", False, False
    if step == run.step:
        return "Choose an earlier step, or change a setting.", False, False
    if later := _change_lines(run, after=step):
        return f"Starts a new run, a branch of this one without its later changes ({'; '.join(later)}).", True, False
    return "Without a change, the branch repeats this run from this step, bit for bit.", True, False


def _move(key: keys.Key[int]) -> None:
    """Takes over the step of one widget, by which the other is replaced."""
    if state.is_current(key):
        keys.REWOUND.get()["step"] = key.get()


def _continue(step: int, settings: Mapping[str, Any] | None, run: Run) -> None:
    _at_a_cost(run, step, settings, partial(_continue_now, step, settings))


def _continue_now(step: int, settings: Mapping[str, Any] | None, run: Run) -> None:
    branch = state.branch_run(run, step, settings)
    if not run.ended:
        run.pause()  # its curve stays beside the branch
        run.notice = f"Paused, because {branch.name} continues from its step {step:,}."
        if branch.status == "queued" and run.store.folder:
            run.suspend()
