"""Exact match by input length of the compared runs, also beyond the trained lengths."""

from collections.abc import Sequence
from html import escape

import streamlit as st

from playground.common.numbers import percent
from playground.decoding.long_inputs import MAX_FACTOR, end_of
from playground.experiments import comparison
from playground.experiments.lengths import SEQUENCES, LengthError, LengthScore, each_by_length, longest
from playground.model.task_model import TaskModel
from playground.pictures import charts
from playground.runs import Run
from playground.ui.parts import measurements, style
from playground.ui.parts.live import changes
from playground.ui.runs import run_view


def show(chosen: Sequence[Run]) -> None:
    """Draw the section of the Compare view for these runs."""
    st.markdown("**Beyond the trained length**")
    style.caption(
        f"This tests the latest weights of each run on {SEQUENCES} inputs per length, up to {MAX_FACTOR} times as long "
        "as in training where the positions allow it."
    )
    changes.redraw_any(
        {f"row/{run.id}": {"status": run_view.row(run)["status"]} for run in chosen}, key="lengths of runs"
    )
    named = dict(zip(comparison.labels(chosen), chosen, strict=True))
    runs, remarks = {}, []
    for name, run in named.items():
        if problem := _problem(run):
            remarks.append(f"{name}: {problem}")
        else:
            runs[name] = run
            if end := end_of(run.config):
                remarks.append(f"{name} reads inputs up to length {longest(run.config)}. {end}")
    for remark in remarks:
        style.message(remark, "note")
    if not runs:
        return
    measured: list[list[LengthScore]] | None = measurements.show(
        "lengths",
        tuple((run.id, run.step) for run in runs.values()),
        each_by_length,
        button="Measure",
        help="Takes seconds to minutes, depending on the models' size.",
        prepare=lambda: (_models(list(runs.values())),),
        costed=([run.config for run in runs.values()],),
    )
    if measured is not None:
        with st.container(key="lengths"):
            _draw(runs, chosen, measured)


def _problem(run: Run) -> str:
    """Reason why a run can't be measured; empty if it can."""
    if not (run.ended or run.status == "paused"):
        return "This run is training. Pause it to measure it."
    if not run.step:
        return "This run has no training step yet."
    try:
        longest(run.config)
    except LengthError as error:
        return str(error)
    return ""


def _models(runs: Sequence[Run]) -> list[TaskModel]:
    return [run.model_at() for run in runs]


def _draw(runs: dict[str, Run], chosen: Sequence[Run], measured: list[list[LengthScore]]) -> None:
    """Draw the chart, and its numbers as a table."""
    colours = charts.SERIES_COLOURS["dark" if st.context.theme.type == "dark" else "light"]
    given = dict(zip((run.id for run in chosen), comparison.colours(chosen), strict=True))
    curves = {
        name: [
            {"length": score.length, "exact_match": score.exact_match}
            | dict(zip(("low", "high"), score.interval, strict=True))
            for score in scores
            if score.exact_match is not None
        ]
        for name, scores in zip(runs, measured, strict=True)
    }
    trained = {(run.config.task.min_length, run.config.task.max_length) for run in runs.values()}
    st.vega_lite_chart(
        charts.by_length(curves, trained, [colours[given[run.id]] for run in runs.values()]), width="stretch"
    )
    style.caption(
        f"Trained lengths are shaded. Each point is measured on at most {SEQUENCES} inputs. Vertical lines are 95 % "
        "intervals. Training used none of these inputs."
    )
    with st.expander("Numbers"):
        lengths = sorted({score.length for scores in measured for score in scores})
        rows = [[str(length), *(_exact(scores, length) for scores in measured)] for length in lengths]
        st.html(style.table(["length", *map(escape, runs)], rows))


def _exact(scores: Sequence[LengthScore], length: int) -> str:
    match = next((score.exact_match for score in scores if score.length == length), None)
    return "" if match is None else percent(match)
