"""The Compare view: runs in shared charts and in a table, and how they differ."""

from collections.abc import Callable, Sequence
from functools import partial
from html import escape
from time import monotonic
from typing import Any

import streamlit as st

from playground.common.numbers import counted
from playground.experiments import comparison
from playground.pictures import charts
from playground.runs import Run, RunError
from playground.runs.registry import RESTORABLE_SECONDS
from playground.settings.config import ConfigError, RunConfig, parameter_counts, setting_paths, value_at
from playground.ui.parts import confirmation, style
from playground.ui.parts.live import changes
from playground.ui.runs import compared, large_runs, run_status, run_view, settings_form, sharing
from playground.ui.server.assets import loader
from playground.ui.session import acts, identity, setting_words, sources, tab_run
from playground.ui.session import session_keys as keys
from playground.ui.session.address import QueryParam, QueryParams, flag
from playground.ui.session.pages import TRAIN
from playground.ui.session.services import services
from playground.ui.session.session_keys import Key
from playground.ui.train import costs_view, development_view, lengths_view

ALL_CHARTS = Key[bool]("all charts", False, "Widget: Compare draws all charts")
ALL_RUNS = Key[bool]("all runs", False, "The table has all runs")
BASE = Key[str | None]("base", None, "Id of the run to duplicate")
COMPARED_CHARTS = Key[Any]("compared-charts", None, "Component: charts of several runs")
DELETED_AT = Key[dict[str, int]]("indices of deleted runs", dict, "Index in the charts by run id")
DUPLICATED = Key[str]("duplicated", "", "Widget: id of the run to duplicate")
DUPLICATED_SETTING = Key[str]("duplicated setting", "model.n_heads", "Widget: path of the setting to change")
DUPLICATED_VALUE = Key[Any]("duplicated {} {}", None, "Widget: new value by run id and path")
RUNS = Key[Any]("runs", None, "Component: table of runs")
RUNS_GONE = Key[str]("runs gone", "", "Runs of a link that no longer exist")
RUNS_KNOWN = Key[set[str]]("runs known", set, "Ids of runs that need not join the comparison")
RUNS_LISTED = Key[dict[str, None]]("runs listed", dict, "Ids of the runs in the table, in order")
RUNS_PROBLEM = Key[dict[str, str] | None]("runs problem", None, "What the table refused")
RUNS_SORTED = Key[str]("runs sorted", "", "Column that sorts the table")

ADDRESS = QueryParams(
    "compare",
    QueryParam("with", keys.COMPARED),
    QueryParam("sorted", RUNS_SORTED),
    QueryParam("charts", ALL_CHARTS, flag),
)

DEFAULT_PANELS = ("loss", "validation_loss", "exact_match")
DEFAULT_PANELS_ALONE = ("loss", "accuracy", "learning_rate")
"""Default panels for several runs, and for a single one, without “All charts”."""

SHOWN_AT_FIRST = 4
LISTED_AT_FIRST = 12

# Own component: `st.data_editor` updates only by script runs (10 s with 4 runs training, 12 rows: 10 script runs of
# 31 ms, 100 kB and 1.3 s in the browser; the stream: none, 28 kB and 0.5 s), has no colours and doesn't report sorting.
_table = st.components.v2.component("playground_runs", js=loader("train/runs.ts"))


def _join_new() -> None:
    """Select the newest runs by default; runs started later are added."""
    own = tab_run.mine()
    single = [run for run in own if not run.metadata.sweep]
    known = RUNS_KNOWN.begin({run.id for run in own})
    if not keys.COMPARED.is_set():
        compared.choose((single or own)[:SHOWN_AT_FIRST][::-1])
    elif new := [run for run in single if run.id not in known]:
        chosen, _ = _chosen(own)
        compared.choose([*chosen, *(run for run in reversed(new) if run not in chosen)])
    known.update(run.id for run in own)


def show() -> None:
    """Draw the view; numbers come from the event stream."""
    confirmation.open_asked()
    _listen()  # for acts of an aborted callback
    own = tab_run.mine()
    chosen, gone = _chosen(own)
    if TRAIN.shown != "compare":
        st.rerun()  # another view was requested
    if gone:
        RUNS_GONE.set(f"{counted(gone, 'run')} in this link no longer {'exists' if gone == 1 else 'exist'}.")
        compared.choose(chosen)
    if message := RUNS_GONE.get():
        style.message(message, "care")
    if not own and not chosen:
        st.info("No runs to compare yet. Start a run in the Run view. Then duplicate it here with one setting changed.")
        return
    if chosen:
        few = DEFAULT_PANELS if len(chosen) > 1 else DEFAULT_PANELS_ALONE
        run_view.live_charts(chosen, panels=() if ALL_CHARTS.get() else few, key=COMPARED_CHARTS, opens=False)
    else:
        st.info("Select runs in the table to see them in the same charts.", icon=":material/stacked_line_chart:")
    _notices()
    _list(own, chosen)
    style.caption(
        f"{run_status.evaluations([*chosen, *own])} Best exact match counts only evaluations on the most inputs."
    )
    left, right = st.columns([11, 8], gap="large")
    with right:
        _fairness(chosen)
    with left:
        _duplicate([*chosen, *(run for run in own if run not in chosen)])
        _exports(chosen)
    if chosen:
        costs_view.show(chosen)
        st.fragment(development_view.show_compared)(chosen)
        st.fragment(lengths_view.show)(chosen)
    ADDRESS.keep()
    sharing.renew(_words())


def head() -> None:
    """Draw the toggle of all charts, and a link to this comparison."""
    _join_new()
    st.toggle("All charts", help="Also show token accuracy and learning rate.", **ALL_CHARTS.widget)
    message = "Anyone with this link can watch these runs side by side, but not control them."
    sharing.view(TRAIN, message, _words())


def _words() -> dict[str, str]:
    return {"with": keys.COMPARED.get() or ""}


def _chosen(own: Sequence[Run]) -> tuple[list[Run], int]:
    """The runs in the charts, and the number of requested runs that don't exist."""
    mine = {run.id: run for run in own}
    ids = [run_id for run_id in dict.fromkeys((keys.COMPARED.get() or "").split(",")) if run_id]
    requested = [mine.get(run_id) or services().runs.watched(run_id) for run_id in ids]
    runs = [run for run in requested if run is not None]
    return runs[: comparison.MAX_OVERLAID], len(requested) - len(runs)


# --- the table ------------------------------------------------------------------------------------


def _list(own: Sequence[Run], chosen: Sequence[Run]) -> None:
    """Draw the table, with its latest acts already applied."""
    # Listed runs stay listed: a row that disappears when it is deselected could not be selected again.
    listed = RUNS_LISTED.get()
    single = [run for run in own if not run.metadata.sweep]
    listed.update((run.id, None) for run in [*chosen, *single[:LISTED_AT_FIRST]])
    shown = [run for run in own if run.id in listed or ALL_RUNS.get()]
    mine = {run.id for run in own}
    others = [run for run_id in listed if run_id not in mine and (run := services().runs.watched(run_id)) is not None]
    read_at = monotonic()
    _redraw_with([*others, *shown], chosen)
    data = {
        **acts.answer(RUNS),
        "at": read_at,
        "rows": rows([*others, *shown], chosen, identity.visitor()),
        "hidden": len(own) - len(shown),
        "most": comparison.MAX_OVERLAID,
        "colours": charts.SERIES_COLOURS,
        "sort": RUNS_SORTED.get(),
        "problem": RUNS_PROBLEM.get(),
    }
    _table(data=data, key=RUNS.name, on_acts_change=_listen)


def _redraw_with(runs: Sequence[Run], chosen: Sequence[Run]) -> None:
    """Redraw the view when its sentences or controls for these runs are outdated."""
    drawn = ("settings", "name", "line_colour", *(("ended",) if len(chosen) == 1 else ()))  # a single run has controls
    names = {run.id: drawn for run in chosen}
    shown = {
        f"row/{run.id}": {name: run_view.row(run)[name] for name in names.get(run.id, ("settings",))} for run in runs
    }
    changes.redraw_any(shown, key="comparison")


def _listen() -> None:
    """Carry out the acts in the table since the last call."""
    acts.carry_out(RUNS, act)


def rows(runs: Sequence[Run], chosen: Sequence[Run], visitor: str) -> list[dict[str, Any]]:
    """A row of the table for each run; differences are relative to the first selected run.

    `now` is updated by the event stream; `colour` is that in the charts, None for a run that is not in them.
    """
    first = next(iter((*chosen, *runs)), None)
    if first is None:
        return []  # runs of sweeps only, which are listed on request
    model = ", ".join((first.config.task.name, *setting_words.architecture(first.config)))
    differences = comparison.difference([first, *runs])[1:]
    colours = dict(zip((run.id for run in chosen), comparison.colours(chosen), strict=True))
    made = []
    for run, difference in zip(runs, differences, strict=True):
        made.append(
            {
                "id": run.id,
                "channel": f"row/{run.id}",
                "now": run_view.row(run),
                "colour": colours.get(run.id),
                "shown": run in chosen,
                "first": run is first,
                "difference": model if run is first else difference,
                "parameters": sum(parameter_counts(run.config).values()),
                "mine": run.owner == visitor,
                "sweep": run.metadata.sweep,
            }
        )
    return made


def act(verb: str, run_id: str, value: Any = None) -> None:
    """Carry out one act in the table; ignore invalid acts and those without permission."""
    visitor = identity.visitor()
    run = services().runs.owned(visitor, run_id)
    RUNS_PROBLEM.forget()
    RUNS_GONE.forget()
    if verb in _OWN and run is not None:
        try:
            _OWN[verb](run, value)
        except (ValueError, RunError) as error:
            RUNS_PROBLEM.set(
                {
                    "id": run_id,
                    "verb": verb,
                    "value": str(value)[:1000],
                    "sentence": sources.plain(error),
                }
            )
    elif verb in _ANY and (seen := run or services().runs.watched(run_id)) is not None:
        _ANY[verb](seen, value)
    elif verb == "sort":
        RUNS_SORTED.set(value if isinstance(value, str) else "")
    elif verb == "more":
        ALL_RUNS.set(True)


def _colour(run: Run, value: Any) -> None:
    if type(value) is not int:
        return
    before = run.metadata.colour
    run.set_colour(value)
    for other in _chosen(tab_run.mine())[0]:
        if other is not run and other.metadata.colour == value and tab_run.is_mine(other):
            other.set_colour(before)


def _delete(run: Run, _value: Any) -> None:
    chosen, _ = _chosen(tab_run.mine())
    services().runs.delete(run.owner, run)
    if run in chosen:
        DELETED_AT.get()[run.id] = chosen.index(run)
    if run.ended:
        compared.choose([other for other in chosen if other is not run])
    if keys.RUN.get() == run.id:
        tab_run.look_at(None)


def _show(run: Run, value: Any) -> None:
    chosen, _ = _chosen(tab_run.mine())
    if value is True and run not in chosen:
        compared.choose([*chosen, run])
    elif value is False:
        compared.choose([other for other in chosen if other is not run])


def _first(run: Run, _value: Any) -> None:
    chosen, _ = _chosen(tab_run.mine())
    compared.choose([run, *(other for other in chosen if other is not run)])


def _open(run: Run, _value: Any) -> None:
    tab_run.look_at(run)
    TRAIN.turn("run")


def _base(run: Run, _value: Any) -> None:
    BASE.set(run.id)


_OWN: dict[str, Callable[[Run, Any], None]] = {
    "rename": lambda run, value: services().runs.rename(run, str(value).strip()),
    "note": lambda run, value: run.set_note(str(value)),
    "colour": _colour,
    "stop": lambda run, _value: run.stop(),
    "delete": _delete,
}
_ANY: dict[str, Callable[[Run, Any], None]] = {"show": _show, "first": _first, "open": _open, "duplicate": _base}


def _notices() -> None:
    """Draw Undo for deleted runs."""
    for run in services().runs.deleted(identity.visitor()):
        with st.container(horizontal=True, vertical_alignment="center"):
            st.html(
                f"Deleted <b>{escape(run.metadata.name)}</b>. "
                f"You can undo this for {RESTORABLE_SECONDS / 60:.0f} minutes."
            )
            st.button("Undo", key=f"undo {run.id}", icon=":material/undo:", on_click=_undo, args=(run,))


def _undo(run: Run) -> None:
    services().runs.restore(run.owner, run)
    chosen, _ = _chosen(tab_run.mine())
    position = DELETED_AT.get().pop(run.id, len(chosen))
    compared.choose([*chosen[:position], run, *(other for other in chosen[position:] if other is not run)])


# --- around the table ------------------------------------------------------------------------------


def _fairness(chosen: Sequence[Run]) -> None:
    st.markdown("**Is the comparison fair?**")
    sentences = comparison.fairness(chosen)
    if sentences:
        items = "".join(f"<li>{style.marked(sentence)}</li>" for sentence in sentences)
        st.html(f'<ul class="small soft">{items}</ul>')
    else:
        st.caption("Select two or more runs to see what they have in common and how they differ.")


def _duplicate(runs: Sequence[Run]) -> None:
    """Draw a form that starts a run with the settings of another and one change."""
    names = {run.id: run.metadata.name for run in runs}
    if (base_id := BASE.get() or "") not in names:
        base_id = runs[0].id
        BASE.set(base_id)
    # Set each time: for the browser, a list with a new run is a new widget, which would select the first entry.
    DUPLICATED.set(base_id)
    st.markdown("**Duplicate a run with one change**")
    with st.container(horizontal=True, vertical_alignment="bottom", key="duplicate"):
        chosen = st.selectbox(
            "Run",
            names,
            key=DUPLICATED.name,
            format_func=lambda key: names.get(key, key),
            width=180,
            on_change=lambda: BASE.set(DUPLICATED.get()),
        )
        DUPLICATED_SETTING.begin(DUPLICATED_SETTING.default)
        path = st.selectbox(
            "Setting",
            [path for path in setting_paths() if path != "task.text"],
            format_func=lambda path: str(setting_paths()[path].title),
            width=180,
            **DUPLICATED_SETTING.widget,
        )
        source = next(run for run in runs if run.id == chosen)
        base = source.config
        value = settings_form.widget(path, key=DUPLICATED_VALUE.of(chosen, path), value=value_at(base, path), width=170)
        config, problem = None, ""
        try:
            config = base.updated({path: value})
        except ConfigError as error:
            problem = setting_words.in_labels(str(error))
        st.button(
            "Start",
            type="primary",
            icon=":material/play_arrow:",
            disabled=config is None,
            on_click=_start,
            args=(config,),
        )
    style.flashed("duplicate")
    if problem:
        style.message(problem, "wrong")
    else:
        style.caption(_promised(source, path, value))
        if care := setting_words.no_effect(path, [config or base]):
            style.message(care, "care")


def _promised(source: Run, path: str, value: Any) -> str:
    before = value_at(source.config, path)
    left_out = f" Changes made while {source.metadata.name} trained are left out." if source.changes else ""
    if source.metadata.pitfall:
        left_out += f" The mistake of {source.metadata.name} is left out."
    if value == before:
        return left_out.strip() or "Nothing is changed: the new run will be the same, bit for bit."
    change = comparison.describe_changes([(path, before, value)])
    return f"{change}; all other settings and the seed stay the same.{left_out}"


def _start(config: RunConfig | None) -> None:
    if config is None:
        return
    large_runs.begin(config, partial(_start_now, config), place="duplicate")


def _start_now(config: RunConfig) -> None:
    chosen, _ = _chosen(tab_run.mine())
    run = tab_run.start(config)
    compared.choose([*chosen[: comparison.MAX_OVERLAID - 1], run])


def _exports(runs: Sequence[Run]) -> None:
    """Files with the records of the runs in the charts, built on demand."""
    if not runs:
        return
    with st.container(horizontal=True, vertical_alignment="center"):
        export("comparison", runs)


def export(name: str, runs: Sequence[Run]) -> None:
    """Draw buttons that download all records of these runs."""
    for kind, mime, make in (
        ("CSV", "text/csv", comparison.to_csv),
        ("JSON", "application/json", comparison.to_json),
    ):
        st.download_button(
            kind,
            data=lambda make=make: make(runs),  # type: ignore[misc]
            file_name=f"{name}.{kind.lower()}",
            mime=mime,
            key=f"{name} {kind}",
            icon=":material/download:",
            help="Every recorded value.",
            on_click="ignore",
        )
