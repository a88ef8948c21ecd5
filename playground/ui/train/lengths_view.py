"""Exact match by input length of the compared runs, also beyond the trained lengths."""

from collections.abc import Sequence

import streamlit as st

from playground.decoding.long_inputs import MAX_FACTOR, end_of
from playground.experiments import comparison
from playground.experiments.lengths import SEQUENCES, LengthError, LengthScore, each_by_length, longest
from playground.model.task_model import TaskModel
from playground.runs import Run
from playground.ui.parts import measurements, style
from playground.ui.parts.charts import length_chart
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
            given = dict(zip((run.id for run in chosen), comparison.colours(chosen), strict=True))
            configs = {name: run.config for name, run in runs.items()}
            length_chart.draw(configs, measured, [given[run.id] for run in runs.values()])


def _problem(run: Run) -> str:
    """Reason why a run can't be measured; empty if it can."""
    if not (run.ended or run.status == "paused"):
        return "This run is training. Pause it to measure it."
    if not run.step:
        return "This run has no training step yet."
    if run.metadata.pitfall:
        return length_chart.MISTAKE
    try:
        longest(run.config)
    except LengthError as error:
        return str(error)
    return ""


def _models(runs: Sequence[Run]) -> list[TaskModel]:
    return [run.model_at() for run in runs]
