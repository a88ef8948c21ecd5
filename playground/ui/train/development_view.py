"""The Development view: how heads, weights and scores of a run change in training, and when."""

from collections.abc import Sequence
from html import escape

import streamlit as st
import torch

from playground.common.numbers import as_csv, counted, duration, percent
from playground.experiments import comparison
from playground.interpret.development import FEWEST, MAX_GRID, POINTS, SEQUENCES, Development, ModelState, develop
from playground.interpret.run_weights import weights_of
from playground.interpret.transitions import Transition
from playground.model.head_paths import heads, weights_tap
from playground.runs import Run
from playground.training.measure import table
from playground.training.roles import ROLE_LETTERS, ROLES
from playground.ui.parts import measurements, style
from playground.ui.parts.live import changes
from playground.ui.passes import maps
from playground.ui.runs import run_view
from playground.ui.session import at_step, sources, tab_run
from playground.ui.session import session_keys as keys
from playground.ui.session.address import QueryParam, QueryParams, number, one_of
from playground.ui.session.pages import STEP_THROUGH
from playground.ui.session.session_keys import Key
from playground.ui.train import development_charts, run_control

DEVELOPMENT_POINTS = Key[int]("development points", 0, "Widget: evenly spaced steps to measure; 0: kept steps")
DEVELOPMENT_ROLE = Key[str]("development role", "", "Widget: role in the charts of heads; empty: that of each head")
DEVELOPMENT_STEP = Key[int | None]("development step", None, "Widget: step of the spectrum and of the answers")
DEVELOPMENT_HEAD = Key[str | None]("development head", None, "Widget: path of the head that runs are compared by")

STEPS = {0: "Kept", 20: "20 even", POINTS: f"{POINTS} even", 2 * POINTS: f"{2 * POINTS} even"}

ADDRESS = QueryParams(
    "development",
    QueryParam("measured", DEVELOPMENT_POINTS, lambda text: next((each for each in STEPS if str(each) == text), None)),
    QueryParam("role", DEVELOPMENT_ROLE, one_of(ROLES)),
    QueryParam("answers", DEVELOPMENT_STEP, number(7)),
)


def head() -> None:
    """Draw the choice of a run, and a link to this view of it."""
    run_control.choice(tab_run.shown())


def show() -> None:
    """Draw the view."""
    run = tab_run.shown()
    style.caption(
        "Measured after the training, which takes no longer. Weights that the run kept are measured as they are. Other "
        "steps are replayed bit for bit."
    )
    if run is None:
        st.info("No model yet. Train one in the Run view. Then measure here how it developed.")
        return
    changes.redraw(f"row/{run.id}", {"status": run_view.row(run)["status"]}, key="development run")
    if problem := problem_of(run):
        style.message(problem, "note")
        return
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        points = st.segmented_control(
            "Steps to measure",
            list(STEPS),
            required=True,
            format_func=STEPS.__getitem__,
            help=f"Kept steps are replayed only around transitions, or if fewer than {FEWEST} are kept. Even steps "
            "replay the whole run.",
            **DEVELOPMENT_POINTS.widget,
        )
        role_choice()
    found = measured(run, points)
    ADDRESS.keep()
    if found is None:
        return
    _transitions(found)
    with st.container(key="development-charts"):
        development_charts.draw(found, DEVELOPMENT_ROLE.get())
    weights = development_charts.weights_words(run.config.model)
    style.caption(f"{development_charts.RANK} {weights} {ROLE_LETTERS}")
    if found.states[-1].spectrum:
        st.fragment(_answers)(found)
    _cost(run, found)


def problem_of(run: Run) -> str:
    """Reason why a run can't be measured; empty if it can."""
    if not (run.ended or run.status == "paused"):
        return "This run is training. Pause it to measure it."
    return "" if run.step else "This run has no training step yet."


def role_choice() -> None:
    """Draw the choice of the role in the charts of heads."""
    st.selectbox(
        "Role",
        ["", *ROLES],
        format_func=lambda role: f"Attends to {ROLES[role].words}" if role else "The nearest role of each head",
        width=340,
        **DEVELOPMENT_ROLE.widget,
    )


def measured(run: Run, points: int, button: str = "Measure") -> Development | None:
    """The development of a run; until it is measured, draw the button or the progress and return None."""
    found: Development | None = measurements.show(
        "development",
        key_of(run, points),
        develop,
        points,
        button=button,
        help=f"Measures each step on {SEQUENCES} held-out inputs and on {SEQUENCES} that the training draws.",
        prepare=lambda: (weights_of(run),),
        costed=(run.config, run.step),
    )
    return found


def key_of(run: Run, points: int) -> tuple[str, int, int]:
    """What the development of a run depends on."""
    return run.id, run.step, points


# ---- transitions


def _transitions(found: Development) -> None:
    every = [*enumerate(development_charts.listed(found), 1)]
    sharp = [(number, each) for number, each in every if each.kind == "entropy"]
    with st.container(key="development-transitions", gap="xsmall"):
        style.heading("Transitions")
        if len(sharp) == len(every):
            style.caption("No measured value rises through half of its way and stays there.")
        for number_of, each in every:
            if each.kind != "entropy":
                _transition(str(number_of), each)
        if sharp:
            with st.expander(f"Attention becomes sharp: {counted(len(sharp), 'head')}"):
                for number_of, each in sharp:
                    _transition(str(number_of), each)
        if every:
            style.caption(
                "A transition is where a value rises through half of the way from its first to its final value, and "
                "stays. Numbers mark it in the charts. Open a step to see the forward pass after it."
            )


def _transition(name: str, found: Transition, run: Run | None = None) -> None:
    """Draw a transition of a run, by default of that on the page. `name` is its number, or unique on the page."""
    with st.container(horizontal=True, key=f"transition-{name}"):
        if run is None:
            st.html(f'<span class="small"><b>{escape(name)}</b> {style.marked(found.sentence)}</span>')
        else:
            st.html(f'<span class="small">{style.marked(found.sentence)}</span>')
        pressed = st.button(
            f"Open step {found.last:,}",
            key=f"open transition {name}",
            icon=":material/footprint:",
            help="Shows this step in Step through.",
            width="stretch",
        )
    if pressed:
        if run is not None:
            tab_run.look_at_model(run)
        at_step.move(found.last)
        keys.SOURCE.set(sources.RUN)
        if found.head is not None:
            keys.OPERATION.set(weights_tap(found.head.attention))
            keys.HEAD.set(found.head.number)
            keys.CELL.set(None)
        st.switch_page(STEP_THROUGH.file)


# ---- a modular task


def _answers(found: Development) -> None:
    """Draw the spectrum and the answers to all pairs at a measured step."""
    style.heading("Frequencies and answers")
    if DEVELOPMENT_STEP.get() not in found.steps:
        near = DEVELOPMENT_STEP.get()
        last = found.steps[-1]
        DEVELOPMENT_STEP.set(last if near is None else min(found.steps, key=lambda step: abs(step - near)))
    step = st.select_slider("Measured step", found.steps, format_func="{:,}".format, **DEVELOPMENT_STEP.widget)
    state = found.states[found.steps.index(step)]
    with st.container(key="development-answers"):
        left, right = st.columns(2, gap="medium")
        with left:
            development_charts.draw_spectrum(state.spectrum)
            style.caption(
                "Power of the discrete Fourier transform along the symbols, without the mean. The five strongest "
                f"frequencies hold {percent(state.peak_share)}."
            )
        with right:
            _grid(state)


def _grid(state: ModelState) -> None:
    if state.grid is None:
        style.caption(f"Answers to all pairs are measured for at most {MAX_GRID} symbols.")
        return
    right, probability = (torch.from_numpy(values) for values in state.grid)
    names = [str(symbol) for symbol in range(len(right))]
    title, axes, labels = "Probability of the right answer", ("a", "b"), ("V", "V")
    picture = maps.heatmap("answers", title, probability.float(), axes, labels, kind="probability")
    maps.show("development answers", [picture], {"V": names}, words=("a", "b", "probability"))
    style.caption(
        f"Rows are a, columns are b. After step {state.step:,}, {percent(float(right.double().mean()))} of "
        f"{right.numel():,} pairs are answered right."
    )


# ---- cost and numbers


def _cost(run: Run, found: Development) -> None:
    took = f"Measured {counted(len(found.states), 'step')} in {duration(found.seconds)}"
    took += f", {found.replayed:,} of them replayed." if found.replayed else ", none of them replayed."
    if training := run.last().get("seconds"):
        took += (
            f" That is {found.seconds / training:.2f} times the {duration(training)} of the training. Replays take "
            f"{found.replay_seconds / training:.2f} times."
        )
    style.caption(took)
    if found.problem:
        style.message(found.problem, "care")
    st.download_button(
        "CSV",
        data=lambda: as_csv(table(found.rows())),
        file_name=f"{run.metadata.name}-development.csv",
        mime="text/csv",
        key="development csv",
        icon=":material/download:",
        help="Every measured value, a row for each step.",
        on_click="ignore",
    )


# ---- several runs


def show_compared(chosen: Sequence[Run]) -> None:
    """Draw the section of the Compare view for these runs."""
    st.markdown("**Development**")
    style.caption("Roles, ranks and scores of each run at its kept steps, measured after the training.")
    changes.redraw_any(
        {f"row/{run.id}": {"status": run_view.row(run)["status"]} for run in chosen}, key="development of runs"
    )
    named = dict(zip(comparison.labels(chosen), chosen, strict=True))
    ready = {name: run for name, run in named.items() if not problem_of(run)}
    for name in named.keys() - ready.keys():
        style.message(f"{name}: {problem_of(named[name])}", "note")
    results = {name: measurements.known("development", key_of(run, 0)) for name, run in ready.items()}
    for name, run in ready.items():
        if results[name] is None:
            st.html(f'<span class="small">{escape(name)}</span>')
            measured(run, 0, "Measure development")
            break
    every = {name: found for name, found in results.items() if found is not None}
    if not every:
        return
    shared = set.intersection(*(set(heads(found.config.model)) for found in every.values()))
    first = next(iter(every.values())).config.model
    common = {head.path: head for head in heads(first) if head in shared}
    if not common:
        style.message("These models have no head in common.", "note")
        return
    if DEVELOPMENT_HEAD.get() not in common:
        DEVELOPMENT_HEAD.set(next((path for path in common if "cross_attention" in path), [*common][-1]))
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        path = st.selectbox(
            "Head",
            list(common),
            format_func=lambda path: common[path].words.capitalize(),
            width=420,
            **DEVELOPMENT_HEAD.widget,
        )
        role_choice()
    given = dict(zip(named, comparison.colours(chosen), strict=True))
    colours = development_charts.colours()
    with st.container(key="development-compared"):
        development_charts.draw_compared(
            every, common[path], DEVELOPMENT_ROLE.get(), [colours[given[name]] for name in every]
        )
    st.markdown("**Transitions of this head and of scores**")
    for name, found in every.items():
        listed = [each for each in found.transitions if each.head in (None, common[path])]
        style.caption(name if listed else f"{name}: no transition.", terms=False)
        for number_of, each in enumerate(listed, 1):
            _transition(f"{named[name].id}-{number_of}", each, named[name])
