"""Pitfalls view: a classic mistake trained beside the correct model, and the measure that shows it."""

from functools import partial
from typing import Any, NamedTuple

import streamlit as st

from playground.lessons.mistakes.table import MISTAKES, PITFALLS
from playground.lessons.pitfalls import loss_sentence
from playground.runs import Run, RunError
from playground.ui.learn import pitfall_parts
from playground.ui.parts import style
from playground.ui.parts.live import progress_bar
from playground.ui.runs import compared, run_view, sharing
from playground.ui.session import identity, tab_run
from playground.ui.session.address import QueryParam, QueryParams, number, one_of
from playground.ui.session.flash import flash
from playground.ui.session.pages import LEARN, TRAIN
from playground.ui.session.services import services
from playground.ui.session.session_keys import Key

PITFALL = Key[str]("pitfall", next(iter(PITFALLS)), "Widget: name of the pitfall")
PITFALL_CHARTS = Key[Any]("pitfall-charts", None, "Component: losses of both models")
PITFALL_SEED = Key[int]("pitfall seed", 1, "Widget: seed of both models")

ADDRESS = QueryParams(
    "pitfalls",
    QueryParam("pitfall", PITFALL, one_of(PITFALLS)),
    QueryParam("trial", PITFALL_SEED, number(4)),
)


_RIGHT = "correct-model"
"""Name of the runs without the mistake, before the seed."""


class RunPair(NamedTuple):
    """The newest runs of a pitfall with the same seed."""

    right: Run
    wrong: Run


def show() -> None:
    """Draw the view; losses come from the event stream."""
    asked = st.query_params.get("pitfall")
    if asked is not None and asked not in PITFALLS:
        style.message(f"There is no pitfall “{asked[:40]}”. Another one is shown.", "care")
    st.fragment(_draw)()


def pair(name: str, seed: int) -> RunPair | None:
    """This visitor's two runs of a pitfall, or None."""
    config, own = PITFALLS[name].config(seed), tab_run.mine()
    same = [
        run
        for run in own
        if run.config == config and not (run.changes or run.metadata.origin or run.metadata.begun_from)
    ]
    right = next((run for run in same if not run.metadata.pitfall), None)
    wrong = next((run for run in same if run.metadata.pitfall == name and run.metadata.hunt is None), None)
    return RunPair(right, wrong) if right and wrong else None


def _draw() -> None:
    style.caption(
        "Classic mistakes in a transformer. Train a correct model and one with the mistake from the same seed. The "
        "loss often looks normal. Another measure shows the mistake."
    )
    left, right = st.columns([4, 9], gap="medium")
    with left, st.container(key="pitfall-list"):
        st.radio(
            "Pitfall",
            list(PITFALLS),
            format_func=lambda name: MISTAKES[name].title,
            captions=[MISTAKES[name].sentence for name in PITFALLS],
            label_visibility="collapsed",
            **PITFALL.widget,
        )
    with right:
        _one(PITFALL.get())
    ADDRESS.keep()


def _one(name: str) -> None:
    """Draw the mistake and both models."""
    pitfall_parts.show_mistake(name)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        seed = st.number_input(
            "Seed",
            min_value=0,
            max_value=9999,
            step=1,
            width=140,
            help="Both models begin with the weights of this seed and read its batches.",
            **PITFALL_SEED.widget,
        )
        both = pair(name, seed)
        if both is not None:
            pitfall_parts.redraw_with(both)  # before anything is drawn, so that later changes cause a redraw
        training = both is not None and not all(run.ended for run in both)
        st.button(
            "Train both",
            type="secondary" if both else "primary",
            icon=":material/play_arrow:",
            disabled=training,
            on_click=_train,
            args=(name, seed),
        )
        sharing.view(LEARN, "This link opens the same pitfall with the same seed.", ADDRESS.words())
    style.flashed("pitfall")
    if both is None:
        st.info(
            "Training both models takes a few seconds. Then you see which measure shows the mistake.",
            icon=":material/info:",
        )
        return
    _progress(both)
    pitfall_parts.resume(both)
    left, right = st.columns(2, gap="large")
    with left:
        run_view.live_charts(both, panels=("loss",), key=PITFALL_CHARTS, opens=False)
    if not training:
        with right:
            _found(name, both)


def _train(name: str, seed: int) -> None:
    """Start the correct model and the one with the mistake, or neither; they replace earlier runs of this view."""
    config, visitor, right = PITFALLS[name].config(seed), identity.visitor(), None
    names = {"": f"{_RIGHT}-{seed}", name: f"{name}-{seed}"}
    same = [
        run for run in services().runs.of(visitor) if run.config == config and run.ended and run.metadata.hunt is None
    ]
    before = [
        run
        for run in same
        if run.metadata.pitfall in names and run.metadata.name.startswith(names[run.metadata.pitfall])
    ]
    try:
        right = services().runs.start(visitor, config, name=names[""])
        services().runs.start(visitor, config, name=names[name], pitfall=name)
    except RunError as error:
        flash("pitfall", str(error))
        if right is not None:
            right.stop()
    else:
        for run in before:  # earlier runs gave the same numbers, and the list of runs is limited
            services().runs.forget(visitor, run)


def _progress(both: RunPair) -> None:
    """Draw the progress of both runs."""
    for column, title, run in zip(st.columns(2, gap="large"), ("Correct model", "With the mistake"), both, strict=True):
        with column:
            style.caption(title)
            fields = partial(run_view.fields, run)
            progress_bar.show(run_view.channel(run), fields, key=f"progress {title}", label=title)


def _found(name: str, both: RunPair) -> None:
    """Draw the measure that shows the mistake, and links to details."""
    pitfall = PITFALLS[name]
    for run in both:
        if run.message:
            style.message(f"{run.metadata.name}: {run.message}", "wrong" if run.status == "failed" else "care")
    if all(run.status in ("finished", "solved") for run in both):
        with style.error_messages():
            measured = pitfall_parts.measure_of(name, both.right), pitfall_parts.measure_of(name, both.wrong)
            st.markdown("**How to detect it**")
            pitfall_parts.show_measure(pitfall, *measured)
            style.caption(loss_sentence(*(pitfall_parts.losses(run)[-1] for run in both)))
    with st.container(horizontal=True):
        if st.button("Step through the wrong model", icon=":material/footprint:"):
            pitfall_parts.step_through(both.wrong, pitfall.operation)
        if st.button("Compare", icon=":material/stacked_line_chart:"):
            compared.choose(both)
            TRAIN.turn("compare")
            st.switch_page(TRAIN.file)
