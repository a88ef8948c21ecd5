"""Train: start, pace and steer a run; everything on this page moves while it trains."""

import pandas as pd
import streamlit as st

from playground import charts
from playground.runs import Run
from playground.tasks import EOS, decode
from playground.ui import navigation, state, style
from playground.ui.run_control import controls

UPDATE_SECONDS = 0.3
COLORS = {"running": "green", "starting": "green", "paused": "orange", "solved": "blue", "failed": "red"}


def progress(run: Run) -> None:
    total, speed = run.config.training.steps, run.steps_per_second
    text = f"step {run.step:,} of at most {total:,}"
    if run.status == "running" and speed:
        left = (total - run.step) / speed
        text += f" · {speed:,.1f} steps/s · at most {left:,.0f} s left"
    elif run.status == "solved":
        text = f"at step {run.step:,}, after {run.last().get('seconds', 0):.2f} s in optimiser steps"
    done = 1.0 if run.status in ("solved", "finished") else run.step / total
    st.progress(done, text=f":{COLORS.get(run.status, 'gray')}-badge[{run.status}] {text}")
    if run.message:
        st.error(run.message)


def numbers(run: Run) -> None:
    last = run.last()
    shown = {
        "Loss": (last.get("loss", last.get("validation_loss")), ".3g"),
        "Exact match": (last.get("exact_match"), ".1%"),
        "Token accuracy": (last.get("token_accuracy"), ".1%"),
        "Learning rate": (last.get("learning_rate"), ".2g"),
    }
    with st.container(horizontal=True):
        for name, (value, form) in shown.items():
            st.metric(name, "–" if value is None else format(value, form), width=150)


def plots(run: Run) -> None:
    shares = {"exact_match": "exact match", "token_accuracy": "token accuracy"}
    if not run.config.model.causal_mask:
        shares |= {"teacher_forced_exact_match": "exact, forced", "teacher_forced_token_accuracy": "tokens, forced"}
    loss = charts.rows(run.points(["loss"]), {"loss": "training"})
    loss += charts.rows(run.points(["validation_loss"]), {"validation_loss": "held out"})
    rate = charts.rows(run.points(["learning_rate"]), {"learning_rate": "learning rate"})
    accuracy = charts.rows(run.points(list(shares)), shares)
    drawn = (
        ("Loss", loss, charts.loss()),
        ("Accuracy on held-out sequences", accuracy, charts.accuracy(tuple(shares.values()))),
        ("Learning rate", rate, charts.rate()),
    )
    for column, (title, rows, spec) in zip(st.columns(3), drawn, strict=True):
        column.markdown(f"**{title}**")
        frame = pd.DataFrame(rows, columns=["step", "value", "series"])
        column.vega_lite_chart(frame, spec, key=f"chart {title}", height=charts.HEIGHT)
    differs = [
        name
        for name, used in (
            ("label smoothing", run.config.training.label_smoothing),
            ("dropout", run.config.model.dropout),
        )
        if used
    ]
    if differs:
        st.caption(f"The training loss is measured with {' and '.join(differs)}, the held-out loss without.")
    if not run.config.model.causal_mask:
        st.caption(
            "Without the causal mask the model reads the answer it has to give, so teacher-forced scores flatter it."
        )


def examples(run: Run) -> None:
    rows = []
    for example in run.examples:
        source, answer, prediction = (
            decode([token for token in tokens if token != EOS], run.config.task)
            for tokens in (example.source, example.answer, example.prediction)
        )
        right = example.prediction == example.answer
        verdict = '<span title="entirely right">✓</span>' if right else '<span title="not right yet">✕</span>'
        rows.append((style.tokens(source), style.tokens(prediction, right=answer), verdict))
    sequences = run.last().get("sequences")
    st.markdown("**Held-out examples** · never trained on, answered by the model reading its own tokens")
    st.html(style.table(("input", "prediction", ""), rows))
    if sequences:
        st.caption(f"The newest scores come from {sequences:,} held-out sequences.")


def show(polling: bool) -> None:
    run = state.current_run()
    config, _ = state.checked_settings()
    alive = run is not None and not run.ended
    if alive != polling:
        st.rerun()  # the timer of this fragment starts or ends with the run
    controls(run, config)
    if notice := st.session_state.pop("notice", None):
        st.error(notice)
    if run is None:
        st.info(
            "Nothing is trained yet. **Train** starts with the settings of the Build page: watch the loss fall and the "
            "predictions below come right, in about ten seconds.",
            icon=":material/info:",
        )
        return
    if config is None:
        st.caption(":orange[The settings of the Build page do not make a model yet; this run goes on with its own.]")
    elif config != run.config:
        st.caption(f"The Build page has other settings for the next run: {state.differences(run.config, config)}.")
    progress(run)
    numbers(run)
    plots(run)
    examples(run)
    st.page_link(navigation.STEP_THROUGH, label="Step through this model", icon=":material/footprint:")


run = state.current_run()
alive = run is not None and not run.ended
st.title("Train")
st.fragment(show, run_every=UPDATE_SECONDS if alive else None)(alive)
