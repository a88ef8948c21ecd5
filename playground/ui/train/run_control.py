"""The buttons that start, pause and stop a run, the choice of runs, and the messages about a run."""

import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from functools import partial
from typing import Any

import streamlit as st

from playground.runs import WILL_PAUSE, Run, RunView, State
from playground.settings.config import RunConfig
from playground.ui.parts import style
from playground.ui.runs import large_runs, playback_control, run_status, saving, sharing, steering
from playground.ui.session import form_settings, paces, setting_words, tab_run, widgets
from playground.ui.session import session_keys as keys
from playground.ui.session.flash import flash
from playground.ui.session.services import services
from playground.ui.session.session_keys import Key
from playground.ui.train import settings_link

PACE_CHOICE = Key[str | None]("pace {}", None, "Widget: pace of a run")
RUN_CHOICE = Key[str | None]("chosen run {}", None, "Widget: id of a run")

_MAX_PRESSES = 100  # steps in one message; a browser may send anything
_AT_ONCE = 0.3  # seconds that a press waits for its effect


def controls(run: Run | None, config: RunConfig | None) -> None:
    """Draw buttons and pace for the visitor's run, or for a first one with the settings `config`."""
    if run is not None and not run.ended and (pace := paces.pace_name(run)):
        keys.PACE.set(pace)  # another tab or run may have had another pace
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="control"):
        _play(run, config)
        st.button(
            "Step",
            icon=":material/step:",
            disabled=run is not None and not _waits(run),
            help="Take one optimizer step, or one stage of it in slow motion.",
            on_click=_take_one_step,
            args=(config, run),
        )
        with _more(run):
            _rest(run)
            if run is not None:
                steering.controls(run)
        steering.rewind(run)
        key, begun = widgets.key_showing(PACE_CHOICE, keys.PACE.get())
        st.segmented_control(
            "Pace",
            paces.PACES,
            default=begun,
            required=True,
            key=key.name,
            help="Slow motion shows every stage of a step. Watch trains a preset in about ten seconds.",
            on_change=_change_pace,
            args=(key,),
        )


def _play(run: Run | None, config: RunConfig | None) -> None:
    """Draw one button to start, pause or resume. Each label is a separate widget, so a late press keeps its meaning."""
    label, icon = "Train", "play_arrow"
    if run is not None and not run.ended and not _at_start(run):
        resumes = _waits(run) or run.state is State.PAUSING
        label, icon = ("Resume", "resume") if resumes else ("Pause", "pause")
    act = partial(_start, config, run) if label == "Train" else partial(_tell, run, label.lower())
    again = run is not None and run.ended
    st.button(
        label,
        key=f"play {label}",
        icon=f":material/{'add' if again else icon}:",
        type="secondary" if again else "primary",
        help="Start a new run at step 0. This run stays in the list." if again else None,
        disabled=run is not None and run.state is State.STOPPING,
        on_click=act,
    )


def _more(run: Run | None) -> AbstractContextManager[Any]:
    """Draw the box of less frequent actions. After an action it is a new widget, which is closed."""
    done = "" if run is None else f" {run.id} {run.until} {run.state is State.STOPPING or run.ended}"
    return st.popover("More", key=f"more{done}", icon=":material/more_horiz:")


def _rest(run: Run | None) -> None:
    with st.container(horizontal=True, gap="small"):
        st.button(
            "Stop",
            icon=":material/stop:",
            disabled=run is None or run.ended or run.state is State.STOPPING,
            help="End the run. Its weights are kept.",
            on_click=_tell,
            args=(run, "stop"),
        )
        st.button(
            "Reset",
            icon=":material/restart_alt:",
            disabled=run is None,
            help="Start again at step 0 with the same seed and initial weights. The run so far stays in the list.",
            on_click=_start,
            args=(run.config if run else None, run),
            kwargs={"paused": True},
        )
        if run is not None:
            playback_control.button(run)
    if services().runs.backend.has_gpu:
        st.segmented_control(
            "Next run on",
            ("CPU", "GPU"),
            default="CPU",
            required=True,
            help="A GPU rounds differently, so the same seed gives slightly different numbers. Small models train "
            "faster on a CPU.",
            **keys.DEVICE.widget,
        )


def choice(shown: Run | None) -> None:
    """Draw the selector of the visitor's runs, and the link to watch the current one."""
    own = tab_run.mine()
    with st.container(horizontal=True, vertical_alignment="bottom", horizontal_alignment="right"):
        if len(own) > 1 or (own and shown not in own):
            names = _names(own)
            key, begun = widgets.key_showing(RUN_CHOICE, shown.id if shown is not None and shown in own else None)
            st.selectbox(
                "My runs",
                names,
                key=key.name,
                index=list(names).index(begun) if begun in names else None,
                placeholder="Back to one of my runs",
                format_func=lambda run_id: names.get(run_id, run_id),
                label_visibility="collapsed",
                width=320,
                on_change=_choose,
                args=(key,),
            )
        if shown is not None and shown in own:
            sharing.popover(shown)


def _names(own: Sequence[Run]) -> dict[str, str]:
    """Labels of the visitor's runs by id: name, status and settings; sweeps last, grouped."""
    names = {}
    for run in sorted(own, key=lambda run: run.metadata.sweep or ""):
        sweep = f"sweep {run.metadata.sweep}" if run.metadata.sweep else ""
        status = run.status if run.ended else "active"
        names[run.id] = " · ".join(filter(None, (sweep, run.metadata.name, status, setting_words.short(run.config))))
    return names


def save_button(run: RunView) -> None:
    """Draw Save for the newest weights, or for the step of a playback, while nothing is running."""
    if run.step and (run.ended or run.status == "paused") and tab_run.is_mine(run):
        saving.button(run, None if isinstance(run, Run) else run.step)


def notices(run: RunView) -> None:
    """Draw messages about the run."""
    if run.message and not run_status.goes_on(run):  # otherwise the progress line shows it
        style.message(run.message, "wrong" if run.status == "failed" else "care")
    if run.notice:
        style.message(run.notice, "note", "bedtime")
    if run.store.damage:
        style.message(run.store.damage, "care", "hard_drive")
    if run.store.problem:
        style.message(run.store.problem, "care", "hard_drive")


def _choose(key: keys.Key[str | None]) -> None:
    own = {run.id: run for run in tab_run.mine()}
    if widgets.is_current(key):
        tab_run.look_at(own.get(key.get() or ""))


def _start(config: RunConfig | None, seen: Run | None, *, paused: bool = False) -> None:
    """Start a run with these settings; an error shows in the next script run.

    `seen` is the run that the page with the button showed: a newer one, from another tab or a second click, stays.
    """
    run = tab_run.current()
    if run is not None and run is not seen and not run.ended:
        return
    if config is None:
        flash("run", "These settings can't be used. The Build page shows what is wrong.")
    elif run is not None and config == run.config and _at_start(run) and not paused:
        run.resume()
    elif paused and run is not None:
        with style.error_messages("run"):
            _start_now(config, run, paused=True)  # repeats a run that was confirmed before
    else:
        large_runs.begin(config, partial(_start_now, config, run, paused=paused))


def _start_now(config: RunConfig, before: Run | None, *, paused: bool) -> None:
    """Start a run in place of the previous one; raises `RunError`."""
    if keys.SETTINGS_LINK.get():
        settings_link.free_slot()
    run = tab_run.start(config, paused=paused)
    if before is not None:
        before.stop()
        if before.metadata.pitfall and config == before.config:
            run.notice = f"This run trains the correct model, without the mistake of {before.metadata.name}."
    _wait(lambda: run.status != "starting")


def _wait(done: Callable[[], bool]) -> None:
    """Wait briefly, so that the response to a press already shows its effect."""
    until = time.monotonic() + _AT_ONCE
    while not done() and time.monotonic() < until:
        time.sleep(0.005)


def _waits(run: Run) -> bool:
    """It is paused, or will pause once it has a worker."""
    return run.status == "paused" or run.state in WILL_PAUSE


def _at_start(run: Run) -> bool:
    return run.step == 0 and _waits(run)


def _take_one_step(config: RunConfig | None, seen: Run | None) -> None:
    if seen is None and tab_run.current() is None:
        _start(config, None, paused=True)
    run = seen or tab_run.current()
    if run is None:
        return
    step, stage = run.step, run.stage
    _tell(run, "step_once")
    _wait(lambda: run.step != step or run.stage is not stage)


def _tell(run: Run | None, verb: str) -> None:
    """Send a command to the run that the button was drawn for."""
    if run is not None and tab_run.is_mine(run):
        getattr(run, verb)()


def _change_pace(key: keys.Key[str | None]) -> None:
    if not widgets.is_current(key) or not (name := key.get()):  # None while a widget is being replaced
        return
    keys.PACE.set(name)
    form_settings.own()
    if (run := tab_run.current()) is not None:
        run.set_pace(paces.pace_of(run.config, name))


def press(run: Run | None, config: RunConfig | None, presses: Mapping[str, int]) -> None:
    """Handle keys: "run" starts, resumes or pauses, each "step" takes one step."""
    steps, turned = presses.get("step", 0), presses.get("run", 0) % 2 == 1
    if steps and run is None:
        _start(config, None, paused=True)
        run = tab_run.current()
    if steps and run is not None and not run.ended:
        run.pause()
        for _ in range(min(steps, _MAX_PRESSES)):
            run.step_once()
    if turned and (run is None or run.ended):
        _start(config, run)
    elif turned and run is not None:
        _tell(run, "resume" if run.status == "paused" or run.state is State.PAUSING else "pause")


def start_beside(config: RunConfig) -> None:
    """Start a run with these settings; the current one continues."""
    large_runs.begin(config, partial(tab_run.start, config))
