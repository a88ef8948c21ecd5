"""Sweep view: vary one or two settings, each combination with several seeds, and compare the results."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import partial
from time import monotonic
from typing import Any

import streamlit as st

from playground.common.numbers import counted, duration
from playground.experiments import comparison
from playground.experiments.sweeps import MAX_SWEEP_RUNS, Sweep, SweepError, parse
from playground.runs import Run, RunError
from playground.settings.config import RunConfig, allowed, bounds, choices, setting_paths, setting_title, value_at
from playground.settings.estimate import Cost, estimate
from playground.ui.parts import confirmation, style
from playground.ui.parts.live import changes, progress_bar
from playground.ui.runs import compared, large_runs, run_status, sharing
from playground.ui.server.assets import loader
from playground.ui.session import form_settings, identity, setting_words, tab_run
from playground.ui.session.address import QueryParam, QueryParams, number, one_of
from playground.ui.session.flash import flash
from playground.ui.session.pages import TRAIN
from playground.ui.session.services import services
from playground.ui.session.session_keys import Key
from playground.ui.train import compare
from playground.ui.train.sweep_picture import SWEEP_MEASURES, Picture, channel, sweep_of

MULTIPLES = Key[Any]("multiples", None, "Component: small multiples of a sweep")
SWEEP_CHOSEN = Key[str]("sweep chosen", "", "Widget: id of a sweep's first run")
SWEEP_GONE = Key[bool]("sweep gone", False, "The sweep of a link no longer exists")
SWEEP_MEASURE = Key[str]("sweep measure", "exact_match", "Widget: measure that is drawn")
SWEEP_SEEDS = Key[int]("sweep seeds", 4, "Widget: number of seeds")
SWEEP_SETTINGS = (
    Key[str]("sweep setting 1", "model.n_heads", "Widget: path of the setting to vary"),
    Key[str]("sweep setting 2", "none", "Widget: path of a second one, or none"),
)
SWEEP_SHOWN = Key[str | None]("sweep shown", None, "Id of a run of the current sweep")
SWEEP_VALUES = (
    Key[str | None]("sweep values 1", None, "Widget: values of the setting to vary"),
    Key[str | None]("sweep values 2", None, "Widget: values of the second setting"),
)

_SETTINGS = [path for path in setting_paths() if path not in ("seed", "task.text", "training.record")]
NONE = SWEEP_SETTINGS[1].default
ADDRESS = QueryParams(
    "sweep",
    QueryParam("vary", SWEEP_SETTINGS[0], one_of(_SETTINGS)),
    QueryParam("values", SWEEP_VALUES[0]),
    QueryParam("vary2", SWEEP_SETTINGS[1], one_of(_SETTINGS)),
    QueryParam("values2", SWEEP_VALUES[1]),
    QueryParam("seeds", SWEEP_SEEDS, number(2)),
    QueryParam("sweep", SWEEP_SHOWN),
    QueryParam("measure", SWEEP_MEASURE, one_of(SWEEP_MEASURES)),
)
_MAX_SEEDS = 32
_FROM_ZERO = {"model.d_rope": 4, "model.logit_cap": 10, "model.window": 4, "model.n_shared_experts": 1}
"""Step between suggested values of a setting that is 0."""

# Own component: one Vega facet of 8 charts with 32 lines takes ten times as long in the browser (3.0 s at first and
# 1.2 s per update, here 0.12 and 0.11). Its titles are not buttons, and its columns don't adapt to the page width.
_drawn = st.components.v2.component("playground_sweep", js=loader("train/sweep.ts"))


def show() -> None:
    """Draw the view; results come from the event stream."""
    confirmation.open_asked()
    config, _ = form_settings.checked()
    if TRAIN.shown != "sweep":
        st.rerun()  # another view was requested
    left, right = st.columns([5, 14], gap="large")
    with left:
        _form(config)
    with right:
        _results()
    ADDRESS.keep()
    sharing.renew(ADDRESS.words())


def head() -> None:
    """Draw Share with a link that fills in the form."""
    message = "Anyone with this link can watch this sweep and start the same one."
    sharing.view(TRAIN, message, ADDRESS.words())


# --- what to vary ---------------------------------------------------------------------------------


def suggested(path: str, config: RunConfig) -> str:
    """Suggested values: all options of a choice, or a few numbers around that of `config`."""
    field = setting_paths()[path]
    if choices(field):
        return ", ".join(choices(field))
    if field.annotation is bool:
        return "true, false"
    low, high = bounds(field)
    value = value_at(config, path)
    if value == 0:
        step = _FROM_ZERO.get(path, 0.1 if field.annotation is float else 10)
        return f"0, {step:g}, {2 * step:g}"
    tries = {value / 4, value / 2, value, value * 2} if field.annotation is float else _halves(value)
    return ", ".join(f"{tried:g}" for tried in sorted(tried for tried in tries if low <= tried <= high))


def _halves(value: int) -> set[int]:
    values = {value, 2 * value}
    while len(values) < 4 and value % 2 == 0:
        value //= 2
        values.add(value)
    return values


_VARY = {
    "Setting to vary": "The setting that differs between runs. All others come from the Build page.",
    "Second setting": "The sweep trains every combination of both settings.",
}


def _form(config: RunConfig | None) -> None:
    """Draw the form, the number of runs, and their estimated time."""
    base = config or RunConfig()
    axes: dict[str, str] = {}
    for index, title in enumerate(_VARY):
        options = [NONE, *_SETTINGS] if index else _SETTINGS
        values = SWEEP_VALUES[index]
        path = st.selectbox(
            title,
            options,
            format_func=lambda path: "none" if path == NONE else setting_title(path),
            help=_VARY[title],
            on_change=_suggest,
            args=(index, base),
            **SWEEP_SETTINGS[index].widget,
        )
        if path == NONE:
            continue
        values.begin(suggested(path, base))
        field = setting_paths()[path]
        axes[path] = st.text_input(
            f"Values: {setting_title(path)}",
            help=f"{field.description} Separated by commas; {comparison.setting_name(path)} takes {allowed(field)}.",
            **values.text,
        )
    seeds = st.number_input(
        "Seeds",
        min_value=1,
        max_value=_MAX_SEEDS,
        step=1,
        help="Runs for each combination, each with its own seed. The first seed is that of the Build page.",
        **SWEEP_SEEDS.widget,
    )
    sweep, problem = _planned(config, axes, seeds)
    if problem:
        style.message(problem, "wrong")
    elif sweep is not None:
        st.markdown(_estimate(sweep))
        for path in sweep.axes:
            if care := setting_words.no_effect(path, sweep.configs()):
                style.message(care, "care")
    with st.container(horizontal=True):
        st.button(
            "Start sweep",
            type="primary",
            icon=":material/grid_view:",
            disabled=sweep is None,
            on_click=_start,
            args=(sweep,),
        )
    style.flashed("sweep")
    st.caption(
        f"All other settings come from the Build page. A sweep has at most {MAX_SWEEP_RUNS} runs. It trains "
        f"{_at_once():,} runs at a time, at full speed. Each run keeps its metrics and a few snapshots of its weights."
    )


def _suggest(index: int, base: RunConfig) -> None:
    path = SWEEP_SETTINGS[index].get()
    if path == NONE:
        SWEEP_VALUES[index].forget()
    else:
        SWEEP_VALUES[index].set(suggested(path, base))


def _planned(config: RunConfig | None, axes: Mapping[str, str], seeds: int) -> tuple[Sweep | None, str]:
    """The sweep in the form, or None and an error message."""
    if config is None:
        return None, "The settings on the Build page can't be used. Correct them there first."
    if len(axes) == 1 and SWEEP_SETTINGS[1].get() in axes:
        return None, "Both settings are the same. Choose another one, or “none”."
    try:
        sweep = Sweep(config, {path: parse(path, text) for path, text in axes.items()}, seeds)
        sweep.configs()
    except SweepError as error:
        return None, setting_words.in_labels(str(error))
    return sweep, ""


def _estimate(sweep: Sweep) -> str:
    combined = len(sweep) // sweep.seeds
    kinds = counted(combined, "combination" if len(sweep.axes) > 1 else "value")
    longest = duration(sweep.seconds(_at_once()))
    runs = counted(len(sweep), "run")
    combinations = f"{kinds} × {counted(sweep.seeds, 'seed')} = **{runs}**"
    return f"{combinations}. Estimated time: up to {longest}. Runs that solve the task end early."


def _at_once() -> int:
    """Number of runs of one visitor's sweep that this host trains at a time."""
    return services().runs.scheduler.sweep_slots


def _start(sweep: Sweep | None) -> None:
    if sweep is None:
        return
    largest = max(sweep.configs(), key=lambda config: estimate(config).megabytes)
    cost = Cost(estimate(largest).megabytes, sweep.seconds(_at_once()))
    large_runs.begin(largest, partial(_start_now, sweep), cost)


def _start_now(sweep: Sweep) -> None:
    try:
        runs = services().runs.start_many(identity.visitor(), sweep.configs(), sweep=sweep.title)
    except (RunError, SweepError) as error:
        flash("sweep", setting_words.in_labels(str(error)))
    else:
        _turn(runs[0].id)


def _choose() -> None:
    _turn(SWEEP_CHOSEN.get())


def _turn(shown: str) -> None:
    SWEEP_SHOWN.set(shown)
    SWEEP_GONE.set(False)


# --- results --------------------------------------------------------------------------------------


def _sweeps() -> dict[str, list[Run]]:
    """The visitor's sweeps and the one in a link, newest first, by the id of their first run.

    Runs are in the order in which they were started.
    """
    named: dict[str, list[Run]] = {}
    for run in tab_run.mine():
        if run.metadata.sweep:
            named.setdefault(run.metadata.sweep, []).insert(0, run)
    sweeps = {runs[0].id: runs for runs in named.values()}
    with suppress(LookupError):
        linked = sweep_of(SWEEP_SHOWN.get() or "")
        sweeps.setdefault(linked[0].id, linked)
    return sweeps


def _results() -> None:
    sweeps = _sweeps()
    wanted = SWEEP_SHOWN.get()
    if wanted and not any(run.id == wanted for runs in sweeps.values() for run in runs):
        SWEEP_GONE.set(True)
        SWEEP_SHOWN.set(None)
    if SWEEP_GONE.get():
        st.warning("This sweep no longer exists, or the link is wrong.")
    if not sweeps:
        st.info(
            "No sweep yet. Press **Start sweep** to train every combination with every seed. A table then shows how "
            "fast and how often each combination solves the task.",
            icon=":material/grid_view:",
        )
        return
    here = next((key for key, runs in sweeps.items() if any(run.id == wanted for run in runs)), next(iter(sweeps)))
    runs = sweeps[here]
    mine = all(map(tab_run.is_mine, runs))
    # Set each time: for the browser, a list with a new sweep is a new widget, which would select the first entry.
    SWEEP_CHOSEN.set(here)
    SWEEP_SHOWN.set(here)
    _choice(sweeps, runs, mine=mine)
    if not mine:
        st.caption("You are watching this sweep. Only its owner can control it.")
    picture = Picture(runs, SWEEP_MEASURE.get())
    followed, read_at, groups, drawn = channel(runs, picture.measure), monotonic(), picture.groups, picture.drawn()
    changes.redraw(followed, drawn, key="sweep")
    progress_bar.show(followed, picture.progress)
    shared = {"channel": followed, "at": read_at}

    def asked() -> None:
        press = MULTIPLES.get().get("asked")
        if isinstance(press, dict) and press.get("verb") == "compare" and press.get("value") in range(len(groups)):
            compared.choose(groups[press["value"]].runs)
            TRAIN.turn("compare")

    _drawn(data={**shared, "draws": "cards", "now": picture.charts()}, key=MULTIPLES.name, on_asked_change=asked)
    style.caption(run_status.evaluations(runs))
    _drawn(data={**shared, "draws": "table", "now": picture.table()}, key="summary")
    with st.container(horizontal=True, vertical_alignment="center"):
        compare.export("sweep", runs)
    style.caption(drawn["fair"])


def _choice(sweeps: Mapping[str, list[Run]], shown: Sequence[Run], *, mine: bool) -> None:
    """Draw the selectors of sweep and measure, and Stop for the visitor's own sweep."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.selectbox(
            "Sweep",
            list(sweeps),
            key=SWEEP_CHOSEN.name,
            format_func=lambda key: sweeps[key][0].metadata.sweep if key in sweeps else key,
            width=400,
            on_change=_choose,
        )
        st.segmented_control(
            "Measure",
            list(SWEEP_MEASURES),
            required=True,
            format_func=SWEEP_MEASURES.__getitem__,
            **SWEEP_MEASURE.widget,
        )
        if mine:
            st.button(
                "Stop all",
                icon=":material/stop:",
                disabled=all(run.ended for run in shown),
                on_click=_stop,
                args=(shown[0].metadata.sweep,),
            )


def _stop(name: str) -> None:
    services().runs.stop_all(identity.visitor(), name)
