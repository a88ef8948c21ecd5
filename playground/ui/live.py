"""A run while it trains: how far it is, its numbers, its charts and what it says to held-out inputs."""

from collections.abc import Sequence
from functools import partial

import pyarrow as pa
import streamlit as st

from playground import charts
from playground.config import TaskConfig
from playground.runs import Run
from playground.tasks import EOS, decode
from playground.ui import run_control, state, style, time

SHOWN, HEIGHT = 5, 290  # examples, and the room they take in pixels
COLORS = {"running": "green", "starting": "green", "paused": "orange", "solved": "blue", "failed": "red"}


def progress(run: Run) -> None:
    """How far it is, and what happened to it."""
    total, speed = run.config.training.steps, run.steps_per_second
    text = f"step {run.step:,} of at most {total:,}"
    if run.status == "queued":
        text = run_control.waiting(run) or text
    elif run.status == "running" and speed:
        text += f" · {speed:,.1f} steps/s · at most {run_control.duration((total - run.step) / speed)} left"
    elif run.status == "solved":
        text = f"at step {run.step:,}, after {run.last().get('seconds', 0):.2f} s in optimiser steps"
    done = 1.0 if run.status in ("solved", "finished") else run.step / total
    st.progress(done, text=f":{COLORS.get(run.status, 'gray')}-badge[{run.status}] {text}")
    run_control.notices(run)


def numbers(run: Run) -> None:
    """Its newest measures."""
    last = run.last()
    shown = {
        "Loss": (last.get("loss", last.get("validation_loss")), ".3g"),
        "Exact match": (last.get("exact_match"), ".1%"),
        "Token accuracy": (last.get("token_accuracy"), ".1%"),
        "Learning rate": (last.get("learning_rate"), ".2g"),
    }
    with st.container(horizontal=True, key="stage-numbers"):
        for name, (value, form) in shown.items():
            st.metric(name, "–" if value is None else format(value, form), width=150)


def plots(run: Run) -> None:
    """Its measures over time, and held-out examples."""
    shares = {"exact_match": "exact match", "token_accuracy": "token accuracy"}
    if not run.config.model.causal_mask:
        shares |= {"teacher_forced_exact_match": "exact, forced", "teacher_forced_token_accuracy": "tokens, forced"}
    loss = state.curves(run, {"loss": "training"}, {"validation_loss": "held out"})
    accuracy = state.curves(run, shares)
    rate = state.curves(run, {"learning_rate": "learning rate"})
    left, middle, right = st.columns([4, 4, 6], gap="medium")
    with left, st.container(key="stage-loss"):
        _plot("Loss", loss, charts.loss())
    with middle, st.container(key="stage-accuracy"):
        _plot("Accuracy on held-out sequences", accuracy, charts.accuracy(tuple(shares.values())))
    with right, st.container(key="stage-predictions"):
        _examples(run)
    left, right = st.columns([4, 10], gap="medium")
    with left:
        _plot("Learning rate", rate, charts.rate())
    with right:
        style.caption("Click a point of a chart to open that step in Step through; its slider has every step.")
        _remarks(run)


def _plot(title: str, rows: pa.Table, spec: dict[str, object]) -> None:
    st.markdown(f"**{title}**")
    # A chart that was clicked is a new one when the page is opened again, or it would not notice the same click.
    key = f"chart {title} {st.session_state.setdefault('picks', 0)}"
    st.vega_lite_chart(rows, spec, key=key, height=charts.HEIGHT, on_select=partial(_pick, key))


def _pick(key: str) -> None:
    """Turns Step through to the step whose point was clicked; the browser goes there when the page is drawn next."""
    points = st.session_state[key].selection[charts.PICKED]
    if points:
        time.go_to(int(points[0]["step"]))
        st.session_state["source"] = state.RUN
        st.session_state["picks"] += 1
        st.session_state["leaving"] = True


def _remarks(run: Run) -> None:
    training, model = run.config.training, run.config.model
    differs = [
        name for name, used in (("label smoothing", training.label_smoothing), ("dropout", model.dropout)) if used
    ]
    if differs:
        st.caption(f"The training loss is measured with {' and '.join(differs)}, the held-out loss without.")
    if not model.causal_mask:
        st.caption(
            "Without the causal mask the model reads the answer it has to give, so teacher-forced scores flatter it."
        )
    sequences = run.last().get("sequences")
    if sequences:
        st.caption(f"The newest scores come from {sequences:,} held-out sequences, none of which was trained on.")


def _examples(run: Run) -> None:
    task = run.config.task
    how = "at once" if run.config.model.architecture == "encoder-only" else "token by token"
    st.markdown(f"**Held-out examples**, answered {how}")
    rows = [
        (_said(each.source, task), _said(each.prediction, task), _said(each.answer, task))
        for each in run.examples[:SHOWN]
    ]
    with st.container(height=HEIGHT, border=False, key="answers"):
        st.html(style.answers(rows)) if rows else style.caption("They come with the next test.")


def _said(tokens: Sequence[int], task: TaskConfig) -> list[str]:
    return decode([token for token in tokens if token != EOS], task)
