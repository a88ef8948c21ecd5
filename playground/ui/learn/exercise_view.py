"""Exercises of lessons: one click trains the runs, and their outcomes answer the question."""

from collections.abc import Mapping
from functools import partial
from typing import Any

import streamlit as st

from playground.lessons.exercise import Exercise, ExerciseRun
from playground.lessons.lesson import Embedded, Lesson
from playground.runs import Run, RunError
from playground.ui.learn import pitfall_parts
from playground.ui.parts import style
from playground.ui.parts.live import progress_bar
from playground.ui.runs import run_view
from playground.ui.session import identity, tab_run
from playground.ui.session.flash import flash
from playground.ui.session.services import services
from playground.ui.session.session_keys import Key

EXERCISE_CHARTS = Key[Any]("exercise charts {}", None, "Component: curves of an exercise")


def show(lesson: Lesson, embedded: Embedded, seed: int) -> Mapping[str, object] | None:
    """Draw the runs, or the button that starts them. Returns the outcome values once all runs have ended."""
    exercise = lesson.exercises[embedded.name]
    runs = _runs(exercise, seed)
    style.flashed("exercise")
    if len(runs) < len(exercise.runs):
        st.button(
            embedded.title,
            type="primary",
            icon=":material/play_arrow:",
            key=f"train {lesson.name} {embedded.name}",
            on_click=_train,
            args=(lesson, embedded.name, seed),
        )
        style.caption("The runs answer the question. They may take about 20 seconds.")
        return None
    pitfall_parts.redraw_with(list(runs.values()), f"{lesson.name} {embedded.name}")
    for column, (label, run) in zip(st.columns(len(runs), gap="medium"), runs.items(), strict=True):
        with column:
            style.caption(label)
            fields, key = partial(run_view.fields, run), f"progress {embedded.name} {label}"
            progress_bar.show(run_view.channel(run), fields, key=key, label=label)
    pitfall_parts.resume(list(runs.values()))
    run_view.live_charts(
        list(runs.values()), panels=("exact_match",), key=EXERCISE_CHARTS.of(embedded.name), opens=False
    )
    for run in runs.values():
        if run.message and run.ended:
            style.message(f"{run.metadata.name}: {run.message}", "wrong" if run.status == "failed" else "care")
    if not all(run.status in ("finished", "solved") for run in runs.values()):
        return None
    with style.error_messages():
        return exercise.facts({label: _outcome(run) for label, run in runs.items()})
    return None


def _runs(exercise: Exercise, seed: int) -> dict[str, Run]:
    """This visitor's newest runs with the exercise's settings, except stopped ones."""
    own = [
        run
        for run in tab_run.mine()
        if not (
            run.metadata.pitfall
            or run.changes
            or run.metadata.origin
            or run.metadata.begun_from
            or run.status in ("stopped", "failed")
        )
    ]
    newest = {
        label: next((run for run in own if run.config == config), None)
        for label, config in exercise.configs(seed).items()
    }
    return {label: run for label, run in newest.items() if run is not None}


def _train(lesson: Lesson, name: str, seed: int) -> None:
    """Start all missing runs, or none."""
    exercise, started = lesson.exercises[name], []
    there = _runs(exercise, seed)
    try:
        for label, config in exercise.configs(seed).items():
            if label not in there:
                named = "-".join(f"{label} {seed}".lower().split())
                started.append(services().runs.start(identity.visitor(), config, name=named))
    except RunError as error:
        flash("exercise", str(error))
        for run in started:
            run.stop()


def _outcome(run: Run) -> ExerciseRun:
    return ExerciseRun(run.records(), run.model_near(0)[1], run.model_near(run.step)[1])
