"""Train: start, pace and steer a run; everything on this page moves while it trains."""

from functools import partial

import pyarrow as pa
import streamlit as st

from playground import charts
from playground.config import RunConfig
from playground.runs import Run
from playground.tasks import EOS, decode
from playground.ui import navigation, run_control, state, style, time

SHOWN, HEIGHT = 5, 290  # examples, and the room they take in pixels
COLORS = {"running": "green", "starting": "green", "paused": "orange", "solved": "blue", "failed": "red"}


def progress(run: Run) -> None:
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
    loss = state.curves(run, {"loss": "training"}, {"validation_loss": "held out"})
    accuracy = state.curves(run, shares)
    rate = state.curves(run, {"learning_rate": "learning rate"})
    left, middle, right = st.columns([4, 4, 6], gap="medium")
    with left:
        plot("Loss", loss, charts.loss())
    with middle:
        plot("Accuracy on held-out sequences", accuracy, charts.accuracy(tuple(shares.values())))
    with right:
        examples(run)
    left, right = st.columns([4, 10], gap="medium")
    with left:
        plot("Learning rate", rate, charts.rate())
    with right:
        style.caption("Click a point of a chart to open that step in Step through; its slider has every step.")
        remarks(run)


def plot(title: str, rows: pa.Table, spec: dict[str, object]) -> None:
    st.markdown(f"**{title}**")
    # A chart that was clicked is a new one when the page is opened again, or it would not notice the same click.
    key = f"chart {title} {st.session_state.setdefault('picks', 0)}"
    st.vega_lite_chart(rows, spec, key=key, height=charts.HEIGHT, on_select=partial(pick, key))


def pick(key: str) -> None:
    """Turns Step through to the step whose point was clicked; the browser goes there when the page is drawn next."""
    points = st.session_state[key].selection[charts.PICKED]
    if points:
        time.go_to(int(points[0]["step"]))
        st.session_state["source"] = state.RUN
        st.session_state["picks"] += 1
        st.session_state["leaving"] = True


def remarks(run: Run) -> None:
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


def examples(run: Run) -> None:
    task = run.config.task
    how = "at once" if run.config.model.architecture == "encoder-only" else "token by token"
    st.markdown(f"**Held-out examples**, answered {how}")
    rows = [
        tuple(
            decode([token for token in tokens if token != EOS], task)
            for tokens in (each.source, each.prediction, each.answer)
        )
        for each in run.examples[:SHOWN]
    ]
    with st.container(height=HEIGHT, border=False, key="answers"):
        st.html(style.answers(rows)) if rows else style.caption("They come with the next test.")


def next_step(run: Run) -> None:
    with st.container(horizontal=True, vertical_alignment="center"):
        if run.status == "solved":
            last = run.last()
            right = f"{last['exact_match'] * last['sequences']:,.0f} of {last['sequences']:,}"
            st.markdown(f"**It has learned to {run.config.task.name}**: {right} held-out inputs entirely right.")
            if st.button("See why it works", type="primary", icon=":material/lightbulb:"):
                st.session_state["operation"], st.session_state["source"] = state.why(run.config), state.RUN
                st.switch_page(navigation.STEP_THROUGH)
        st.page_link(navigation.STEP_THROUGH, label="Step through this model", icon=":material/footprint:")


def next_settings(run: Run, config: RunConfig | None) -> None:
    if config is None:
        st.caption(":orange[The settings of the Build page do not make a model yet; this run goes on with its own.]")
    elif config != run.config:
        st.caption(f"The Build page has other settings for the next run: {state.differences(run.config, config)}.")


def show(polling: float | None) -> None:
    run = state.shown_run()
    config, _ = state.checked_settings()
    if timer(run) != polling:
        st.rerun()  # the timer of this fragment starts, changes or ends with the run
    if run is None or state.is_mine(run):
        run_control.controls(run, config)
    else:
        st.info(f"You are watching **{run.name}**. Whoever started it controls it.", icon=":material/visibility:")
    if notice := st.session_state.pop("notice", None):
        st.error(notice)
    if run is None:
        st.info(
            "Nothing is trained yet. **Train** starts with the settings of the Build page: watch the loss fall and the "
            "predictions come right, in about ten seconds.",
            icon=":material/info:",
        )
        return
    if state.is_mine(run):
        next_settings(run, config)
    progress(run)
    next_step(run)
    numbers(run)
    plots(run)
    navigation.leave("step_through" if st.session_state["leaving"] else "")


def timer(run: Run | None) -> float | None:
    if run is None or run.ended:
        return None
    return max(state.update_seconds(), 1.0 if run.status == "paused" else 0.0)


st.session_state["leaving"] = False
run = state.shown_run()
head, which = st.columns([1, 2], vertical_alignment="bottom")
head.title("Train")
with which:
    run_control.choice(run)
if st.session_state.pop("stale_link", False):
    st.warning("The run that this link leads to is not here any more, or never was.")
st.fragment(show, run_every=timer(run))(timer(run))
