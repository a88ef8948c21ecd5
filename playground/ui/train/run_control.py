"""The buttons that start and steer a run, and what is said about its place and its state."""

import time
from collections.abc import Mapping
from functools import partial

import streamlit as st

from playground.config import RunConfig
from playground.runs import Run, RunError, RunView
from playground.ui.parts import large_runs, sharing, style
from playground.ui.session import session_keys as keys
from playground.ui.session import state
from playground.ui.train import lesson_link

_MAX_PRESSES = 100  # at once; a browser may say anything
_AT_ONCE = 0.3  # seconds that a single step is waited for


def controls(run: Run | None, config: RunConfig | None) -> None:
    """Buttons and pace for the visitor's run, or for a first one with the settings `config`."""
    alive, paused = run is not None and not run.ended, run is not None and run.status == "paused"
    pausing, stopping = run is not None and run.pausing, run is not None and run.stopping
    if run is not None and alive and (pace := state.pace_name(run)):
        keys.PACE.set(pace)  # another tab, or another run, may have had another
    with st.container(horizontal=True, vertical_alignment="bottom", key="control"):
        st.button(
            "Train",
            icon=":material/play_arrow:",
            type="primary",
            disabled=alive and not (run is not None and _at_start(run)),
            on_click=_start,
            args=(config, run),
        )
        st.button(
            "Pause",
            icon=":material/pause:",
            disabled=not alive or paused or pausing or stopping,
            on_click=_tell,
            args=(run, "pause"),
        )
        st.button(
            "Resume",
            icon=":material/resume:",
            disabled=stopping or not (paused or pausing),
            on_click=_tell,
            args=(run, "resume"),
        )
        st.button(
            "Step",
            icon=":material/step:",
            disabled=stopping or (run is not None and not (paused or run.will_pause)),
            help="One optimiser step; in slow motion one stage of it.",
            on_click=_take_one_step,
            args=(config, run),
        )
        st.button("Stop", icon=":material/stop:", disabled=not alive or stopping, on_click=_tell, args=(run, "stop"))
        st.button(
            "Reset",
            icon=":material/restart_alt:",
            disabled=run is None,
            help="Back to step 0: same seed, same initial weights. What was learned stays in the list of runs.",
            on_click=_start,
            args=(run.config if run else None, run),
            kwargs={"paused": True},
        )
        key, begun = state.key_showing(keys.PACE_CHOICE, keys.PACE.get())
        st.segmented_control(
            "Pace",
            state.PACES,
            default=begun,
            required=True,
            key=key.name,
            help="Slow motion shows every stage inside a step; Watch stretches a run so that it is solved in about ten "
            "seconds.",
            on_change=_change_pace,
            args=(key,),
        )
        if state.RUNS.backend.has_gpu:
            st.segmented_control(
                "Next run on",
                ("CPU", "GPU"),
                default="CPU",
                required=True,
                key=keys.DEVICE.name,
                persist_state="session",
                help="A GPU rounds otherwise than a CPU, so the same seed gives other bits. Small models train faster "
                "on a CPU.",
            )


def choice(shown: Run | None) -> None:
    """The visitor's runs to choose from, and a link to watch the one that is shown."""
    own = state.RUNS.of(state.visitor())
    with st.container(horizontal=True, vertical_alignment="bottom", horizontal_alignment="right"):
        if len(own) > 1 or (own and shown not in own):
            names = {run.id: f"{run.name} · {run.config.task.name}, {run.config.model.architecture}" for run in own}
            key, begun = state.key_showing(keys.RUN_CHOICE, shown.id if shown is not None and shown in own else None)
            st.selectbox(
                "My runs",
                names,
                key=key.name,
                index=list(names).index(begun) if begun in names else None,
                placeholder="Back to a run of mine",
                format_func=lambda run_id: names.get(run_id, run_id),
                label_visibility="collapsed",
                width=320,
                on_change=_choose,
                args=(key,),
            )
        if shown is not None and shown in own:
            sharing.popover(shown)


def notices(run: RunView) -> None:
    """What happened to the run, each in one sentence."""
    if run.message:
        style.told(run.message, "wrong" if run.status == "failed" else "care")
    if run.notice:
        style.told(run.notice, "note", "bedtime")
    if run.store.damage:
        style.told(run.store.damage, "care", "hard_drive")
    if run.store.problem:
        style.told(run.store.problem, "care", "hard_drive")


def _choose(key: keys.Key[str | None]) -> None:
    own = {run.id: run for run in state.RUNS.of(state.visitor())}
    if state.is_current(key):
        state.look_at(own.get(key.get() or ""))


def _start(config: RunConfig | None, seen: Run | None, *, paused: bool = False) -> None:
    """Starts a run with these settings; what stands in the way is shown on the next drawing.

    `seen` is the run that the button's page showed: a newer one, begun elsewhere or by a second click, stays.
    """
    run = state.current_run()
    if run is not None and run is not seen and not run.ended:
        return
    if config is None:
        keys.NOTICE.set("These settings do not make a model yet; the Build page says what is wrong.")
    elif run is not None and config == run.config and _at_start(run) and not paused:
        run.resume()
    elif paused and run is not None:
        _start_now(config, run, paused=True)  # begins again what somebody has agreed to before
    else:
        large_runs.begin(config, partial(_start_now, config, run, paused=paused))


def _start_now(config: RunConfig, before: Run | None, *, paused: bool) -> None:
    """Starts a run in place of the one before it."""
    if keys.LESSON.get():
        lesson_link.make_place()
    try:
        state.start_run(config, paused=paused)
    except RunError as error:
        keys.NOTICE.set(str(error))
    else:
        if before is not None:
            before.stop()


def _at_start(run: Run) -> bool:
    return run.status == "paused" and run.step == 0


def _take_one_step(config: RunConfig | None, seen: Run | None) -> None:
    if seen is None and state.current_run() is None:
        _start(config, None, paused=True)
    run = seen or state.current_run()
    if run is None:
        return
    step, stage, until = run.step, run.stage, time.monotonic() + _AT_ONCE
    _tell(run, "step_once")
    while run.step == step and run.stage is stage and time.monotonic() < until:
        time.sleep(0.01)  # so that the answer to the click has what it has brought already


def _tell(run: Run | None, verb: str) -> None:
    """Passes a button on to the run it was drawn for."""
    if run is not None and state.is_mine(run):
        getattr(run, verb)()


def _change_pace(key: keys.Key[str | None]) -> None:
    if not state.is_current(key) or not (name := key.get()):  # none while a widget is being replaced
        return
    keys.PACE.set(name)
    state.own_settings()
    if (run := state.current_run()) is not None:
        run.set_pace(state.pace_of(run.config, name))


def press(run: Run | None, config: RunConfig | None, presses: Mapping[str, int]) -> None:
    """Does what keys ask for: "run" begins, goes on or rests, "step" takes one step each."""
    steps, turned = presses.get("step", 0), presses.get("run", 0) % 2 == 1
    if steps and run is None:
        _start(config, None, paused=True)
        run = state.current_run()
    if steps and run is not None and not run.ended:
        run.pause()
        for _ in range(min(steps, _MAX_PRESSES)):
            run.step_once()
    if turned and (run is None or run.ended):
        _start(config, run)
    elif turned and run is not None:
        _tell(run, "resume" if run.status == "paused" or run.pausing else "pause")


def start_beside(config: RunConfig) -> None:
    """Starts a run with these settings and leaves the one that is shown as it is."""
    large_runs.begin(config, partial(_start_beside_now, config))


def _start_beside_now(config: RunConfig) -> None:
    try:
        state.start_run(config)
    except RunError as error:
        keys.NOTICE.set(str(error))
