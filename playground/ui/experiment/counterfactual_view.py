"""What if view: replays of a training with one difference."""

import math
from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

import streamlit as st

from playground.interpret.counterfactual import (
    BatchLeftOut,
    ChangedAnswer,
    ChangedLabel,
    Difference,
    LabelChanged,
    Original,
    ReplayProgress,
    SwitchedOff,
    counterfactual,
    original_of,
    switchable,
)
from playground.interpret.sites import words
from playground.lessons.live_parts import Curves
from playground.runs import Run
from playground.settings.config import RunConfig
from playground.tasks import PAD, task_of, token_names
from playground.training import with_interval
from playground.ui.experiment import influence_view
from playground.ui.parts import measurements, style
from playground.ui.parts.charts import line_chart
from playground.ui.parts.live import changes
from playground.ui.passes.frame import Pass
from playground.ui.runs import run_view
from playground.ui.runs.run_status import EVALUATIONS
from playground.ui.session import session_keys as keys
from playground.ui.session.address import QueryParam, QueryParams, number, one_of
from playground.ui.session.pages import TRAIN
from playground.ui.session.session_keys import Key

COUNTERFACTUAL = Key[str]("counterfactual kind", "batch", "Widget: kind of the difference")
COUNTERFACTUAL_LABEL = Key[int]("counterfactual label", 4, "Widget: id of the new label")
COUNTERFACTUAL_POSITION = Key[int]("counterfactual position", 1, "Widget: position of the label")
COUNTERFACTUAL_ROW = Key[int]("counterfactual row", 1, "Widget: row of the batch, from 1")
COUNTERFACTUAL_SITE = Key[str | None]("counterfactual site", None, "Widget: part to switch off")
COUNTERFACTUAL_STEP = Key[int]("counterfactual step", 1, "Widget: optimizer step of the difference")

RANK = "rank"
DIFFERENCES = {
    "batch": "Leave out a batch",
    "part": "Switch off a part",
    "label": "Change a label",
    RANK: "Rank all batches",
}
_MAX_ANSWERS = 20
"""Maximum number of changed answers in the table."""
_MAX_POINTS = 400
"""Maximum number of points of a curve."""

ADDRESS = QueryParams(
    "counterfactual_view",
    QueryParam("difference", COUNTERFACTUAL, one_of(DIFFERENCES)),
    QueryParam("at", COUNTERFACTUAL_STEP, number(7)),
    QueryParam("off", COUNTERFACTUAL_SITE),
    QueryParam("row", COUNTERFACTUAL_ROW, number(5)),
    QueryParam("label_position", COUNTERFACTUAL_POSITION, number(4)),
    QueryParam("label", COUNTERFACTUAL_LABEL, number(6)),
    *influence_view.PARAMS,
)


def draw(shown: Pass) -> None:
    """Draw the view."""
    run = shown.run
    st.markdown("**What if one thing in the training had been different?**")
    style.caption(
        "A counterfactual run repeats a run with the same seed and settings, except for one difference. So this "
        "difference causes every change in the results."
    )
    if run is None:
        style.message(
            "This is a checkpoint, and only a run can be replayed. Train a model, then choose that run under Model.",
            "note",
        )
        st.page_link(TRAIN.file, label="Train a model", icon=":material/trending_down:")
        return
    changes.redraw(f"row/{run.id}", {"status": run_view.row(run)["status"]}, key="counterfactual run")
    if run.metadata.pitfall or run.metadata.hides_pitfall:
        style.message("A run with a mistake can't be replayed with another difference.", "note")
        return
    if not (run.ended or run.status == "paused") or not run.step:
        style.message("If a run is paused or has ended, you can replay it with a difference.", "note")
        return
    kind = st.segmented_control(
        "Difference", list(DIFFERENCES), required=True, format_func=DIFFERENCES.__getitem__, **COUNTERFACTUAL.widget
    )
    if kind == RANK:
        influence_view.draw(run)
        return
    difference = _choose(run, kind)
    if difference is None:
        return
    replay: ReplayProgress | None = measurements.show(
        "counterfactual",
        (run.id, run.step, difference),
        counterfactual,
        difference,
        button="Replay",
        help="Repeats the training with this difference, and answers 1,000 held-out inputs with both models.",
        prepare=lambda: (_original(run, difference),),
        costed=(run.config, run.step),
    )
    if replay is not None:
        with st.container(key="counterfactual-outcome"):
            _draw_outcome(replay)


def _original(run: Run, difference: Difference) -> Original:
    return original_of(run, difference)


def _choose(run: Run, kind: str) -> Difference | None:
    """Draw the form; returns the difference, or None with a message if a number is out of range. Counts from 1."""
    config, problems = run.config, list[str]()
    chosen = _fields(run, kind, config, problems)
    for problem in problems:
        style.message(problem, "wrong")
    return None if problems else chosen


def _fields(run: Run, kind: str, config: RunConfig, problems: list[str]) -> Difference:
    def number(key: keys.Key[int], label: str, most: int) -> int:
        """Draw a field for a number from 1 to `most`."""
        if key.get() is None:
            key.set(1)
        value = st.number_input(label, step=1, width=170, help=f"1 to {most:,}.", **key.widget)
        if not 1 <= value <= most:
            problems.append(f"{label}: {value:,} doesn't exist. Use a number from 1 to {most:,}.")
        return max(1, min(value, most))

    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        step = number(COUNTERFACTUAL_STEP, "From step" if kind == "part" else "Step", run.step)
        if kind == "part":
            return SwitchedOff(_part(config), step - 1)
        if kind == "batch":
            return BatchLeftOut(step)
        rows = config.after(run.changes, step - 1).training.batch_size
        row = number(COUNTERFACTUAL_ROW, "Row of the batch", rows)
        position = number(COUNTERFACTUAL_POSITION, "Position of the answer", task_of(config.task).max_answer_length + 1)
        return LabelChanged(step, row - 1, position - 1, _label(config))


def _part(config: RunConfig) -> str:
    parts = switchable(config)
    if COUNTERFACTUAL_SITE.get() not in parts:
        COUNTERFACTUAL_SITE.set(parts[-1])
    return st.selectbox("Part", parts, format_func=words, width=340, **COUNTERFACTUAL_SITE.widget)


def _label(config: RunConfig) -> int:
    names = token_names(config.task)
    ids = range(PAD + 1, len(names))
    if COUNTERFACTUAL_LABEL.get() not in ids:
        COUNTERFACTUAL_LABEL.set(ids[-1])
    return st.selectbox("New label", ids, format_func=names.__getitem__, width=150, **COUNTERFACTUAL_LABEL.widget)


def _draw_outcome(replay: ReplayProgress) -> None:
    """Draw both curves, the final measures and the changed answers."""
    answers = replay.answers or ()
    ends = [records[-1]["step"] for records in (replay.original, replay.counterfactual)]
    why = "A run stops once 99.9 % of 1,000 held-out answers are right." if ends[0] != ends[1] else ""
    st.html(
        f'<p class="sentence">{escape(outcome_sentence(answers, replay.sequences))} '
        f"This run ended at step {ends[0]:,}, the counterfactual run at step {ends[1]:,}. {why}</p>"
    )
    left, right = st.columns(2, gap="large")
    with left:
        line_chart.show(_curves(replay, "loss", "Training loss"), still=True)
    with right:
        line_chart.show(_curves(replay, "exact_match", "Exact match on held-out inputs", shares=True), still=True)
    style.caption(EVALUATIONS)
    if replay.label:
        style.caption(_label_sentence(replay.label))
    if answers:
        rows = [
            [escape(case.source), escape(case.right), _answer(case.original, case), _answer(case.counterfactual, case)]
            for case in answers[:_MAX_ANSWERS]
        ]
        st.html(style.table(["Input", "Right answer", "This run", "Counterfactual"], rows, scrolls="Changed answers"))
    if len(answers) > _MAX_ANSWERS:
        style.caption(f"The first {_MAX_ANSWERS} of {len(answers):,} changed answers are shown.")


def _label_sentence(changed: ChangedLabel) -> str:
    return (
        f"The changed label: for the input {' '.join(changed.source)}, label {changed.position + 1} of "
        f"{' '.join(changed.labels)} became {changed.label}."
    )


def outcome_sentence(answers: Sequence[ChangedAnswer], sequences: int) -> str:
    """Sentence with the number of changed answers."""
    if not answers:
        return f"Both models give the same answers to all {sequences:,} held-out inputs."
    worse = sum(answer.original == answer.right for answer in answers)
    better = sum(answer.counterfactual == answer.right for answer in answers)
    return (
        f"{len(answers):,} of {sequences:,} held-out answers differ. Became wrong: {worse:,}. Became right: "
        f"{better:,}. Still wrong, but different: {len(answers) - worse - better:,}."
    )


def _answer(answer: str, changed: ChangedAnswer) -> str:
    return f"{escape(answer) or '(empty)'} {'✓' if answer == changed.right else '✕'}"


def _curves(replay: ReplayProgress, measure: str, title: str, *, shares: bool = False) -> Curves:
    lines = {"this run": replay.original, "counterfactual": replay.counterfactual}
    steps = sorted({record["step"] for records in lines.values() for record in records if measure in record})
    steps = steps[:: len(steps) // _MAX_POINTS + 1]
    return Curves(
        title,
        "step",
        "nats per token" if measure == "loss" else "% of held-out inputs",
        steps,
        {name: _values(records, measure, steps) for name, records in lines.items()},
        shares=shares,
        bands={name: _intervals(records, measure, steps) for name, records in lines.items()} if shares else {},
    )


def _intervals(records: Sequence[Mapping[str, Any]], measure: str, steps: Sequence[int]) -> list[tuple[float, float]]:
    whole = [with_interval(dict(record)) for record in records]
    low, high = (_values(whole, f"{measure}_{end}", steps) for end in ("low", "high"))
    return list(zip(low, high, strict=True))


def _values(records: Sequence[Mapping[str, Any]], measure: str, steps: Sequence[int]) -> list[float]:
    by_step = {record["step"]: record[measure] for record in records if record.get(measure) is not None}
    return [by_step.get(step, math.nan) for step in steps]
